// store/sqlite/push-table.ts: jobs that report by themselves, one row each. A signal rewrites one row, so a
// commit of many signals costs what they changed and not what there is.
import type { DatabaseSync } from 'node:sqlite'
import { pushText, type StoredPush } from '../push.ts'
import { checksum, requireSum } from './checksum.ts'

export function makePushTable(database: DatabaseSync): void {
  database.exec(
    'CREATE TABLE push (numeric_id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, body TEXT NOT NULL) STRICT',
  )
}

export interface PushRow {
  readonly numericId: number
  /** Null to remove it. */
  readonly body: string | null
}

export type KeptPush = PushRow & { readonly body: string }

export class PushTable {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare('REPLACE INTO push (numeric_id, sum, body) VALUES (?, ?, ?)'),
      remove: database.prepare('DELETE FROM push WHERE numeric_id = ?'),
      all: database.prepare('SELECT numeric_id AS numericId, sum, body FROM push ORDER BY numeric_id'),
    }
  }

  write(rows: readonly PushRow[]): void {
    for (const { numericId, body } of rows) {
      if (body === null) this.#sql.remove.run(numericId)
      else this.#sql.write.run(numericId, checksum(numericId, body), body)
    }
  }

  all(): KeptPush[] {
    const kept: KeptPush[] = []
    for (const row of this.#sql.all.iterate()) {
      const { numericId, sum, body } = row as unknown as KeptPush & { sum: number }
      requireSum('push', numericId, body, sum)
      kept.push({ numericId, body })
    }
    return kept
  }
}

export function pushRow({ numericId, push }: StoredPush): PushRow {
  return { numericId, body: push === null ? null : pushText(push) }
}
