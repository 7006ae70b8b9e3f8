// deciding/health-table.ts: applies what checks said to the fleet. A plain success on a quiet monitor touches
// columns only; everything else becomes an input of the pure state machine, and its answer is kept here. Quiet
// monitors have no object at all: their health is made from columns when something happens to them.

import {
  outcomeStatuses,
  type ResultBatch,
  type ResultNote,
  verdictLocal,
  verdictLoopback,
  verdictStatusMask,
} from '../checking/probe/probe-protocol.ts'
import type { ServiceTime } from '../engine/service-time.ts'
import { statusNumber } from '../fleet/columns.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { OwnFaultDetector } from '../self-watch/own-fault.ts'
import type { DependencyGraph } from './dependency-graph.ts'
import { type Health, type Instant, newHealth } from './health/health.ts'
import type { HealthRules } from './health/health-rules.ts'
import type {
  ConfigurationChangedInput,
  HealthContext,
  HealthInput,
  OfferedIds,
  ResultInput,
} from './health/input.ts'
import { movedHealth } from './health/move.ts'
import { isQuiet, quietHealth } from './health/quiet.ts'
import { consecutiveFailures, statusOf } from './health/status.ts'
import type { Step } from './health/step.ts'
import { transition } from './health/transition.ts'
import type { MonitorRules } from './monitor-rules.ts'

const successVerdict = 0

/** What is known of a monitor beyond its columns; only monitors that have any of it are here. */
export interface MonitorWords {
  readonly lastError: string | null
  readonly certificateExpiresAt: number | null
}

/** A step of a monitor, with what has to be stored of its new state: null when its columns say it all. */
export interface DecidedStep {
  readonly row: number
  readonly before: Health
  readonly step: Step
  readonly kept: Health | null
  readonly rules: HealthRules
  readonly now: Instant
}

export interface HealthKeeperOptions {
  readonly fleet: Fleet
  readonly time: ServiceTime
  readonly rules: MonitorRules
  readonly dependencies: DependencyGraph
  readonly ownFault: OwnFaultDetector
  readonly ids: () => string
  /** Everything but what happens to monitors that are quiet before and after. */
  readonly decided: (step: DecidedStep) => void
}

export class HealthKeeper {
  readonly #options: HealthKeeperOptions
  /** Of every monitor that is not quiet, and of quiet ones in maintenance. */
  readonly #states = new Map<number, Health>()
  readonly #words = new Map<number, MonitorWords>()

  constructor(options: HealthKeeperOptions) {
    this.#options = options
  }

  wordsOf(row: number): MonitorWords | null {
    return this.#words.get(row) ?? null
  }

  healthOf(row: number): Health {
    return this.#healthOf(row, this.#options.fleet.columns.checkRevision[row]!)
  }

  isInMaintenance(row: number): boolean {
    return (this.#states.get(row)?.maintenance ?? null) !== null
  }

  /** How many monitors are quiet because of each ancestor. */
  suppressedBy(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { episode } of this.#states.values()) {
      const ancestor = episode?.suppressedBy ?? null
      if (ancestor !== null) counts.set(ancestor, (counts.get(ancestor) ?? 0) + 1)
    }
    return counts
  }

  rowsInMaintenance(): number[] {
    return [...this.#states].flatMap(([row, { maintenance }]) => (maintenance === null ? [] : [row]))
  }

  /**
   * Applies a batch. `ended` hears of every entry, since each of them freed a worker; but results of a monitor that
   * was replaced or removed, or of a check that changed since, say nothing.
   */
  applyBatch(batch: ResultBatch, ended: (row: number, position: number, excused: boolean) => void): void {
    const { fleet, time } = this.#options
    const { columns } = fleet
    this.#countForOwnFault(batch)
    const now = time.now()
    let nextNote = 0
    for (let position = 0; position < batch.rows.length; position++) {
      const row = batch.rows[position]!
      let note: ResultNote | null = null
      if (nextNote < batch.notes.length && batch.notes[nextNote]!.position === position)
        note = batch.notes[nextNote++]!
      const current = batch.generations[position] === columns.generation[row]
      if (!current || !fleet.has(row)) {
        ended(row, position, false)
        continue
      }
      const plain =
        (batch.verdicts[position]! & verdictStatusMask) === successVerdict && columns.quiet[row] === 1
      if (plain && (note === null || note.warning === null)) {
        if (note !== null) this.#noteWords(row, note, false)
        columns.lastCheck[row] = now
        columns.lastSuccess[row] = now
        columns.latencyMs[row] = batch.latencyMs[position]!
        columns.unsaved[row] = 1
        fleet.countSample(row, true)
        ended(row, position, false)
      } else ended(row, position, this.#applyResult(batch, position, note, now))
    }
  }

  /** Feeds the state machine with something other than a result or a changed configuration. */
  apply(row: number, input: Exclude<HealthInput, ResultInput | ConfigurationChangedInput>): void {
    this.#step(row, this.healthOf(row), input, this.#options.time.now())
  }

  /** The configuration says whether the monitor is checked. */
  follow(row: number, enabled: boolean): void {
    const isEnabled = this.healthOf(row).lifecycle === 'enabled'
    if (enabled !== isEnabled) this.apply(row, { kind: enabled ? 'enabled' : 'disabled' })
  }

  beginMaintenance(row: number): void {
    this.apply(row, { kind: 'maintenance-began', context: this.contextOf(row) })
  }

  /** The fleet holds the new configuration already, and with it the new revision of a check that changed. */
  configurationChanged(row: number, changed: { check: boolean; recovery: boolean }): void {
    const checkRevision = this.#options.fleet.columns.checkRevision[row]!
    // A quiet monitor has no other health than its columns, which have gone on without it.
    const health = this.#healthOf(row, changed.check ? checkRevision - 1 : checkRevision)
    const input = { kind: 'configuration-changed', checkRevision, recoveryChanged: changed.recovery } as const
    this.#step(row, health, input, this.#options.time.now())
  }

  /**
   * The state that another run stored, or null for a monitor that was quiet then. Numbers of that run mean nothing in
   * this one: its generation and check revision become those of the columns, or of the check before a changed one.
   */
  restore(row: number, stored: Health | null, checkChanged: boolean): void {
    const { columns } = this.#options.fleet
    const generation = columns.generation[row]!
    const checkRevision = columns.checkRevision[row]! - (checkChanged ? 1 : 0)
    this.#keep(
      row,
      stored === null
        ? quietHealth(generation, checkRevision, null)
        : { ...stored, generation, checkRevision },
    )
  }

  /** The clock was set: every instant moves with it. `moved` hears of each state that is another now. */
  move(stepMs: number, moved: (row: number, state: Health) => void): void {
    const { fleet } = this.#options
    for (const [row, before] of this.#states) {
      if (before.episode === null && before.intervention === null && before.warning === null) continue
      const state = movedHealth(before, stepMs)
      this.#states.set(row, state)
      fleet.setOpenedAt(row, state.episode?.incident?.openedAt ?? 0)
      moved(row, state)
    }
  }

  /** The row's monitor is gone, or another one takes its place. */
  forget(row: number): void {
    this.#states.delete(row)
    this.#words.delete(row)
  }

  /** What the state machine may not look up itself. */
  contextOf(row: number): HealthContext {
    const now = this.#options.time.now()
    return this.#contextFor(row, now, now)
  }

  #healthOf(row: number, checkRevision: number): Health {
    const known = this.#states.get(row)
    const { quiet, generation } = this.#options.fleet.columns
    // The fast path goes on without the object that a quiet monitor in maintenance has.
    if (quiet[row]) return quietHealth(generation[row]! - 1, checkRevision, known?.maintenance ?? null)
    return known ?? newHealth(checkRevision)
  }

  #applyResult(batch: ResultBatch, position: number, note: ResultNote | null, now: Instant): boolean {
    const { fleet, time, ownFault } = this.#options
    const { columns } = fleet
    const row = batch.rows[position]!
    const verdict = batch.verdicts[position]!
    const status = outcomeStatuses[verdict & verdictStatusMask]!
    const startedAt = time.at(batch.startedMs[position]!)
    const finishedAt = time.at(batch.finishedMs[position]!)
    const scope = verdict & verdictLoopback ? 'loopback' : 'remote'
    const excused =
      (verdict & verdictLocal) !== 0 &&
      status !== 'no_data' &&
      ownFault.excuses({ scope, startedAt, finishedAt }, now)
    const saysSomething = status !== 'no_data' && !excused
    columns.lastCheck[row] = now
    columns.unsaved[row] = 1
    if (saysSomething) {
      columns.latencyMs[row] = batch.latencyMs[position]!
      fleet.countSample(row, status === 'success')
      if (status === 'success') columns.lastSuccess[row] = now
    }
    if (note !== null || this.#words.has(row)) this.#noteWords(row, note, status !== 'success')
    this.#step(
      row,
      this.healthOf(row),
      {
        kind: 'result',
        status,
        ownFault: excused,
        warning: note?.warning ?? null,
        generation: batch.generations[position]!,
        checkRevision: columns.checkRevision[row]!,
        startedAt,
        finishedAt,
        context: this.#contextFor(row, finishedAt, now),
      },
      now,
    )
    return excused
  }

  #contextFor(row: number, failedAt: Instant, now: Instant): HealthContext {
    const firstFailureAt = this.#states.get(row)?.episode?.firstFailureAt ?? failedAt
    return {
      ancestors: this.#options.dependencies.ancestorsOf(row, firstFailureAt, now),
      ids: this.#offerIds(),
    }
  }

  #offerIds(): OfferedIds {
    const { ids } = this.#options
    return { episode: ids(), incident: ids(), intervention: ids() }
  }

  #step(row: number, before: Health, input: HealthInput, now: Instant): void {
    const rules = this.#options.rules.of(row)
    const step = transition(before, input, rules, now)
    if (step.state === before) return
    const wasKept = this.#states.has(row)
    const kept = this.#keep(row, step.state)
    // A monitor that was quiet, or never checked, and is quiet now: its columns say it all.
    if (wasKept || kept !== null || step.effects.length > 0)
      this.#options.decided({ row, before, step, kept, rules, now })
  }

  #keep(row: number, state: Health): Health | null {
    const { fleet } = this.#options
    const { columns } = fleet
    const quiet = isQuiet(state)
    const kept = quiet && state.maintenance === null ? null : state
    if (kept === null) this.#states.delete(row)
    else this.#states.set(row, kept)
    columns.quiet[row] = quiet ? 1 : 0
    columns.consecutiveFailures[row] = Math.min(65_535, consecutiveFailures(state))
    fleet.setOpenedAt(row, state.episode?.incident?.openedAt ?? 0)
    fleet.setStatus(row, statusNumber[statusOf(state)])
    return kept
  }

  #noteWords(row: number, note: ResultNote | null, failed: boolean): void {
    const before = this.#words.get(row)
    const lastError = failed ? (note?.reason ?? null) : (before?.lastError ?? null)
    const certificateExpiresAt = note?.certificateExpiresAt ?? before?.certificateExpiresAt ?? null
    if (
      before === undefined ||
      before.lastError !== lastError ||
      before.certificateExpiresAt !== certificateExpiresAt
    ) {
      this.#words.set(row, { lastError, certificateExpiresAt })
    }
  }

  /** A whole batch is counted before any of it is judged, or its first results would be judged alone. */
  #countForOwnFault(batch: ResultBatch): void {
    const { ownFault, time } = this.#options
    const now = time.now()
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
