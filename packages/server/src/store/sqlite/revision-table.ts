// store/sqlite/revision-table.ts: what things were before they changed, a row each, by kind, id and the end of each.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../platform/string-hash.ts'
import {
  inForce,
  type KeptRevisionRow,
  type RevisionQuery,
  type RevisionRow,
  sharedKinds,
} from '../revision.ts'
import { checksum, requireSum } from './checksum.ts'

export function makeRevisionTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE revision (
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      until REAL NOT NULL,               -- ${inForce} while it is in force
      key_hash INTEGER NOT NULL,
      sum INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (kind, id, until)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX revision_by_end ON revision (until);
  `)
}

const columns = 'kind, id, until, key_hash AS hash, sum, body'

export class RevisionTable {
  readonly #sql

  constructor(database: DatabaseSync) {
    const kinds = sharedKinds.map((kind) => `'${kind}'`).join(', ')
    this.#sql = {
      write: database.prepare(
        'REPLACE INTO revision (kind, id, until, key_hash, sum, body) VALUES (?, ?, ?, ?, ?, ?)',
      ),
      remove: database.prepare('DELETE FROM revision WHERE kind = ? AND id = ? AND until = ?'),
      inForce: database.prepare(`SELECT ${columns} FROM revision WHERE until = ${inForce} ORDER BY kind, id`),
      ofMonitor: database.prepare(`
        SELECT ${columns} FROM revision
        WHERE kind = 'Monitor' AND id = ? AND until > ? AND until < ${inForce} ORDER BY until LIMIT 1`),
      // With min(), the other columns are those of the same row.
      shared: database.prepare(`
        SELECT kind, id, min(until) AS until, key_hash AS hash, sum, body FROM revision
        WHERE kind IN (${kinds}) AND until > ? AND until < ${inForce} GROUP BY kind, id ORDER BY kind, id`),
      count: database.prepare('SELECT count(*) AS count FROM revision'),
      forget: database.prepare(`
        DELETE FROM revision WHERE (kind, id, until) IN (
          SELECT kind, id, until FROM revision WHERE until < ? ORDER BY until LIMIT ?)`),
    }
  }

  write(rows: readonly RevisionRow[]): void {
    for (const { kind, id, until, body } of rows) {
      if (body === null) {
        this.#sql.remove.run(kind, id, until)
        continue
      }
      const hash = revisionHash({ kind, id, until })
      this.#sql.write.run(kind, id, until, hash, checksum(hash, body), body)
    }
  }

  inForce(): KeptRevisionRow[] {
    return this.#sql.inForce.all().map(checked)
  }

  /** Of the monitor and of each thing that is not a monitor, the first that ended after the instant. */
  read({ monitorId, at }: RevisionQuery): KeptRevisionRow[] {
    return [...this.#sql.ofMonitor.all(monitorId, at), ...this.#sql.shared.all(at)].map(checked)
  }

  get count(): number {
    return Number(this.#sql.count.get()!['count'])
  }

  retain(olderThan: number, rows: number): number {
    return Number(this.#sql.forget.run(olderThan, Math.max(0, rows)).changes)
  }
}

function revisionHash({ kind, id, until }: Pick<RevisionRow, 'kind' | 'id' | 'until'>): number {
  return stableHash(`${kind} ${id} ${until}`)
}

function checked(row: object): KeptRevisionRow {
  const { hash, sum, ...kept } = row as KeptRevisionRow & { hash: number; sum: number }
  requireSum('revision', hash, kept.body, sum)
  return kept
}
