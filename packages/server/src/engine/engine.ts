// engine/engine.ts: the engine. Everything that happens (results, answers, a changed fleet, the passing of time) enters
// by a turn, and a turn is always the same: take the time, do the work, store everything that was decided as one batch,
// and release the effects when that is on disk. The engine never waits for a disk, a resolver or a slow client.

import { trustedForMs } from '../acting/action-flow.ts'
import type { CheckSource } from '../checking/check-source.ts'
import type { ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { Disturbance } from '../checking/schedule/scheduler.ts'
import type { Credentials } from '../config/fleet-file/credentials.ts'
import type { Control, ControlResult } from '../deciding/control.ts'
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

/** A store that cannot keep up must not fill the memory with waiting entries. */
const uncommittedAtMost = 50_000

const forgetEveryMs = 60_000

/** How long a stopping service waits for answers; actions without one by then are unknown to the next process. */
const answersAwaitedMs = 5_000

/** What becomes of a request whose turn cannot be stored at once. */
export type Unstored =
  /** It is taken back whole. Its work decides nothing that other turns build on before it is on disk. */
  | 'withdrawn'
  /** Other turns build on it, so it stays. The caller is told at once that it is uncertain. */
  | 'told'
  /** It stays, too. The caller waits for as long as writing fails. */
  | 'awaited'

export class Engine {
  /** Everything that others may read. */
  readonly reading: EngineReading
  readonly #parts: EngineParts
  readonly #turn: EngineTurn
  #isInTurn = false
  #turned: () => void = () => {}
  #isAdmitting = false
  #isStopped = false
  #pausedSinceMs: number | null = null
  /** Of requests whose callers are told when writing fails. */
  readonly #awaited = new Set<(end: TurnEnd) => void>()
  #forgotMs = 0
  /** After the clock jumped ahead, nothing is forgotten for a day. */
  #retention: RetentionClock

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#turn = new EngineTurn(parts)
    this.#retention = parts.retention
    this.reading = new EngineReading(parts, () => this.#isAdmitting)
  }

  /** Those at time slots and, after a start, the first ones besides. */
  get checksPerSecond(): number {
    return this.#parts.checks.checksPerSecond
  }

  /** Whether another check could start at once. */
  get hasRoom(): boolean {
    return this.#parts.checks.pool.free > 0
  }

  /** Hears of the end of every turn. */
  onTurn(listener: () => void): Disposable {
    this.#turned = listener
    return {
      [Symbol.dispose]: () => {
        this.#turned = () => {}
      },
    }
  }

  /** How long no tick is needed, up to so long. The engine counts on being left alone until then. */
  rest(leastMs: number, mostMs: number): number {
    return rest(this.#parts, leastMs, mostMs)
  }

  /** Writing fails, so nothing is started. */
  get isPaused(): boolean {
    return this.#pausedSinceMs !== null
  }

  /**
   * Whether anything that a caller waits for is begun. Not before the start is over: the API listens while the state of the
   * previous process is restored, which would overwrite what was decided on a state that is not there yet.
   */
  get #takesRequests(): boolean {
    return this.#isAdmitting && !this.isPaused && !this.#isStopped
  }

  /** The way in for what happens: it cannot be taken back, and is stored when writing works again. */
  turn(work: (turn: Turn) => void): Promise<TurnEnd> {
    return this.#enter(() => {
      this.#noticeTime()
      work(this.#turn)
    }, 'kept')
  }

  /** The way in for what is asked for: nothing is begun while nothing can be stored. */
  async request(unstored: Unstored, work: (turn: RequestTurn) => void): Promise<TurnEnd> {
    if (!this.#takesRequests) return 'refused'
    if (unstored === 'awaited') return this.turn(() => work(this.#turn))
    if (unstored === 'told') return this.#toldEarly(this.turn(() => work(this.#turn)))
    // Whatever a turn begins with is stored by itself: it cannot be taken back.
    void this.turn(() => {})
    return this.#enter(() => work(this.#turn), 'withdrawable')
  }

  #enter(work: () => void, kind: BatchKind): Promise<TurnEnd> {
    if (this.#isInTurn) throw new Error('a turn began inside another one')
    this.#isInTurn = true
    try {
      work()
    } catch (error) {
      // Other turns build on a decision that was made, so that is stored. A part of a write must not be stored with them.
      if (kind === 'withdrawable') this.#parts.journal.discard()
      throw error
    } finally {
      this.#isInTurn = false
    }
    this.#turned()
    return this.#parts.journal.flush(kind)
  }

  /** The end of a turn, or `uncertain` when writing begins to fail before. */
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

  /** Carries out one control in a turn of its caller. */
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
    // Numbers must be on disk before people can see them. One chunk is put together while the one before it is written,
    // so that neither side waits and a million identities are never in memory at once.
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
   * Applies files that were read again: unchanged monitors keep their state and their phase. Returns the rows
   * that came, left or changed; null when all did.
   */
  applyFleet({ next, credentials, files }: ReloadedFleet): Uint32Array | null {
    let amended: Uint32Array | null = null
    void this.turn((turn) => {
      if (next.kind === 'whole') replaceFleet(this.#parts, turn, { ...next, credentials, files })
      else amended = this.amendFleet(turn, next.change, credentials)
    })
    return amended
  }

  /** Applies a change of single monitors, or of what they refer to, in a turn of its caller. */
  amendFleet(turn: Turn, change: FleetChange, credentials: Credentials | null): Uint32Array {
    return amendedRows(amendFleet(this.#parts, turn, change, credentials))
  }

  /** Goes over to the texts that a compaction has packed; false when they are of a fleet that is not in force any more. */
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

  /** When something is due, or may be. */
  tick(): void {
    const { checks, actions, maintenance, snoozes, checkpoints, journal, clock } = this.#parts
    void this.turn((turn) => {
      if (this.isPaused) return
      if (journal.uncommitted < uncommittedAtMost) checks.dispatch()
      maintenance.advance(turn, clock.wallMs())
      snoozes.advance(turn, clock.wallMs())
      actions.startDue(turn)
      checkpoints.advance()
    })
  }

  takeResults(source: CheckSource, batch: ResultBatch): void {
    void this.turn((turn) => {
      this.#turn.takeResults(source, batch)
      this.#parts.actions.startDue(turn)
    })
  }

  /** The source has lost these checks, as with a thread that ended: nothing can be said about their targets. */
  takeLost(source: CheckSource, rows: Uint32Array, reason: string): void {
    this.takeResults(source, this.#parts.checks.lostBatch(rows, reason))
  }

  readCanary(canary: Canary, passes: boolean): void {
    void this.turn((turn) => this.#parts.ownFault.readCanary(canary, passes, turn.now))
  }

  /** Pools follow their load. */
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
    for (const resolve of this.#awaited) resolve('uncertain')
    slo.beginGap(this.#pausedSinceMs)
    checks.setAdmission(false)
    actions.setAdmission(false)
  }

  resume(): void {
    const { clock, slo, checks, actions, ledger, time } = this.#parts
    if (this.#pausedSinceMs === null || this.#isStopped) return
    const nowMs = clock.monotonicMs()
    if (nowMs - this.#pausedSinceMs > trustedForMs) ledger.gapEnded(time.at(nowMs))
    this.#pausedSinceMs = null
    slo.endGap(nowMs)
    checks.setAdmission(true)
    actions.setAdmission(true)
  }

  /** Starts nothing more, waits a few seconds for answers, and stores what is known. */
  async stop(): Promise<void> {
    const { actions, checkpoints, journal } = this.#parts
    this.#isStopped = true
    this.pause()
    void journal.flush()
    await actions.drain(answersAwaitedMs)
    if (this.#isAdmitting) checkpoints.writeAll()
    await journal.flush()
  }

  #noticeTime(): void {
    const { checks, sources, time } = this.#parts
    this.#turn.now = time.now()
    // While the service stops, no tick turns the wheel: the time between two answers is not a stall.
    if (!this.#isAdmitting || this.#isStopped) return
    for (const source of sources) source.advance?.(this.#turn)
    for (const disturbance of checks.advance()) this.#disturbed(disturbance)
  }

  #disturbed({ kind, ms, sinceMs }: Disturbance): void {
    const { ledger, log, ownFault, time } = this.#parts
    if (kind === 'wall_jump') this.#clockJumped(ms, sinceMs)
    else {
      ownFault.lagged(ms, time.now())
      log.warn(
        { ms: Math.round(ms) },
        'the controller stalled; checks that were caught in it do not count against their targets',
      )
    }
    if (ms > trustedForMs) ledger.gapEnded(time.now())
  }

  /** The clock was set or the machine was suspended. The two look the same, so checks in flight say nothing. */
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

  /** Once per minute: what is older than history is not kept in memory either. */
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
