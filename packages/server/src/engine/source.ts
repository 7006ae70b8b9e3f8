// engine/source.ts: a place where checks or actions are carried out, as the engine sees it: what the flows
// offer it, and what it may do in a turn.
import type { ActionSource } from '../acting/action-source.ts'
import type { CheckSource } from '../checking/check-source.ts'
import type { ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { Decision } from '../deciding/decision.ts'
import type { Instant, LastOutcome } from '../deciding/health/health.ts'
import type { PushState, SignalKind } from '../deciding/push/push-state.ts'
import type { Turn } from '../deciding/turn.ts'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { StoredExecution, WorkerStatement } from '../store/execution.ts'
import type { PushRecord } from '../store/push.ts'
import type { StoredEvent } from '../store/store.ts'

/** The last three are absent in a source that takes over nothing from an earlier process and has nothing that expires. */
export interface Source {
  readonly checks?: CheckSource
  readonly actions?: ActionSource
  /** Called when the schedule is armed: marks checks that the source still has from an earlier process as in flight. */
  resume?(turn: SourceTurn): void
  /**
   * Ends what has expired. Every turn begins with it, so that an offer that was not taken is over before its
   * next time slot.
   */
  advance?(turn: SourceTurn): void
  /** Called with every decision, in the turn in which it is made. */
  follow?(decision: Decision): void
  /** The service could not be reached from outside, by the monotonic clock; null: it cannot be reached from now on. */
  unreachable?(fromMs: number, untilMs: number | null): void
  /** The clock was set, or the machine was suspended: instants have moved by this step. */
  clockMoved?(turn: SourceTurn, stepMs: number): void
  /** What is known of a monitor that reports by itself; null for any other. */
  reportOf?(row: number): ReportView | null
  /** What single places said of a monitor that is checked at other places; null for any other. */
  placesOf?(row: number): PlacesView | null
  /** When advance may have something to do, by the monotonic clock; null if nothing is open. */
  readonly nextDueMs?: number | null
}

/** The places of a monitor, as readers see them. */
export interface PlacesView {
  /** At so many of them a check has to fail. */
  readonly needed: number
  readonly places: readonly PlaceView[]
}

export interface PlaceView {
  readonly location: string
  /** What it said last; null if nothing since the process started. */
  readonly last: PlaceFinding | null
}

export interface PlaceFinding {
  readonly at: Instant
  /** own_fault: the place could not look. */
  readonly outcome: LastOutcome
  /** Null if it says nothing about the target. */
  readonly latencyMs: number | null
  /** Of a failure or a warning, or why the place could not look. */
  readonly reason: string | null
}

/** A job that reports by itself, as readers see it. */
export interface ReportView {
  readonly state: PushState
  readonly previousKeyUsedAt: Instant | null
  readonly signals: readonly KeptSignal[]
  readonly hint: string | null
}

/** A signal that left more than its time. */
export interface KeptSignal {
  readonly at: Instant
  readonly kind: SignalKind
  readonly rid: string
  readonly exitCode: number | null
  readonly words: string
  readonly output: string
  readonly runMs: number | null
}

/** A turn in which a source reports. */
export interface SourceTurn extends Turn {
  /** A check that did not start with its offer starts with this turn. */
  checkStarted(row: number): void
  /** The check is in flight from an earlier process, so no other check of the monitor starts. Returns its generation. */
  checkResumed(row: number): number | null
  /** The offer was not taken, and will not be. */
  checkNotTaken(row: number): void
  /** A result that no offer led to: its generation, or null if it does not count. */
  checkReported(row: number): number | null
  keepPush(row: number, push: PushRecord): void
  /** Adds an event about the monitor to the history. */
  tell(row: number, event: Pick<StoredEvent, 'type' | 'detail' | 'because'>): void
  takeResults(source: CheckSource, batch: ResultBatch): void
  endAction(actionId: string, outcome: ActionOutcome): void
  /** Starts actions that may start now that others have ended or results have come. */
  startActions(): void
  keepExecution(execution: StoredExecution): void
  /** What a worker reported about an execution that this turn keeps. */
  keepStatement(statement: WorkerStatement): void
}
