// store/sqlite/operation-log.ts: the records of operations by number, each in its last state.
import type { DatabaseSync } from 'node:sqlite'
import type { OperationRow } from '../resource-rows.ts'
import { checksum, requireSum } from './checksum.ts'

export class OperationLog {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare('REPLACE INTO operation (id, sum, body) VALUES (?, ?, ?)'),
      read: database.prepare('SELECT id, sum, body FROM operation WHERE id = ?'),
      last: database.prepare('SELECT id FROM operation ORDER BY id DESC LIMIT 1'),
      forget: database.prepare(`
        DELETE FROM operation WHERE id IN (SELECT id FROM operation WHERE id <= ? ORDER BY id LIMIT ?)`),
    }
  }

  get last(): number {
    return (this.#sql.last.get() as { id: number } | undefined)?.id ?? 0
  }

  write(operations: readonly OperationRow[]): void {
    for (const { id, body } of operations) this.#sql.write.run(id, checksum(id, body), body)
  }

  read(id: number): OperationRow | null {
    const row = this.#sql.read.get(id) as { id: number; sum: number; body: string } | undefined
    if (row === undefined) return null
    requireSum('operation', id, row.body, row.sum)
    return { id, body: row.body }
  }

  /** Removes all but the last `kept`. */
  retain(kept: number, rows: number): number {
    return Number(this.#sql.forget.run(this.last - kept, rows).changes)
  }
}
