// engine/external-work.ts: work that is done by workers outside the service, as the engine sees it: where it offers that work,
// and what may be done in the turn in which something becomes of it.
import type { ExternalActions } from '../acting/action-flow.ts'
import type { ExternalChecks } from '../checking/check-flow.ts'
import type { ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { Turn } from '../deciding/turn.ts'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { StoredExecution, WorkerStatement } from '../store/execution.ts'

/** Jobs that workers outside the service do: to the engine, one more place where checks and actions are carried out. */
export interface ExternalWork {
  readonly checks: ExternalChecks
  readonly actions: ExternalActions
  /** The schedule is armed: what workers were granted by an earlier process is in flight in it, too. */
  armed(turn: WorkerTurn): void
  /** Ends what time has ended. Every turn begins with it, so that a check that nobody took is over before its next one. */
  advance(turn: WorkerTurn): void
  /** When advance may have something to do, by the monotonic clock; null when nothing is open. */
  readonly nextDueMs: number | null
}

/** A turn in which workers outside the service take or report something. */
export interface WorkerTurn extends Turn {
  keepExecution(execution: StoredExecution): void
  /** What a worker said of an execution that this turn keeps. */
  keepStatement(statement: WorkerStatement): void
  /** A worker is granted the check with this turn. */
  checkGranted(row: number): void
  /** A worker has it from an earlier process: no other check of the monitor starts beside it. Its generation. */
  checkResumed(row: number): number | null
  /** Nobody has taken the check, and nobody will. */
  checkNotTaken(row: number): void
  /** Results of checks, and whether this process had offered them. */
  takeExternalResults(batch: ResultBatch, isScheduled: (position: number) => boolean): void
  endAction(actionId: string, outcome: ActionOutcome): void
}
