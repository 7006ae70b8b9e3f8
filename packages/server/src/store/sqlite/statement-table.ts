// store/sqlite/statement-table.ts: the statements of workers about their jobs, one per row. A row is written
// once and only read where speed does not matter; it is removed with its execution.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../platform/string-hash.ts'
import type { StatementRow } from '../execution-rows.ts'
import { checksum, requireSum } from './checksum.ts'

export function makeStatementTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE worker_statement (
      execution TEXT NOT NULL,
      id TEXT NOT NULL,
      execution_hash INTEGER NOT NULL,
      sum INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (execution, id)
    ) STRICT, WITHOUT ROWID;
  `)
}

export class StatementTable {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare(
        'REPLACE INTO worker_statement (execution, id, execution_hash, sum, body) VALUES (?, ?, ?, ?, ?)',
      ),
      read: database.prepare(`
        SELECT id, execution_hash AS hash, sum, body FROM worker_statement WHERE execution = ? ORDER BY id`),
      forget: database.prepare('DELETE FROM worker_statement WHERE execution = ?'),
    }
  }

  write(rows: readonly StatementRow[]): void {
    for (const { executionId, id, body } of rows) {
      const hash = stableHash(executionId)
      this.#sql.write.run(executionId, id, hash, checksum(hash, body), body)
    }
  }

  read(executionId: string): StatementRow[] {
    return this.#sql.read.all(executionId).map((row) => {
      const { id, hash, sum, body } = row as { id: string; hash: number; sum: number; body: string }
      requireSum('statement about execution', hash, body, sum)
      return { executionId, id, body }
    })
  }

  forget(executionIds: readonly string[]): void {
    for (const id of executionIds) this.#sql.forget.run(id)
  }
}
