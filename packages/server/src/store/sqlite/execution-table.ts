// store/sqlite/execution-table.ts: jobs granted to external workers, each in its last state. Ids rise with
// time, so rows written together are adjacent.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../platform/string-hash.ts'
import type { ExecutionRow } from '../execution-rows.ts'
import { checksum, requireSum } from './checksum.ts'

export function makeExecutionTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE execution (
      id TEXT PRIMARY KEY,
      id_hash INTEGER NOT NULL,
      forget_at REAL,                    -- NULL while it runs
      sum INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX execution_by_end ON execution (forget_at);
  `)
}

export class ExecutionTable {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare(
        'REPLACE INTO execution (id, id_hash, forget_at, sum, body) VALUES (?, ?, ?, ?, ?)',
      ),
      read: database.prepare('SELECT id_hash AS hash, sum, body FROM execution WHERE id = ?'),
      open: database.prepare(
        'SELECT id_hash AS hash, sum, body FROM execution WHERE forget_at IS NULL ORDER BY id',
      ),
      forget: database.prepare(`
        DELETE FROM execution WHERE id IN (SELECT id FROM execution WHERE forget_at < ? LIMIT ?) RETURNING id`),
    }
  }

  write(rows: readonly ExecutionRow[]): void {
    for (const { id, forgetAt: end, body } of rows) {
      const hash = stableHash(id)
      this.#sql.write.run(id, hash, end, checksum(hash, body), body)
    }
  }

  read(id: string): string | null {
    const row = this.#sql.read.get(id)
    return row === undefined ? null : checkedBody(row)
  }

  open(): string[] {
    return this.#sql.open.all().map(checkedBody)
  }

  /** Removes expired executions and returns their ids. */
  retain(now: number, rows: number): string[] {
    return this.#sql.forget.all(now, Math.max(0, rows)).map(({ id }) => String(id))
  }
}

function checkedBody(row: object): string {
  const { hash, sum, body } = row as { hash: number; sum: number; body: string }
  requireSum('execution', hash, body, sum)
  return body
}
