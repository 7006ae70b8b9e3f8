// controller/health-keeper.ts: applies what checks said to the fleet. A plain success on a quiet monitor touches
// columns only; everything else becomes an input of the pure state machine, and its answer is kept here. Quiet
// monitors have no object at all: their health is made from columns when something happens to them.

import { statusNumber } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type Health, type Instant, newHealth } from '../health/health.ts'
import type { HealthRules } from '../health/health-rules.ts'
import type { ConfigurationChangedInput, HealthInput, OfferedIds, ResultInput } from '../health/input.ts'
import type { OwnFaultDetector } from '../health/own-fault.ts'
import { isQuiet, quietHealth } from '../health/quiet.ts'
import { consecutiveFailures, statusOf } from '../health/status.ts'
import type { Step } from '../health/step.ts'
import { transition } from '../health/transition.ts'
import type { Clock } from '../platform/clock.ts'
import {
  outcomeStatuses,
  type ResultBatch,
  type ResultNote,
  verdictLocal,
  verdictLoopback,
  verdictStatusMask,
} from '../pool/probe-protocol.ts'
import type { DependencyGraph } from './dependency-graph.ts'
import type { ServiceTime } from './service-time.ts'

const successVerdict = 0

/** What is known of a monitor beyond its columns; only monitors that have any of it are here. */
export interface MonitorWords {
  readonly lastError: string | null
  readonly certificateExpiresAt: number | null
}

export interface HealthKeeperOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly time: ServiceTime
  readonly dependencies: DependencyGraph
  readonly ownFault: OwnFaultDetector
  readonly ids: () => string
  /** What a transition decided, for whoever carries it out. */
  readonly decided: (slot: number, step: Step) => void
}

export class HealthKeeper {
  readonly #options: HealthKeeperOptions
  readonly #states = new Map<number, Health>()
  readonly #words = new Map<number, MonitorWords>()
  readonly #rules = new Map<object, HealthRules>()

  constructor(options: HealthKeeperOptions) {
    this.#options = options
  }

  /** Monitors that something is the matter with. */
  get attended(): number {
    return this.#states.size
  }

  wordsOf(slot: number): MonitorWords | null {
    return this.#words.get(slot) ?? null
  }

  healthOf(slot: number): Health {
    return this.#healthOf(slot, this.#options.fleet.columns.checkRevision[slot]!)
  }

  /**
   * Applies a batch. `ended` hears of every entry, since each of them freed a worker; but results of a monitor that
   * was replaced or removed, or of a check that changed since, say nothing.
   */
  applyBatch(batch: ResultBatch, ended: (slot: number, position: number, excused: boolean) => void): void {
    const { fleet, clock } = this.#options
    const { columns } = fleet
    this.#countForOwnFault(batch)
    const wallMs = clock.wallMs()
    let nextNote = 0
    for (let position = 0; position < batch.slots.length; position++) {
      const slot = batch.slots[position]!
      let note: ResultNote | null = null
      if (nextNote < batch.notes.length && batch.notes[nextNote]!.position === position)
        note = batch.notes[nextNote++]!
      const current = batch.generations[position] === columns.generation[slot]
      if (!current || !fleet.has(slot)) {
        ended(slot, position, false)
        continue
      }
      const plain =
        (batch.verdicts[position]! & verdictStatusMask) === successVerdict && columns.quiet[slot] === 1
      if (plain && (note === null || note.warning === null)) {
        if (note !== null) this.#noteWords(slot, note, false)
        columns.lastCheck[slot] = wallMs
        columns.lastSuccess[slot] = wallMs
        columns.latencyMs[slot] = batch.latencyMs[position]!
        fleet.countSample(slot, true)
        ended(slot, position, false)
      } else ended(slot, position, this.#applyResult(batch, position, note, wallMs))
    }
  }

  /** Feeds the state machine with something other than a result or a changed configuration. */
  apply(slot: number, input: Exclude<HealthInput, ResultInput | ConfigurationChangedInput>): Step {
    return this.#step(slot, this.healthOf(slot), input, this.#now())
  }

  /** The fleet holds the new configuration already, and with it the new revision of a check that changed. */
  configurationChanged(slot: number, changed: { check: boolean; recovery: boolean }): Step {
    const checkRevision = this.#options.fleet.columns.checkRevision[slot]!
    // A quiet monitor has no other health than its columns, which have gone on without it.
    const health = this.#healthOf(slot, changed.check ? checkRevision - 1 : checkRevision)
    const input = { kind: 'configuration-changed', checkRevision, recoveryChanged: changed.recovery } as const
    return this.#step(slot, health, input, this.#now())
  }

  /** The slot's monitor is gone, or another one takes its place. */
  forget(slot: number): void {
    this.#states.delete(slot)
    this.#words.delete(slot)
  }

  /** Policies are new objects after every load; rules made from the old ones are not needed any more. */
  forgetRules(): void {
    this.#rules.clear()
  }

  #now(): Instant {
    return this.#options.time.at(this.#options.clock.monotonicMs())
  }

  #healthOf(slot: number, checkRevision: number): Health {
    const known = this.#states.get(slot)
    if (known !== undefined) return known
    const { quiet, generation } = this.#options.fleet.columns
    return quiet[slot] ? quietHealth(generation[slot]! - 1, checkRevision, null) : newHealth(checkRevision)
  }

  #applyResult(batch: ResultBatch, position: number, note: ResultNote | null, wallMs: number): boolean {
    const { fleet, time, ownFault } = this.#options
    const { columns } = fleet
    const slot = batch.slots[position]!
    const verdict = batch.verdicts[position]!
    const status = outcomeStatuses[verdict & verdictStatusMask]!
    const now = this.#now()
    const startedAt = time.at(batch.startedMs[position]!)
    const finishedAt = time.at(batch.finishedMs[position]!)
    const scope = verdict & verdictLoopback ? 'loopback' : 'remote'
    const excused =
      (verdict & verdictLocal) !== 0 &&
      status !== 'no_data' &&
      ownFault.excuses({ scope, startedAt, finishedAt }, now)
    const saysSomething = status !== 'no_data' && !excused
    columns.lastCheck[slot] = wallMs
    if (saysSomething) {
      columns.latencyMs[slot] = batch.latencyMs[position]!
      fleet.countSample(slot, status === 'success')
      if (status === 'success') columns.lastSuccess[slot] = wallMs
    }
    if (note !== null || this.#words.has(slot)) this.#noteWords(slot, note, status !== 'success')
    this.#step(
      slot,
      this.healthOf(slot),
      {
        kind: 'result',
        status,
        ownFault: excused,
        warning: note?.warning ?? null,
        generation: batch.generations[position]!,
        checkRevision: columns.checkRevision[slot]!,
        startedAt,
        finishedAt,
        context: this.#contextFor(slot, finishedAt, now),
      },
      now,
    )
    return excused
  }

  #contextFor(slot: number, finishedAt: Instant, now: Instant) {
    const firstFailureAt = this.#states.get(slot)?.episode?.firstFailureAt ?? finishedAt
    return {
      ancestors: this.#options.dependencies.ancestorsOf(slot, firstFailureAt, now),
      ids: this.#offerIds(),
    }
  }

  #offerIds(): OfferedIds {
    const { ids } = this.#options
    return { episode: ids(), incident: ids(), intervention: ids() }
  }

  #step(slot: number, health: Health, input: HealthInput, now: Instant): Step {
    const { fleet, decided } = this.#options
    const step = transition(health, input, this.#rulesOf(slot), now)
    const quiet = isQuiet(step.state)
    if (quiet) this.#states.delete(slot)
    else this.#states.set(slot, step.state)
    fleet.columns.quiet[slot] = quiet ? 1 : 0
    fleet.columns.consecutiveFailures[slot] = Math.min(65_535, consecutiveFailures(step.state))
    fleet.setStatus(slot, statusNumber[statusOf(step.state)])
    if (step.events.length > 0 || step.effects.length > 0) decided(slot, step)
    return step
  }

  #rulesOf(slot: number): HealthRules {
    const policy = this.#options.fleet.policyOf(slot)
    let rules = this.#rules.get(policy)
    if (rules === undefined) {
      rules = {
        unhealthyThreshold: policy.unhealthyThreshold,
        healthyThreshold: policy.healthyThreshold,
        // Nothing carries out recoveries in this version; an intervention that nobody starts would hold back incidents.
        recoveryConfigured: false,
        settleMs: policy.intervalMs,
        repeatMs: null,
      }
      this.#rules.set(policy, rules)
    }
    return rules
  }

  #noteWords(slot: number, note: ResultNote | null, failed: boolean): void {
    const before = this.#words.get(slot)
    const lastError = failed ? (note?.reason ?? null) : (before?.lastError ?? null)
    const certificateExpiresAt = note?.certificateExpiresAt ?? before?.certificateExpiresAt ?? null
    if (
      before === undefined ||
      before.lastError !== lastError ||
      before.certificateExpiresAt !== certificateExpiresAt
    ) {
      this.#words.set(slot, { lastError, certificateExpiresAt })
    }
  }

  /** A whole batch is counted before any of it is judged, or its first results would be judged alone. */
  #countForOwnFault(batch: ResultBatch): void {
    const { ownFault } = this.#options
    const now = this.#now()
    const total = { loopback: 0, remote: 0 }
    const suspicious = { loopback: 0, remote: 0 }
    for (const verdict of batch.verdicts) {
      const scope = verdict & verdictLoopback ? 'loopback' : 'remote'
      total[scope]++
      if (verdict & verdictLocal) suspicious[scope]++
    }
    if (total.loopback > 0) ownFault.count('loopback', total.loopback, suspicious.loopback, now)
    if (total.remote > 0) ownFault.count('remote', total.remote, suspicious.remote, now)
  }
}
