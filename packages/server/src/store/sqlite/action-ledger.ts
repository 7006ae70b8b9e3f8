// store/sqlite/action-ledger.ts: every action, once, in its last state, in the order in which they were queued.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../platform/string-hash.ts'
import { checksum, requireSum } from './checksum.ts'
import type { ActionRow } from './rows.ts'

interface KeptRow {
  readonly hash: number
  readonly body: string
  readonly sum: number
}

export interface NumberedBody {
  readonly number: number
  readonly body: string
}

const columns = 'monitor_hash AS hash, body, sum'

export class ActionLedger {
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare(`
        INSERT INTO action (id, monitor_hash, unsettled, changed_at, body, sum) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET unsettled = excluded.unsettled, changed_at = excluded.changed_at,
          body = excluded.body, sum = excluded.sum`),
      toGoOnWith: database.prepare(`
        SELECT ${columns} FROM action WHERE sequence IN (
          SELECT sequence FROM action WHERE unsettled > 0 UNION SELECT sequence FROM action WHERE changed_at >= ?
        ) ORDER BY sequence`),
      // Equal hashes are settled by comparing the identities.
      ofMonitor: database.prepare(`
        SELECT ${columns} FROM action WHERE monitor_hash = ? AND body ->> '$.monitorId' = ?
        ORDER BY sequence DESC LIMIT ?`),
      one: database.prepare(`SELECT ${columns} FROM action WHERE id = ?`),
      before: database.prepare(`
        SELECT sequence AS number, ${columns} FROM action WHERE sequence < ? ORDER BY sequence DESC LIMIT ?`),
      ofMonitorBefore: database.prepare(`
        SELECT sequence AS number, ${columns} FROM action
        WHERE monitor_hash = ? AND sequence < ? AND body ->> '$.monitorId' = ?
        ORDER BY sequence DESC LIMIT ?`),
      removeEnded: database.prepare(`
        DELETE FROM action WHERE sequence IN (
          SELECT sequence FROM action WHERE changed_at < ? AND unsettled < 2 ORDER BY changed_at LIMIT ?)`),
      removeMisdated: database.prepare(
        'DELETE FROM action WHERE id = ? AND changed_at > ? AND unsettled < 2',
      ),
    }
  }

  write(actions: readonly ActionRow[]): void {
    for (const { id, monitorHash, unsettled, changedAt, body } of actions)
      this.#sql.write.run(id, monitorHash, unsettled, changedAt, body, checksum(monitorHash, body))
  }

  toGoOnWith(changedSince: number): string[] {
    return bodies(this.#sql.toGoOnWith.all(changedSince) as unknown as KeptRow[])
  }

  newestOf(monitorId: string, limit: number): string[] {
    return bodies(this.#sql.ofMonitor.all(stableHash(monitorId), monitorId, limit) as unknown as KeptRow[])
  }

  read(id: string): string | null {
    return bodies(this.#sql.one.all(id) as unknown as KeptRow[])[0] ?? null
  }

  /** The newest first, of all monitors or of one, that were queued before the one with this number. */
  before(number: number, monitorId: string | null, limit: number): NumberedBody[] {
    const rows = (monitorId === null
      ? this.#sql.before.all(number, limit)
      : this.#sql.ofMonitorBefore.all(
          stableHash(monitorId),
          number,
          monitorId,
          limit,
        )) as unknown as (KeptRow & NumberedBody)[]
    bodies(rows)
    return rows.map(({ number: ofRow, body }) => ({ number: ofRow, body }))
  }

  retain(olderThan: number, rows: number): number {
    return Number(this.#sql.removeEnded.run(olderThan, rows).changes)
  }

  /** Those of them that ended at a time which is still to come. */
  removeMisdated(ids: readonly string[], now: number): void {
    for (const id of ids) this.#sql.removeMisdated.run(id, now)
  }
}

function bodies(rows: readonly KeptRow[]): string[] {
  for (const { hash, body, sum } of rows) requireSum('action of monitor', hash, body, sum)
  return rows.map(({ body }) => body)
}
