// pushing/push-monitors.ts: jobs that report by themselves, as a source of results. Signals come from outside and
// deadlines from the wheel; both enter the pure rules (deciding/push), and what these say goes to the monitor's
// health, to the history and to the store in the same turn. A monitor costs nothing between its signals.
import type { CheckSource, SourceDeadlines, WatchedBecause } from '../checking/check-source.ts'
import { pushType } from '../config/push-check.ts'
import type { Decision } from '../deciding/decision.ts'
import type { Instant } from '../deciding/health/health.ts'
import { isAhead, neverSeen } from '../deciding/push/push-state.ts'
import { type PushInput, pushTransition, pushWakeAt, type Signal } from '../deciding/push/push-transition.ts'
import { movedBy, type Unreachable, withUnreachable } from '../deciding/push/unreachable.ts'
import type { KeptSignal, ReportView, Source, SourceTurn } from '../engine/source.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import type { KeyDigest, KeyOwner } from '../platform/key-table.ts'
import type { PushRecord } from '../store/push.ts'
import type { Recovered } from '../store/store.ts'
import { EarlySignals } from './early-signals.ts'
import { type HealthFacts, OwedFailures } from './owed-failures.ts'
import { PendingResults } from './pending-results.ts'
import { PushColumns } from './push-columns.ts'
import { PushFleet } from './push-fleet.ts'
import { SignalLog } from './signal-log.ts'
import { SignalRate } from './signal-rate.ts'

export interface PushMonitorsOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  /** How many bytes the last signals of all monitors may take. */
  readonly signalBytes: number
}

/** A signal, as it arrived. */
export interface ArrivedSignal extends Signal {
  readonly exitCode: number | null
  readonly output: string
}

/** `disabled`, `snoozed`: recorded, without a result. `gone`: the monitor has left. */
export type Taken = 'taken' | 'disabled' | 'snoozed' | 'gone'

/** Queued inputs that one turn handles: after the start of a large fleet there may be one for each monitor. */
const inputsAtOnce = 4_096
/** While nothing can be stored, nothing is judged. */
const askAgainMs = 1_000

/** What is the same for all rows is one object: there may be a million. */
const timePassed = 'time passed'
const restarted = 'restarted'
/** Nothing happened to it, but what is stored about it is not what holds. */
const notStored = 'not stored'
type QueuedInput = typeof timePassed | typeof restarted | typeof notStored | PushInput

export class PushMonitors implements Source, CheckSource, SourceDeadlines {
  readonly types = [pushType]
  readonly runsHere = false
  readonly startsAtOnce = false
  readonly checks = this
  readonly deadlines = this
  readonly rate = new SignalRate()
  readonly #options: PushMonitorsOptions
  readonly #fleet: PushFleet
  readonly #columns = new PushColumns()
  readonly #signals: SignalLog
  readonly #early = new EarlySignals()
  #arm: (row: number, dueMs: number | null) => void = () => {}
  #facts: HealthFacts | null = null
  #recovered = new Map<number, PushRecord>()
  /** The last commit of the previous process. */
  #seenAt: Instant | null = null
  /** Since when the service was down before this process. */
  #downSince: Instant = 0
  #unreachable: readonly Unreachable[] = []
  #isReachable = true
  /** Inputs that wait for the next turn, by row; a row has at most one. */
  readonly #inputs = new Map<number, QueuedInput>()
  readonly #owed = new OwedFailures()
  readonly #results: PendingResults

  constructor(options: PushMonitorsOptions) {
    this.#options = options
    this.#fleet = new PushFleet(options.fleet)
    this.#signals = new SignalLog(options.signalBytes)
    this.#results = new PendingResults(this, options.clock)
  }

  /** Called before the engine starts, with what the previous process left; null if nothing is kept. */
  tell(facts: HealthFacts, recovered: Pick<Recovered, 'pushes' | 'retention'> | null): void {
    this.#facts = facts
    if (recovered === null) return
    this.#recovered = new Map(recovered.pushes.map(({ numericId, push }) => [numericId, push]))
    this.#seenAt = recovered.retention.seenAt
  }

  connect(arm: (row: number, dueMs: number | null) => void): void {
    this.#arm = arm
  }

  setFleet(...[fleet, credentials, rows]: Parameters<CheckSource['setFleet']>): void {
    this.#growFor(rows)
    this.#fleet.set(fleet, credentials, rows)
    for (let row = 0; row < rows; row++)
      if (this.#columns.has(row) && !this.#fleet.has(row)) this.#forget(row)
    this.#owed.fleetChanged()
  }

  amendFleet(...[fleet, amendment]: Parameters<CheckSource['amendFleet']>): void {
    this.#growFor(amendment.capacity)
    this.#fleet.amend(fleet, amendment)
    for (const row of amendment.rows) if (!this.#fleet.has(row)) this.#forget(row)
    this.#owed.fleetChanged()
  }

  /** Nothing is offered to it: its monitors have deadlines, not time slots. */
  offer(): void {}

  flush(): void {}

  cancel(): boolean {
    return true
  }

  watch(row: number, because: WatchedBecause): void {
    const isKnown = this.#columns.has(row) && because !== 'added'
    if (!isKnown) this.#begin(row)
    else if (because === 'check-changed') this.#inputs.set(row, { kind: 'rules-changed' })
    // A restart gives it the whole time again, and says what it missed.
    else if (this.#inputs.get(row) !== restarted) this.#inputs.set(row, { kind: 'watched-again' })
  }

  unwatch(row: number): void {
    if (!this.#columns.has(row)) return
    this.#inputs.delete(row)
    this.#owed.unwatch(row)
    if (this.#options.fleet.has(row)) return
    this.#fleet.forget(row)
    this.#forget(row)
  }

  passed(row: number): void {
    this.#inputs.set(row, timePassed)
  }

  /** The schedule is armed: what is not watched now was never restored. */
  resume({ now }: SourceTurn): void {
    // Also for jobs that are not watched now, or not known yet: their windows may reach back into that time.
    this.#downSince = Math.min(this.#seenAt ?? now, now)
    if (this.#downSince < now) this.#unreachable = [{ kind: 'down', from: this.#downSince, until: now }]
    for (const row of this.#options.fleet.rowsInUse())
      if (this.#fleet.has(row) && !this.#columns.has(row)) this.#restore(row)
    this.#recovered = new Map()
  }

  get nextDueMs(): number | null {
    const isIdle = this.#inputs.size === 0 && !this.#owed.isDue
    return isIdle ? null : this.#options.clock.monotonicMs()
  }

  advance(turn: SourceTurn): void {
    if (this.#inputs.size > 0) this.#takeInputs(turn)
    if (this.#owed.isDue) this.#payFailures(turn)
    this.#results.report(turn)
  }

  /** Whose key has this digest; null for an unknown one. */
  find(digest: KeyDigest): KeyOwner | null {
    return this.#fleet.find(digest)
  }

  secretsOf(row: number): readonly string[] {
    return this.#fleet.secretsOf(row)
  }

  /** Takes signals in the order in which they arrived, in the caller's turn. */
  take(turn: SourceTurn, { row, isPrevious }: KeyOwner, signal: ArrivedSignal): Taken {
    const { fleet } = this.#options
    if (!fleet.has(row) || !this.#fleet.has(row)) return 'gone'
    if (!this.#columns.has(row)) this.#restore(row)
    // What was due before the signal came is judged before it.
    const before = this.#inputs.get(row)
    this.#inputs.delete(row)
    if (before !== undefined) this.#applyQueued(turn, row, before)
    const { dueAt, runs } = this.#columns.read(row)
    if (signal.kind === 'success') this.#early.note(row, this.#isCron(row) ? dueAt : null, turn.now)
    if (isPrevious) this.#columns.previousKeyUsedAt.set(row, turn.now)
    this.#keep(row, signal, runs.get(signal.rid), turn.now)
    this.#apply(turn, row, { kind: 'signal', signal })
    if (signal.kind === 'log')
      turn.tell(row, {
        type: 'push_log',
        detail: { words: signal.words, output: signal.output },
        because: null,
      })
    if (!fleet.policyOf(row).enabled) return 'disabled'
    return fleet.columns.snoozed[row] === 1 ? 'snoozed' : 'taken'
  }

  /** Passes on the results of the signals of this turn. */
  report(turn: SourceTurn): void {
    this.#results.report(turn)
  }

  follow(decision: Decision): void {
    this.#owed.follow(decision, (row) => this.#columns.has(row), this.#isDown)
  }

  unreachable(fromMs: number, untilMs: number | null): void {
    this.#isReachable = untilMs !== null
    if (untilMs === null) return
    const at = this.#instantOf(fromMs)
    this.#unreachable = withUnreachable(this.#unreachable, {
      kind: 'stalled',
      from: at,
      until: this.#instantOf(untilMs),
    })
  }

  clockMoved(turn: SourceTurn, stepMs: number): void {
    this.#unreachable = movedBy(this.#unreachable, stepMs)
    if (stepMs > 0)
      this.#unreachable = withUnreachable(this.#unreachable, {
        kind: 'skipped',
        from: turn.now - stepMs,
        until: turn.now,
      })
    for (const row of this.#options.fleet.rowsInUse()) {
      if (!this.#columns.has(row)) continue
      const { state } = pushTransition(
        this.#columns.read(row),
        { kind: 'clock-moved', stepMs },
        this.#fleet.rulesOf(row),
        turn.now,
      )
      this.#columns.write(row, state)
      this.#armFor(row, turn.now)
      // The next process would take the old times for those of the clock as it is set now.
      const hasTimes = state.lastSignalAt !== null || state.dueAt !== null
      if (hasTimes && !this.#inputs.has(row)) this.#inputs.set(row, notStored)
    }
  }

  reportOf(row: number): ReportView | null {
    if (!this.#fleet.has(row)) return null
    if (!this.#columns.has(row)) this.#restore(row)
    return {
      state: this.#columns.read(row),
      previousKeyUsedAt: this.#columns.previousKeyUsedAt.get(row) ?? null,
      signals: this.#signals.of(row),
      hint: this.#sharedKeyHint(row) ?? this.#early.hintFor(row),
    }
  }

  #sharedKeyHint(row: number): string | null {
    const other = this.#fleet.sharesKeyWith(row)
    if (other === null) return null
    return `Its key is also a key of the monitor ${this.#options.fleet.idOf(other)}, which gets its signals; give each its own.`
  }

  /** Restores what the previous process left of a new row, or begins. */
  #begin(row: number): void {
    this.#forget(row)
    if (this.#restore(row)) this.#inputs.set(row, restarted)
    else if (this.#fleet.rulesOf(row).firstWithinMs !== null) this.#inputs.set(row, { kind: 'loaded' })
  }

  /** False if the previous process left nothing about it. */
  #restore(row: number): boolean {
    const record = this.#recovered.get(this.#options.fleet.columns.numericId[row]!)
    if (record === undefined) this.#columns.write(row, neverSeen)
    else this.#columns.restore(row, record)
    return record !== undefined
  }

  #takeInputs(turn: SourceTurn): void {
    let taken = 0
    for (const [row, input] of this.#inputs) {
      if (++taken > inputsAtOnce) return
      this.#inputs.delete(row)
      if (input === timePassed && !this.#isReachable)
        this.#arm(row, this.#options.clock.monotonicMs() + askAgainMs)
      else this.#applyQueued(turn, row, input)
    }
  }

  #applyQueued(turn: SourceTurn, row: number, input: QueuedInput): void {
    if (input === notStored) turn.keepPush(row, this.#columns.record(row))
    else if (input === timePassed) this.#apply(turn, row, { kind: 'time', unreachable: this.#unreachable })
    else if (input === restarted) {
      this.#apply(turn, row, { kind: 'restarted', downSince: this.#downSince })
      if (this.#isDown(row)) this.#owed.owe(row)
    } else this.#apply(turn, row, input)
  }

  #apply(turn: SourceTurn, row: number, input: PushInput): void {
    const columns = this.#columns
    const before = columns.read(row)
    const { state, results, events } = pushTransition(before, input, this.#fleet.rulesOf(row), turn.now)
    columns.write(row, state)
    // After a restart the same follows from the same record again, unless the clock was ahead when it was stored.
    const isKept = input.kind === 'restarted' ? isAhead(before, turn.now) : state !== before
    if (isKept || input.kind === 'signal') turn.keepPush(row, columns.record(row))
    for (const { type, because, reason } of events) turn.tell(row, { type, detail: { reason }, because })
    for (const result of results) this.#results.add(turn, row, result)
    this.#armFor(row, turn.now)
  }

  #armFor(row: number, now: Instant): void {
    if (!this.#isWatched(row)) return
    const wakeAt = pushWakeAt(this.#columns.read(row), this.#fleet.rulesOf(row), this.#unreachable)
    this.#arm(row, wakeAt === null ? null : this.#options.clock.monotonicMs() + Math.max(0, wakeAt - now))
  }

  #isWatched(row: number): boolean {
    const { fleet } = this.#options
    return fleet.has(row) && fleet.policyOf(row).enabled && fleet.columns.snoozed[row] === 0
  }

  #isCron(row: number): boolean {
    return this.#fleet.rulesOf(row).timing.kind === 'cron'
  }

  #keep(row: number, signal: ArrivedSignal, startedAt: Instant | undefined, now: Instant): void {
    const { kind, rid, exitCode, words, output } = signal
    const isQuiet = kind === 'success' && startedAt === undefined && words === '' && output === ''
    if (isQuiet) return
    const runMs = kind === 'start' || kind === 'log' || startedAt === undefined ? null : now - startedAt
    const kept: KeptSignal = { at: now, kind, rid, exitCode, words, output, runMs }
    this.#signals.add(row, kept)
  }

  readonly #isDown = (row: number): boolean => this.#columns.has(row) && this.#columns.hasFailed(row)

  #payFailures(turn: SourceTurn): void {
    this.#owed.pay(this.#engine, this.#isDown, (row, reason) => {
      if (this.#isWatched(row)) this.#results.add(turn, row, { status: 'failure', reason, latencyMs: null })
    })
  }

  #forget(row: number): void {
    this.#columns.clear(row)
    this.#signals.forget(row)
    this.#early.forget(row)
    this.rate.forget(row)
    this.#inputs.delete(row)
    this.#owed.forget(row)
  }

  #growFor(rows: number): void {
    this.#columns.growFor(rows)
    this.rate.growFor(rows)
  }

  get #engine(): HealthFacts {
    if (this.#facts === null) throw new Error('push monitors are not connected to an engine')
    return this.#facts
  }

  #instantOf(monotonicMs: number): Instant {
    return this.#engine.now() + monotonicMs - this.#options.clock.monotonicMs()
  }
}
