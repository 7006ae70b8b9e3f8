// store/sqlite/log-row.ts: the one row that says how far the store has come, and which run owns it. Changes
// are made on a copy inside a transaction and take effect when it is committed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { storeError } from '../store-errors.ts'

export interface LogFigures {
  position: number
  oldest: number
  headsUpTo: number
  historyBytes: number
  highestNumericId: number
  /** The wall clock at the last commit. */
  committedAt: number | null
  /** Retention is suspended until then (retention-clock.ts). */
  keepsUntil: number | null
  /** When a restore put this store in place; null once a run has committed to it. */
  restoredAt: number | null
  /** How many batches the owning run has committed. */
  batch: number
}

/**
 * The columns for the owning run. The format number stays the same: earlier versions of the format name the
 * columns that they write, so they leave these alone, and an older release can still open the data.
 */
function addRunColumns(database: DatabaseSync): void {
  const isThere = database.prepare("SELECT 1 FROM pragma_table_info('log') WHERE name = 'run'").get()
  if (isThere !== undefined) return
  database.exec(`
    BEGIN IMMEDIATE;
    ALTER TABLE log ADD COLUMN run TEXT;
    ALTER TABLE log ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
    COMMIT`)
}

export class LogRow {
  readonly #run: string
  readonly #write: StatementSync
  readonly #owner: StatementSync
  #committed: LogFigures
  /** As of the open transaction. */
  next: LogFigures

  /** Takes over the store: the run that had it before is fenced. */
  constructor(database: DatabaseSync, run: string) {
    this.#run = run
    addRunColumns(database)
    database.prepare('UPDATE log SET run = ?, batch = 0').run(run)
    this.#owner = database.prepare('SELECT run, batch FROM log')
    this.#write = database.prepare(`
      UPDATE log SET position = ?, oldest = ?, heads_up_to = ?, history_bytes = ?, highest_numeric_id = ?,
        committed_at = ?, keeps_until = ?, restored_at = ?, batch = ?`)
    this.#committed = database
      .prepare(`
        SELECT position, oldest, heads_up_to AS headsUpTo, history_bytes AS historyBytes,
          highest_numeric_id AS highestNumericId, committed_at AS committedAt,
          keeps_until AS keepsUntil, restored_at AS restoredAt, batch FROM log`)
      .get() as unknown as LogFigures
    this.next = { ...this.#committed }
  }

  get committed(): Readonly<LogFigures> {
    return this.#committed
  }

  /**
   * To be called inside a transaction, before anything is read or written. Throws a StoreError if another run
   * has taken over the store.
   */
  requireOwn(): void {
    const { run, batch } = this.#owner.get() as { run: string | null; batch: number }
    if (run !== this.#run || batch !== this.#committed.batch) throw storeError('fenced')
  }

  write(): void {
    const { position, oldest, headsUpTo, historyBytes, highestNumericId } = this.next
    const { committedAt, keepsUntil, restoredAt, batch } = this.next
    this.#write.run(
      ...[position, oldest, headsUpTo, historyBytes, highestNumericId],
      committedAt,
      keepsUntil,
      restoredAt,
      batch,
    )
  }

  settle(): void {
    this.#committed = { ...this.next }
  }

  discard(): void {
    this.next = { ...this.#committed }
  }
}
