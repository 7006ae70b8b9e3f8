// store/execution-rows.ts: converts jobs of workers and their statements to rows of text and numbers, and back. Runs
// in the controller's thread, like rows.ts.
import { forgetAt, type StoredExecution, type WorkerStatement } from './execution.ts'

/** A write, in stored form. */
export interface ExecutionRow {
  readonly id: string
  readonly forgetAt: number | null
  readonly body: string
}

/** A write, in stored form. */
export interface StatementRow {
  readonly executionId: string
  readonly id: string
  readonly body: string
}

export function executionRow(execution: StoredExecution): ExecutionRow {
  return { id: execution.id, forgetAt: forgetAt(execution), body: JSON.stringify(execution) }
}

export function executionOf(body: string): StoredExecution {
  return JSON.parse(body)
}

export function statementRow({ executionId, id, ...said }: WorkerStatement): StatementRow {
  return { executionId, id, body: JSON.stringify(said) }
}

export function statementOf({ executionId, id, body }: StatementRow): WorkerStatement {
  return { executionId, id, ...JSON.parse(body) }
}
