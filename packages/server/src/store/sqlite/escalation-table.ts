// store/sqlite/escalation-table.ts: pages and their members, a row each. All are read at a start: what has ended has no row.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../platform/string-hash.ts'
import type { EscalationRow, KeptEscalation } from '../escalation-rows.ts'
import { checksum, requireSum } from './checksum.ts'

export function makeEscalationTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE escalation (
      key TEXT PRIMARY KEY,
      key_hash INTEGER NOT NULL,
      sum INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `)
}

export class EscalationTable {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare('REPLACE INTO escalation (key, key_hash, sum, body) VALUES (?, ?, ?, ?)'),
      remove: database.prepare('DELETE FROM escalation WHERE key = ?'),
      all: database.prepare('SELECT key, key_hash AS hash, sum, body FROM escalation ORDER BY key'),
    }
  }

  write(rows: readonly EscalationRow[]): void {
    for (const { key, body } of rows) {
      const hash = stableHash(key)
      if (body === null) this.#sql.remove.run(key)
      else this.#sql.write.run(key, hash, checksum(hash, body), body)
    }
  }

  all(): KeptEscalation[] {
    return this.#sql.all.all().map((row) => {
      const { key, hash, sum, body } = row as unknown as KeptEscalation & { hash: number; sum: number }
      requireSum('escalation', hash, body, sum)
      return { key, body }
    })
  }
}
