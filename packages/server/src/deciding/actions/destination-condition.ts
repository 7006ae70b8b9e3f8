// deciding/actions/destination-condition.ts: the condition of a destination, derived from its answers.
//
//   ok ──▶ limited   it asked for a wait: nothing starts before that has passed
//   ok ──▶ ailing    it did not accept three in a row: one delivery at a time probes it, after 16 s doubling to
//                    5 minutes, or after the wait that it asks for; the first accepted one makes it ok
//   any ─▶ dead      it answered that it is gone: only a changed configuration ends that
//
// A lost answer is not a rejection and does not lengthen the wait: the delivery itself has waited long
// enough. A destination is also shown as ailing if its last delivery was lost for good, because there may
// never be enough further deliveries to make three in a row.
import type { Instant } from '../health/health.ts'
import type { Ailing, DestinationView, Trouble } from './destination.ts'

const ailingFrom = 3
const firstProbeMs = 16_000
const longestProbeMs = 300_000

const never = Number.NEGATIVE_INFINITY

/** waits: an ailing destination will be tried later than its stored record says. */
export type ConditionChange = 'ailing' | 'recovered' | 'waits' | null

export class DestinationCondition {
  #dead: Trouble | null = null
  #ailing: Trouble | null = null
  #limit: Trouble | null = null
  /** Set when the last delivery was not accepted and will not be retried. */
  #lost: Trouble | null = null
  #failuresInARow = 0
  #probeWaitMs = 0
  #notBefore: Instant = never

  get dead(): Trouble | null {
    return this.#dead
  }

  get isAiling(): boolean {
    return this.#ailing !== null
  }

  /** Deliveries that were not accepted since the last accepted one. */
  get failuresInARow(): number {
    return this.#failuresInARow
  }

  /** To be stored for the next process. */
  get ailing(): Ailing | null {
    if (this.#ailing === null) return null
    const until = Math.max(this.#ailing.since, this.#notBefore)
    return { ...this.#ailing, waitMs: this.#probeWaitMs, until }
  }

  /** Nothing starts before this instant. */
  get notBefore(): Instant {
    return this.#notBefore
  }

  /** Restores what the previous process left. Its clock may have been ahead. */
  restore(dead: Trouble | null, ailing: Ailing | null, now: Instant): void {
    this.#dead = dead === null ? null : { ...dead, since: Math.min(dead.since, now) }
    if (ailing === null) return
    const { since, reason, waitMs, until } = ailing
    this.#ailing = { since: Math.min(since, now), reason }
    this.#probeWaitMs = waitMs
    this.#notBefore = since > now ? now + waitMs : until
  }

  /** Replays an answer that the previous process got. lost: why the delivery was lost for good, if it was. */
  recall(wasTaken: boolean, lost: Trouble | null): void {
    this.#failuresInARow = wasTaken ? 0 : this.#failuresInARow + 1
    this.#lost = wasTaken ? null : (lost ?? this.#lost)
  }

  /** A delivery that was rejected or not answered will not be retried. */
  gaveUp(reason: string, now: Instant): void {
    this.#lost = { since: this.#lost?.since ?? now, reason }
  }

  died(reason: string, now: Instant): void {
    this.#dead = { since: now, reason }
    this.#ailing = null
    this.#limit = null
  }

  succeeded(): ConditionChange {
    const change = this.#ailing === null ? null : 'recovered'
    this.#failuresInARow = 0
    this.#ailing = null
    this.#lost = null
    this.#probeWaitMs = 0
    return change
  }

  /** askedMs: the wait that the provider asked for. isProbe: the delivery was sent to try an ailing destination. */
  rejected(reason: string, askedMs: number | null, isProbe: boolean, now: Instant): ConditionChange {
    if (askedMs !== null) this.#wait(askedMs, reason, now)
    const change = this.#failed(reason, now)
    // A delivery that was already in flight when the destination became ailing says nothing new.
    if (this.#ailing === null || (change === null && !isProbe)) return change
    this.#probeWaitMs = Math.min(longestProbeMs, Math.max(firstProbeMs, this.#probeWaitMs * 2))
    if (askedMs === null) this.#notBefore = Math.max(this.#notBefore, now + this.#probeWaitMs)
    return change ?? 'waits'
  }

  unanswered(reason: string, now: Instant): ConditionChange {
    return this.#failed(reason, now)
  }

  view(now: Instant): Pick<DestinationView, 'state' | 'since' | 'reason' | 'until'> {
    if (this.#dead !== null) return { state: 'dead', ...this.#dead, until: null }
    const until = this.#notBefore > now ? this.#notBefore : null
    if (this.#ailing !== null) return { state: 'ailing', ...this.#ailing, until }
    if (until !== null && this.#limit !== null) return { state: 'limited', ...this.#limit, until }
    if (this.#lost !== null) return { state: 'ailing', ...this.#lost, until: null }
    return { state: 'ok', since: null, reason: null, until: null }
  }

  move(stepMs: number): void {
    this.#notBefore += stepMs
    this.#dead = moved(this.#dead, stepMs)
    this.#ailing = moved(this.#ailing, stepMs)
    this.#limit = moved(this.#limit, stepMs)
    this.#lost = moved(this.#lost, stepMs)
  }

  #failed(reason: string, now: Instant): ConditionChange {
    this.#failuresInARow++
    if (this.#ailing !== null) {
      this.#ailing = { ...this.#ailing, reason }
      return null
    }
    if (this.#failuresInARow < ailingFrom || this.#dead !== null) return null
    this.#ailing = { since: now, reason }
    return 'ailing'
  }

  #wait(askedMs: number, reason: string, now: Instant): void {
    if (this.#limit === null || this.#notBefore <= now) this.#limit = { since: now, reason }
    this.#notBefore = Math.max(this.#notBefore, now + askedMs)
  }
}

function moved(trouble: Trouble | null, stepMs: number): Trouble | null {
  return trouble === null ? null : { ...trouble, since: trouble.since + stepMs }
}
