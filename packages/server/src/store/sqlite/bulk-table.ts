// store/sqlite/bulk-table.ts: bulk operations and their outcomes. Outcomes are stored in chunks, a thousand
// per row: one row for each of a million items would cost as much as the resources themselves.
import type { DatabaseSync } from 'node:sqlite'
import type { BulkRow, OutcomeRow } from '../bulk-rows.ts'
import { checksum, requireSum } from './checksum.ts'

export function makeBulkTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS bulk (
      id INTEGER PRIMARY KEY,
      ended_at REAL,                     -- NULL while it is open
      sum INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS bulk_by_end ON bulk (ended_at);
    CREATE TABLE IF NOT EXISTS bulk_outcome (
      operation INTEGER NOT NULL,
      first INTEGER NOT NULL,            -- the place of its first item
      sum INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (operation, first)
    ) STRICT, WITHOUT ROWID;
  `)
}

export class BulkTable {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare('REPLACE INTO bulk (id, ended_at, sum, body) VALUES (?, ?, ?, ?)'),
      addOutcomes: database.prepare(
        'REPLACE INTO bulk_outcome (operation, first, sum, body) VALUES (?, ?, ?, ?)',
      ),
      read: database.prepare('SELECT id, sum, body FROM bulk WHERE id = ?'),
      open: database.prepare('SELECT id, sum, body FROM bulk WHERE ended_at IS NULL ORDER BY id'),
      newest: database.prepare('SELECT id, sum, body FROM bulk WHERE id < ? ORDER BY id DESC LIMIT ?'),
      last: database.prepare('SELECT id FROM bulk ORDER BY id DESC LIMIT 1'),
      // The chunk that contains the position, and those after it.
      outcomes: database.prepare(`
        SELECT first, sum, body FROM bulk_outcome WHERE operation = ?1 AND first >= coalesce(
          (SELECT max(first) FROM bulk_outcome WHERE operation = ?1 AND first <= ?2), 0)
        ORDER BY first LIMIT ?3`),
      ended: database.prepare('SELECT id FROM bulk WHERE ended_at < ? ORDER BY ended_at LIMIT 1'),
      forgetOutcomes: database.prepare(`
        DELETE FROM bulk_outcome WHERE operation = ?1 AND first IN (
          SELECT first FROM bulk_outcome WHERE operation = ?1 LIMIT ?2)`),
      forget: database.prepare('DELETE FROM bulk WHERE id = ?'),
    }
  }

  get last(): number {
    return (this.#sql.last.get() as { id: number } | undefined)?.id ?? 0
  }

  write(rows: readonly BulkRow[]): void {
    for (const { id, endedAt, body, outcomes } of rows) {
      this.#sql.write.run(id, endedAt, checksum(id, body), body)
      if (outcomes === null) continue
      this.#sql.addOutcomes.run(id, outcomes.first, outcomeSum(id, outcomes), outcomes.body)
    }
  }

  read(id: number): string | null {
    const row = this.#sql.read.get(id)
    return row === undefined ? null : checkedBody(row)
  }

  open(): string[] {
    return this.#sql.open.all().map(checkedBody)
  }

  /** The newest operations before this one. */
  newest(before: number, count: number): string[] {
    return this.#sql.newest.all(before, count).map(checkedBody)
  }

  /** Chunks from the one that contains the position on. */
  outcomes(operation: number, from: number, chunks: number): OutcomeRow[] {
    return this.#sql.outcomes.all(operation, from, chunks).map((row) => {
      const { first, sum, body } = row as { first: number; sum: number; body: string }
      requireSum('bulk_outcome', operation + first, body, sum)
      return { first, body }
    })
  }

  /** Removes operations that ended earlier, their outcomes first. */
  retain(olderThan: number, rows: number): number {
    let removed = 0
    while (removed < rows) {
      const ended = this.#sql.ended.get(olderThan) as { id: number } | undefined
      if (ended === undefined) break
      const outcomes = Number(this.#sql.forgetOutcomes.run(ended.id, rows - removed).changes)
      removed += outcomes
      if (removed >= rows) break
      removed += Number(this.#sql.forget.run(ended.id).changes)
    }
    return removed
  }
}

/** The sum covers operation and position, so a chunk under the wrong operation or at the wrong position is detected. */
function outcomeSum(operation: number, { first, body }: OutcomeRow): number {
  return checksum(operation + first, body)
}

function checkedBody(row: object): string {
  const { id, sum, body } = row as { id: number; sum: number; body: string }
  requireSum('bulk', id, body, sum)
  return body
}
