// pushing/owed-failures.ts: jobs that are down and owe health a failure. Such a job has no next check. Where health
// waits for the next failure (the end of a maintenance window or of a snooze, an ancestor that recovered, a restart),
// it gets one failure at that moment.
import type { Decision } from '../deciding/decision.ts'
import { type Ancestors, isInTrouble } from '../deciding/health/ancestors.ts'
import type { Health, Instant } from '../deciding/health/health.ts'
import { statusOf } from '../deciding/health/status.ts'

export interface HealthFacts {
  now(): Instant
  healthOf(row: number): Health
  ancestorsOf(row: number, firstFailureAt: Instant): Ancestors
}

const still = 'still down, and nothing was reported since'

export class OwedFailures {
  readonly #owing = new Set<number>()
  /** Monitors that an ancestor keeps quiet. */
  readonly #suppressed = new Set<number>()
  /** An ancestor may have left trouble, or may not be one any more. */
  #mayBeFree = false

  /** Something is owed, or may be. */
  get isDue(): boolean {
    return this.#owing.size > 0 || this.#mayBeFree
  }

  /** Monitors, or what depends on what, have changed. */
  fleetChanged(): void {
    this.#mayBeFree = this.#suppressed.size > 0
  }

  owe(row: number): void {
    this.#owing.add(row)
  }

  /** isDown: whether the row is a job that is down. */
  follow({ steps }: Decision, isReported: (row: number) => boolean, isDown: (row: number) => boolean): void {
    for (const { row, before, step } of steps) {
      const { state } = step
      if (this.#suppressed.size > 0 && isInTrouble(statusOf(before)) && !isInTrouble(statusOf(state)))
        this.#mayBeFree = true
      if (!isReported(row)) continue
      if (state.episode?.withheld === 'ancestor_in_trouble') this.#suppressed.add(row)
      else if (this.#suppressed.size > 0) this.#suppressed.delete(row)
      const maintenanceEnded = before.maintenance !== null && state.maintenance === null
      const snoozeEnded = before.snooze !== null && state.snooze === null
      if ((maintenanceEnded || snoozeEnded) && state.episode !== null && isDown(row)) this.#owing.add(row)
    }
  }

  /** Calls back with each job that owes a failure now, and why it is down. */
  pay(
    facts: HealthFacts,
    isDown: (row: number) => boolean,
    fail: (row: number, reason: string) => void,
  ): void {
    if (this.#mayBeFree) this.#askSuppressed(facts, isDown)
    for (const row of this.#owing) {
      const { episode } = facts.healthOf(row)
      if (episode !== null) fail(row, episode.lastFailure?.failure ?? still)
    }
    this.#owing.clear()
  }

  /** The monitor is not watched now. */
  unwatch(row: number): void {
    this.#owing.delete(row)
  }

  forget(row: number): void {
    this.#owing.delete(row)
    this.#suppressed.delete(row)
  }

  #askSuppressed(facts: HealthFacts, isDown: (row: number) => boolean): void {
    this.#mayBeFree = false
    for (const row of this.#suppressed) {
      const firstFailureAt = facts.healthOf(row).episode?.firstFailureAt ?? facts.now()
      // Health itself waits for a parent that was not checked yet.
      if (isDown(row) && facts.ancestorsOf(row, firstFailureAt).kind !== 'in-trouble') this.#owing.add(row)
    }
  }
}
