// store/sqlite/log-row.ts: the one row that says how far the store is. Changes are made on a copy inside a
// transaction and become the present only when it is committed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface LogFigures {
  position: number
  oldest: number
  headsUpTo: number
  historyBytes: number
  highestNumericId: number
  /** What the clock said at the last commit. */
  committedAt: number | null
  /** Retention waits until then (retention-clock.ts). */
  keepsUntil: number | null
  /** When a restore put this store in place; null once a run has committed to it. */
  restoredAt: number | null
}

export class LogRow {
  readonly #write: StatementSync
  #committed: LogFigures
  /** As the open transaction will leave it. */
  next: LogFigures

  constructor(database: DatabaseSync) {
    this.#write = database.prepare(`
      UPDATE log SET position = ?, oldest = ?, heads_up_to = ?, history_bytes = ?, highest_numeric_id = ?,
        committed_at = ?, keeps_until = ?, restored_at = ?`)
    this.#committed = database
      .prepare(`
        SELECT position, oldest, heads_up_to AS headsUpTo, history_bytes AS historyBytes,
          highest_numeric_id AS highestNumericId, committed_at AS committedAt,
          keeps_until AS keepsUntil, restored_at AS restoredAt FROM log`)
      .get() as unknown as LogFigures
    this.next = { ...this.#committed }
  }

  get committed(): Readonly<LogFigures> {
    return this.#committed
  }

  write(): void {
    const { position, oldest, headsUpTo, historyBytes, highestNumericId } = this.next
    const { committedAt, keepsUntil, restoredAt } = this.next
    this.#write.run(
      ...[position, oldest, headsUpTo, historyBytes, highestNumericId],
      committedAt,
      keepsUntil,
      restoredAt,
    )
  }

  settle(): void {
    this.#committed = { ...this.next }
  }

  discard(): void {
    this.next = { ...this.#committed }
  }
}
