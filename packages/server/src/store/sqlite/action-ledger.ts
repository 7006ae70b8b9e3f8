// store/sqlite/action-ledger.ts: every action in its last state, in the order in which they were queued; and
// the incarnation of its monitor at the action's first commit, which never changes.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../platform/string-hash.ts'
import type { ActionRow } from '../rows.ts'
import { checksum, requireSum } from './checksum.ts'

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
      change: database.prepare(
        'UPDATE action SET unsettled = ?, changed_at = ?, body = ?, sum = ? WHERE id = ?',
      ),
      add: database.prepare(`
        INSERT INTO action (id, monitor_hash, unsettled, changed_at, body, sum, incarnation, incarnation_sum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
      incarnation: database.prepare(`
        SELECT monitor_hash AS hash, incarnation AS body, incarnation_sum AS sum FROM action
        WHERE id = ? AND incarnation IS NOT NULL`),
      toGoOnWith: database.prepare(`
        SELECT ${columns} FROM action WHERE sequence IN (
          SELECT sequence FROM action WHERE unsettled > 0 UNION SELECT sequence FROM action WHERE changed_at >= ?
        ) ORDER BY sequence`),
      // Hash collisions are resolved by comparing the identities.
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

  write(actions: readonly ActionRow[], uidOf: (monitorId: string) => string | null): void {
    for (const { id, monitorId, monitorHash: hash, unsettled, changedAt, body } of actions) {
      const sum = checksum(hash, body)
      if (this.#sql.change.run(unsettled, changedAt, body, sum, id).changes > 0) continue
      const uid = monitorId === null ? null : (uidOf(monitorId) ?? '')
      const uidSum = uid === null ? null : checksum(hash, uid)
      this.#sql.add.run(id, hash, unsettled, changedAt, body, sum, uid, uidSum)
    }
  }

  /** By action id; actions without one are left out. */
  incarnations(actionIds: readonly string[]): Map<string, string> {
    const found = new Map<string, string>()
    for (const id of actionIds) {
      const [uid] = bodies(this.#sql.incarnation.all(id) as unknown as KeptRow[])
      if (uid !== undefined) found.set(id, uid)
    }
    return found
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

  /** Actions of all monitors or of one that were queued before this number, newest first. */
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

  /** Removes those of them that ended in the future. */
  removeMisdated(ids: readonly string[], now: number): void {
    for (const id of ids) this.#sql.removeMisdated.run(id, now)
  }
}

function bodies(rows: readonly KeptRow[]): string[] {
  for (const { hash, body, sum } of rows) requireSum('action of monitor', hash, body, sum)
  return rows.map(({ body }) => body)
}
