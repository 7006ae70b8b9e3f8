// engine/engine.ts: the engine. Everything that happens (results, answers, a changed fleet, the passing of time) enters
// through a turn, and every turn is the same: take the time, do the work, store everything that was decided as one batch,
// and release the effects when that is on disk. The engine never waits for a disk, a resolver or a slow client.

import { trustedForMs } from '../acting/action-flow.ts'
import type { CheckSource } from '../checking/check-source.ts'
import type { ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { Disturbance } from '../checking/schedule/scheduler.ts'
import type { Credentials } from '../config/fleet-file/credentials.ts'
import type { Control, ControlResult } from '../deciding/control.ts'
import type { Instant } from '../deciding/health/health.ts'
import type { Turn } from '../deciding/turn.ts'
import type { PackedTexts } from '../fleet/amender.ts'
import { amendedRows } from '../fleet/arrangement.ts'
import type { Compaction } from '../fleet/fleet.ts'
import type { FleetChange } from '../fleet/fleet-change.ts'
import type { LoadedArrangement, ReloadedFleet } from '../fleet/load-arrangement.ts'
import type { TurnEnd } from '../persistence/journal.ts'
import { recogniseMonitors, restoreFromStore } from '../persistence/restore-from-store.ts'
import type { Canary, OwnFaultEvent } from '../self-watch/own-fault.ts'
import { forgetBefore, lookAtClock, type RetentionClock } from '../store/retention-clock.ts'
import { type BatchKind, emptyEvent } from '../store/store.ts'
import { applyControl } from './apply-control.ts'
import {
  admitAll,
  amendFleet,
  configureDestinations,
  holdFleet,
  moveFleet,
  replaceFleet,
} from './apply-fleet-changes.ts'
import type { EngineParts } from './engine-parts.ts'
import { EngineReading } from './engine-reading.ts'
import { EngineTurn, type RequestTurn } from './engine-turn.ts'
import { rest } from './rest.ts'

/** A store that cannot keep up must not fill the memory with pending entries. */
const uncommittedAtMost = 50_000

const forgetEveryMs = 60_000

/** Clients wait for an answer about this long, so a shorter stall kept nobody from reporting. */
const unheardMs = 10_000

/** How long a stopping service waits for answers. Actions without one by then are unknown to the next process. */
const answersAwaitedMs = 5_000

/** What happens to a request whose turn cannot be stored at once. */
export type Unstored =
  /** It is rolled back entirely. Nothing may depend on its decisions before it is on disk. */
  | 'withdrawn'
  /** It stays, because other turns depend on it. The caller gets `uncertain` at once. */
  | 'told'
  /** It stays. The caller waits for as long as writing fails. */
  | 'awaited'

export class Engine {
  /** Read access for everything outside the engine. */
  readonly reading: EngineReading
  readonly #parts: EngineParts
  readonly #turn: EngineTurn
  #isInTurn = false
  #onTurnEnd: () => void = () => {}
  #isAdmitting = false
  #isStopped = false
  #pausedSinceMs: number | null = null
  /** Resolvers of pending `told` requests, called when writing fails. */
  readonly #awaited = new Set<(end: TurnEnd) => void>()
  #forgotMs = 0
  /** After the clock jumped ahead, nothing is dropped for a day. */
  #retention: RetentionClock

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#turn = new EngineTurn(parts)
    this.#retention = parts.retention
    this.reading = new EngineReading(parts, () => this.#isAdmitting)
  }

  /** Regular checks and, after a start, first checks in addition. */
  get checksPerSecond(): number {
    return this.#parts.checks.checksPerSecond
  }

  /** Whether another check could start at once. */
  get hasRoom(): boolean {
    return this.#parts.checks.pool.free > 0
  }

  /** Calls the listener at the end of every turn. */
  onTurn(listener: () => void): Disposable {
    this.#onTurnEnd = listener
    return {
      [Symbol.dispose]: () => {
        this.#onTurnEnd = () => {}
      },
    }
  }

  /** How long no tick is needed, within these bounds. The engine relies on not being called until then. */
  rest(leastMs: number, mostMs: number): number {
    return rest(this.#parts, leastMs, mostMs)
  }

  /** Writing fails, so nothing is started. */
  get isPaused(): boolean {
    return this.#pausedSinceMs !== null
  }

  /**
   * Whether requests are accepted. Not before the start is complete: the API already listens while the
   * previous process's state is being restored, and restoring would overwrite decisions made before it.
   */
  get #takesRequests(): boolean {
    return this.#isAdmitting && !this.isPaused && !this.#isStopped
  }

  /** Entry point for events: they cannot be rolled back, and are stored once writing works again. */
  turn(work: (turn: Turn) => void): Promise<TurnEnd> {
    return this.#enter(() => {
      this.#noticeTime()
      work(this.#turn)
    }, 'kept')
  }

  /** Entry point for requests: refused while nothing can be stored. */
  async request(unstored: Unstored, work: (turn: RequestTurn) => void): Promise<TurnEnd> {
    if (!this.#takesRequests) return 'refused'
    if (unstored === 'awaited') return this.turn(() => work(this.#turn))
    if (unstored === 'told') return this.#toldEarly(this.turn(() => work(this.#turn)))
    // What every turn begins with is stored separately: it cannot be rolled back.
    void this.turn(() => {})
    return this.#enter(() => work(this.#turn), 'withdrawable')
  }

  #enter(work: () => void, kind: BatchKind): Promise<TurnEnd> {
    if (this.#isInTurn) throw new Error('a turn began inside another one')
    this.#isInTurn = true
    try {
      work()
    } catch (error) {
      // Other turns depend on decisions that were made, so those are stored. Part of a write must not be
      // stored with them.
      if (kind === 'withdrawable') this.#parts.journal.discard()
      throw error
    } finally {
      this.#isInTurn = false
    }
    this.#onTurnEnd()
    return this.#parts.journal.flush(kind)
  }

  /** The end of the turn, or `uncertain` if writing starts to fail first. */
  async #toldEarly(stored: Promise<TurnEnd>): Promise<TurnEnd> {
    const { promise, resolve } = Promise.withResolvers<TurnEnd>()
    this.#awaited.add(resolve)
    try {
      void stored.then(resolve)
      return await promise
    } finally {
      this.#awaited.delete(resolve)
    }
  }

  /** Carries out one control in the caller's turn. */
  applyControl(turn: Turn, control: Control): ControlResult {
    return applyControl(this.#parts, turn, control)
  }

  /** Applies the first fleet to what the previous process left. Nothing is checked before that is on disk. */
  async start(loaded: LoadedArrangement): Promise<void> {
    const { recovered, checks, checkpoints, identities, maintenance, snoozes, clock } = this.#parts
    holdFleet(this.#parts, loaded)
    const known = recovered === null ? null : await recogniseMonitors(this.#parts, recovered)
    let stored = this.turn((turn) => {
      configureDestinations(this.#parts, turn, loaded)
      if (known === null) admitAll(this.#parts, turn, loaded.arrangement)
      else restoreFromStore(this.#parts, turn, known)
      maintenance.fleetChanged(clock.wallMs())
      snoozes.restore()
    })
    // Numbers must be on disk before people can see them. One chunk is assembled while the previous one is
    // written, so that neither side waits and a million identities are never in memory at once.
    while (!identities.areWritten) {
      const next = this.turn(() => void checkpoints.writeIdentities())
      if ((await stored) !== 'stored') return
      stored = next
    }
    if ((await stored) !== 'stored') return
    await this.turn(() => {
      checks.applyArrangement(loaded.arrangement, loaded.credentials)
      for (const source of this.#parts.sources) source.resume?.(this.#turn)
    })
    this.#isAdmitting = true
  }

  /**
   * Applies reloaded files: unchanged monitors keep their state and their phase. Returns the rows that were
   * added, removed or changed; null if all were.
   */
  applyFleet({ next, credentials, files }: ReloadedFleet): Uint32Array | null {
    let amended: Uint32Array | null = null
    void this.turn((turn) => {
      if (next.kind === 'whole') replaceFleet(this.#parts, turn, { ...next, credentials, files })
      else amended = this.amendFleet(turn, next.change, credentials)
    })
    return amended
  }

  /** Applies a change of single monitors, or of what they refer to, in the caller's turn. */
  amendFleet(turn: Turn, change: FleetChange, credentials: Credentials | null): Uint32Array {
    return amendedRows(amendFleet(this.#parts, turn, change, credentials))
  }

  /** Switches to the texts that a compaction has packed; false if they belong to a fleet that is no longer in force. */
  endCompaction(compaction: Compaction, packed: PackedTexts): boolean {
    let isInForce = false
    void this.turn(() => {
      const arrangement = compaction.end(packed)
      if (arrangement === null) return
      moveFleet(this.#parts, arrangement)
      isInForce = true
    })
    return isInForce
  }

  /** Called when something is due, or may be. */
  tick(): void {
    const {
      checks,
      actions,
      escalations,
      maintenance,
      snoozes,
      silent,
      checkpoints,
      revisions,
      journal,
      clock,
    } = this.#parts
    void this.turn((turn) => {
      if (this.isPaused) return
      if (journal.uncommitted < uncommittedAtMost) checks.dispatch()
      maintenance.advance(turn, clock.wallMs())
      snoozes.advance(turn, clock.wallMs())
      silent.advance()
      if (escalations.nextDueAt <= turn.now) turn.decide({ kind: 'escalations-due' })
      actions.startDue(turn)
      checkpoints.advance()
      revisions.advance()
    })
  }

  takeResults(source: CheckSource, batch: ResultBatch): void {
    void this.turn((turn) => {
      this.#turn.takeResults(source, batch)
      this.#parts.actions.startDue(turn)
    })
  }

  /** The source has lost these checks, for example because a thread ended: nothing can be said about their targets. */
  takeLost(source: CheckSource, rows: Uint32Array, reason: string): void {
    this.takeResults(source, this.#parts.checks.lostBatch(rows, reason))
  }

  readCanary(canary: Canary, passes: boolean): void {
    void this.turn((turn) => this.#parts.ownFault.readCanary(canary, passes, turn.now))
  }

  /** Resizes the pools to their load. */
  adapt(): void {
    const { clock, checks, actions } = this.#parts
    checks.adaptPool()
    for (const pipeline of Object.values(actions.pipelines)) pipeline.adapt(clock.monotonicMs())
  }

  everySecond(): void {
    const { figures, decisionLog, ownFault, reminders, recoveries, ledger } = this.#parts
    figures.keepHistory()
    decisionLog.summarise()
    void this.turn((turn) => {
      const event = ownFault.review(turn.now)
      if (event !== null) this.#reportOwnFault(turn, event)
      reminders.askDue(turn)
      recoveries.noteHeld(ledger.view, turn.now)
      this.#forget(turn)
    })
  }

  /** Writing fails: nothing is started until it works again, and checks missed meanwhile count against no target. */
  pause(): void {
    const { clock, slo, checks, actions } = this.#parts
    if (this.#pausedSinceMs !== null) return
    this.#pausedSinceMs = clock.monotonicMs()
    this.#wasUnheard(this.#pausedSinceMs, null)
    for (const resolve of this.#awaited) resolve('uncertain')
    slo.beginGap(this.#pausedSinceMs)
    checks.setAdmission(false)
    actions.setAdmission(false)
  }

  resume(): void {
    const { clock, slo, checks, actions, time } = this.#parts
    if (this.#pausedSinceMs === null || this.#isStopped) return
    const nowMs = clock.monotonicMs()
    this.#wasUnheard(this.#pausedSinceMs, nowMs)
    if (nowMs - this.#pausedSinceMs > trustedForMs) this.#gapEnded(time.at(nowMs))
    this.#pausedSinceMs = null
    slo.endGap(nowMs)
    checks.setAdmission(true)
    actions.setAdmission(true)
  }

  /** Stops starting anything, waits a few seconds for answers, and stores what is known. */
  async stop(): Promise<void> {
    const { actions, checkpoints, journal, revisions } = this.#parts
    this.#isStopped = true
    this.pause()
    void journal.flush()
    await actions.drain(answersAwaitedMs)
    if (this.#isAdmitting) {
      checkpoints.writeAll()
      revisions.writeAll()
    }
    await journal.end()
  }

  #noticeTime(): void {
    const { checks, sources, time } = this.#parts
    this.#turn.now = time.now()
    // While the service stops, no tick advances the wheel: the time between two answers is not a stall.
    if (!this.#isAdmitting || this.#isStopped) return
    for (const source of sources) source.advance?.(this.#turn)
    for (const disturbance of checks.advance()) this.#disturbed(disturbance)
  }

  #disturbed({ kind, ms, sinceMs }: Disturbance): void {
    const { log, ownFault, time } = this.#parts
    if (kind === 'wall_jump') this.#clockJumped(ms, sinceMs)
    else {
      ownFault.lagged(ms, time.now())
      if (ms > unheardMs) this.#wasUnheard(sinceMs, this.#parts.clock.monotonicMs())
      log.warn(
        { ms: Math.round(ms) },
        'the controller stalled; checks that were caught in it do not count against their targets',
      )
    }
    if (ms > trustedForMs) this.#gapEnded(time.now())
  }

  #gapEnded(now: Instant): void {
    this.#parts.ledger.gapEnded(now)
    this.#parts.escalations.gapEnded()
  }

  /** No client was answered in this time; null while that lasts. */
  #wasUnheard(sinceMs: number, untilMs: number | null): void {
    for (const source of this.#parts.sources) source.unreachable?.(sinceMs, untilMs)
  }

  /** The clock was set or the machine was suspended. The two look the same, so checks in flight prove nothing. */
  #clockJumped(ms: number, sinceMs: number): void {
    const { fleet, health, identities, journal, ledger, log, ownFault, recoveries, reminders, time } =
      this.#parts
    const stepMs = time.anchorAgain()
    this.#turn.now = time.now()
    fleet.moveTimes(stepMs)
    const isToldKnown = (row: number) => ledger.view.isToldKnown(fleet.idOf(row))
    for (const { row, state } of health.move(stepMs, isToldKnown))
      journal.keepState(identities.numberOf(row), state)
    this.#turn.decide({ kind: 'clock-moved', stepMs })
    for (const source of this.#parts.sources) source.clockMoved?.(this.#turn, stepMs)
    recoveries.move(stepMs)
    reminders.move(stepMs)
    ownFault.move(stepMs)
    ownFault.jumped(ms, time.at(sinceMs), time.now())
    log.warn(
      { ms },
      'the wall clock jumped; the schedule goes on by monotonic time, and checks that were in flight do not count against their targets',
    )
  }

  #reportOwnFault(turn: Turn, { phase, words, because }: OwnFaultEvent): void {
    const { log, journal } = this.#parts
    log.warn({ phase }, words)
    journal.addEvent({ ...emptyEvent, at: turn.now, type: 'own_fault', detail: { phase, words }, because })
  }

  /** Once per minute: drops from memory what is older than history. */
  #forget(turn: Turn): void {
    const { clock, ledger, identities } = this.#parts
    const nowMs = clock.monotonicMs()
    if (nowMs - this.#forgotMs < forgetEveryMs) return
    this.#forgotMs = nowMs
    turn.decide({ kind: 'time-passed' })
    this.#retention = lookAtClock(this.#retention, turn.now)
    const before = forgetBefore(this.#retention, turn.now)
    if (before === null) return
    ledger.forgetBefore(before)
    identities.forgetDeparted(turn.now)
  }
}
