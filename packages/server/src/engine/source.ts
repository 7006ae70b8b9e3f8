// engine/source.ts: a place where checks or actions are carried out, as the engine sees it: what the flows offer it, and what it
// may do in a turn in which time passes for it or something becomes of what it was offered.
import type { ActionSource } from '../acting/action-source.ts'
import type { CheckSource } from '../checking/check-source.ts'
import type { ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { Turn } from '../deciding/turn.ts'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { StoredExecution, WorkerStatement } from '../store/execution.ts'

/** One for which nothing is left from an earlier process, and in which time ends nothing, has none of the last three. */
export interface Source {
  readonly checks?: CheckSource
  readonly actions?: ActionSource
  /** The schedule is armed: what it has in flight from an earlier process is in flight in the schedule, too. */
  resume?(turn: SourceTurn): void
  /** Ends what time has ended. Every turn begins with it, so that what was not taken is over before its next time slot. */
  advance?(turn: SourceTurn): void
  /** When advance may have something to do, by the monotonic clock; null when nothing is open. */
  readonly nextDueMs?: number | null
}

/** A turn in which a source tells what became of something. */
export interface SourceTurn extends Turn {
  /** A check that did not start with its offer starts with this turn. */
  checkStarted(row: number): void
  /** It is in flight from an earlier process: no other check of the monitor starts beside it. Its generation. */
  checkResumed(row: number): number | null
  /** What was offered was not taken, and will not be. */
  checkNotTaken(row: number): void
  takeResults(source: CheckSource, batch: ResultBatch): void
  endAction(actionId: string, outcome: ActionOutcome): void
  /** Those that may start now that others have ended, or results have come. */
  startActions(): void
  keepExecution(execution: StoredExecution): void
  /** What a worker said of an execution that this turn keeps. */
  keepStatement(statement: WorkerStatement): void
}
