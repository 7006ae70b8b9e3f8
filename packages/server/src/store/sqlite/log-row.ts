// store/sqlite/log-row.ts: the one row that says how far the store is. Changes are made on a copy inside a
// transaction and become the present only when it is committed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface LogFigures {
  position: number
  oldest: number
  headsUpTo: number
  historyBytes: number
  highestNumericId: number
  committedAt: number | null
}

export class LogRow {
  readonly #write: StatementSync
  #committed: LogFigures
  /** As the transaction under way will leave it. */
  next: LogFigures

  constructor(database: DatabaseSync) {
    this.#write = database.prepare(`
      UPDATE log SET position = ?, oldest = ?, heads_up_to = ?, history_bytes = ?, highest_numeric_id = ?,
        committed_at = ?`)
    this.#committed = database
      .prepare(`
        SELECT position, oldest, heads_up_to AS headsUpTo, history_bytes AS historyBytes,
          highest_numeric_id AS highestNumericId, committed_at AS committedAt FROM log`)
      .get() as unknown as LogFigures
    this.next = { ...this.#committed }
  }

  get committed(): Readonly<LogFigures> {
    return this.#committed
  }

  write(): void {
    const { position, oldest, headsUpTo, historyBytes, highestNumericId, committedAt } = this.next
    this.#write.run(position, oldest, headsUpTo, historyBytes, highestNumericId, committedAt)
  }

  settle(): void {
    this.#committed = { ...this.next }
  }

  discard(): void {
    this.next = { ...this.#committed }
  }
}
