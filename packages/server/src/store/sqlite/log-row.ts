// store/sqlite/log-row.ts: the one row that says how far the store is, and which run of a process has it. Changes are made on
// a copy inside a transaction and become the present only when it is committed.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { storeError } from '../store-errors.ts'

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
  /** Of the run that has the store: how many batches it has committed. */
  batch: number
}

/**
 * The run that has the store. The number of the format stays: earlier versions of it name the columns that they write, so
 * they leave these as they are, and data can go back to them.
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
  /** As the open transaction will leave it. */
  next: LogFigures

  /** Takes the store over: whichever run had it before is fenced. */
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

  /** Inside a transaction, before anything is read or written. Throws a StoreError when another run has the store. */
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
