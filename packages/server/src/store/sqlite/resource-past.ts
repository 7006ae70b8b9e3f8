// store/sqlite/resource-past.ts: replaced or deleted versions of resources, kept for some minutes under the
// change that ended them. A list as of a change shows a version that was made by then and ended later.
import type { DatabaseSync } from 'node:sqlite'
import { storeError } from '../store-errors.ts'
import { ExpiryScan } from './expiry-scan.ts'
import {
  endSum,
  requireResourceSum,
  type SummedRow,
  type VersionEnd,
  versionColumns,
} from './resource-sums.ts'
import type { SelectorMatch } from './selector-matches.ts'

/** Rows scanned per call: takes a few milliseconds, so that no commit waits long. */
const scannedAtOnce = 20_000

/** Ids after one and up to another; an empty blob sorts after every id. */
export interface IdRange {
  readonly kind: number
  readonly after: string
  readonly upTo: string | Uint8Array
}

export interface VisibleVersions {
  readonly rows: readonly SummedRow[]
  /** Everything up to here was read. */
  readonly upTo: IdRange['upTo']
}

type PastRow = SummedRow & VersionEnd & { readonly endSum: number }

export class ResourcePast {
  readonly #scan: ExpiryScan
  readonly #sql
  #count: number
  /** As of the open transaction. */
  #next: number

  constructor(database: DatabaseSync) {
    this.#scan = new ExpiryScan(
      database.prepare(`
        SELECT ended_by AS position, ended_at AS at FROM resource_past
        WHERE ended_by > ? ORDER BY ended_by LIMIT ?`),
    )
    const visible = (condition: string) =>
      database.prepare(`
        SELECT ${versionColumns}, ended_by AS endedBy, ended_at AS endedAt, end_sum AS endSum
        FROM resource_past INDEXED BY resource_past_by_id
        WHERE kind = ? AND id > ? AND id <= ? AND change <= ? AND ended_by > ? ${condition}
        ORDER BY id LIMIT ?`)
    this.#sql = {
      end: database.prepare(`
        INSERT INTO resource_past
        SELECT ?, ?, ?, kind, id, label_set, change, sum, body, sealed FROM resource WHERE kind = ? AND id = ?`),
      farthest: database.prepare(`
        SELECT id FROM resource_past INDEXED BY resource_past_by_id
        WHERE kind = ? AND id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ?`),
      visible: visible(''),
      matching: visible("AND substr(?, label_set + 1, 1) = x'01'"),
      oldest: database.prepare('SELECT ended_by AS endedBy FROM resource_past ORDER BY ended_by LIMIT 1'),
      expired: database.prepare(
        'SELECT ended_by AS endedBy FROM resource_past WHERE ended_by <= ? ORDER BY ended_by LIMIT ?',
      ),
      remove: database.prepare('DELETE FROM resource_past WHERE ended_by <= ?'),
    }
    const counted = database.prepare('SELECT count(*) AS count FROM resource_past').get()
    this.#count = counted!['count'] as number
    this.#next = this.#count
  }

  /** Moves the present version of a resource here before it is replaced or deleted. */
  take(version: { kind: number; id: string; change: number }, end: VersionEnd): void {
    const { kind, id } = version
    this.#sql.end.run(end.endedBy, end.endedAt, endSum(end, version), kind, id)
    this.#next++
  }

  /** The number of versions that are kept. */
  get count(): number {
    return this.#count
  }

  /** The oldest change whose ended version is kept; infinite if there is none. */
  get from(): number {
    const oldest = this.#sql.oldest.get() as { endedBy: number } | undefined
    return oldest?.endedBy ?? Number.POSITIVE_INFINITY
  }

  /** Versions in the range that existed at the change and have ended since, in id order. */
  visible(
    { kind, after, upTo }: IdRange,
    atChange: number,
    match: SelectorMatch | null,
    limit: number,
  ): VisibleVersions {
    const farthest = this.#sql.farthest.get(kind, after, upTo, scannedAtOnce - 1) as
      | { id: string }
      | undefined
    const end = farthest?.id ?? upTo
    const found =
      match === null
        ? this.#sql.visible.all(kind, after, end, atChange, atChange, limit)
        : this.#sql.matching.all(kind, after, end, atChange, atChange, match.flags, limit)
    const rows = found as unknown as PastRow[]
    for (const row of rows) requirePastSums(row)
    return { rows, upTo: rows.length < limit ? end : rows.at(-1)!.id }
  }

  /** Removes from the oldest on, at most this many. */
  retain(olderThan: number, now: number, rows: number): Forgotten {
    const { from } = this
    const expiredUpTo = from === Number.POSITIVE_INFINITY ? 0 : this.#scan.advance(from, olderThan, now)
    const expired = this.#sql.expired.all(expiredUpTo, rows) as unknown as { endedBy: number }[]
    const last = expired.at(-1)
    if (last === undefined) return { removed: 0, upTo: null }
    this.#sql.remove.run(last.endedBy)
    this.#next -= expired.length
    return { removed: expired.length, upTo: last.endedBy }
  }

  settle(): void {
    this.#count = this.#next
  }

  discard(): void {
    this.#next = this.#count
  }
}

interface Forgotten {
  readonly removed: number
  /** The last change whose ended version was removed; null for none. */
  readonly upTo: number | null
}

function requirePastSums(row: PastRow): void {
  requireResourceSum(row)
  if (endSum(row, row) !== row.endSum)
    throw storeError('corrupt', `(resource_past ${row.endedBy}: its checksum is wrong)`)
}
