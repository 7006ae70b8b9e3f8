// store/sqlite/identity-blocks.ts: the identities of monitors, 256 consecutive numeric ids in one text: a
// million rows would take seconds to write and to read. Each row also has the hashes of its identities; only
// these are kept in memory, four bytes per monitor, and lead from an identity to its block.
import type { DatabaseSync } from 'node:sqlite'
import { stableHash } from '../../platform/string-hash.ts'
import type { StoredIdentity } from '../store.ts'
import { checksum, requireSum } from './checksum.ts'

export const identitiesPerBlock = 256

export interface IdentityBlockRow {
  readonly block: number
  readonly rows: string
}

type IdentityRow = [
  numericId: number,
  monitorId: string,
  revision: number,
  fingerprint: string,
  checkFingerprint: string,
  removedAt: number | null,
  controlsBefore?: number,
]

export class IdentityBlocks {
  readonly #hashes = new Map<number, Uint32Array>()
  /** Hashes as of the open transaction. */
  readonly #nextHashes = new Map<number, Uint32Array>()
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      read: database.prepare('SELECT rows, sum FROM identity_block WHERE block = ?'),
      write: database.prepare('REPLACE INTO identity_block VALUES (?, ?, ?, ?, ?, ?)'),
      remove: database.prepare('DELETE FROM identity_block WHERE block = ?'),
      following: database.prepare(
        'SELECT block, rows, sum FROM identity_block WHERE block > ? ORDER BY block LIMIT ?',
      ),
      withRemoved: database.prepare('SELECT block FROM identity_block WHERE first_removed_at < ?'),
    }
    for (const row of database
      .prepare('SELECT block, hashes_sum AS sum, hashes FROM identity_block')
      .iterate()) {
      const { block, sum, hashes } = row as { block: number; sum: number; hashes: Uint8Array }
      requireSum('hashes of identity_block', block, hashes, sum)
      const column = new Uint32Array(identitiesPerBlock)
      new Uint8Array(column.buffer).set(hashes)
      this.#hashes.set(block, column)
    }
  }

  write(identities: readonly StoredIdentity[]): void {
    const byBlock = Map.groupBy(identities, ({ numericId }) => Math.floor(numericId / identitiesPerBlock))
    for (const [block, changed] of byBlock) {
      const rows = new Map(this.#rows(block).map((row) => [row[0], row]))
      for (const identity of changed) rows.set(identity.numericId, rowOf(identity))
      this.#write(
        block,
        [...rows.values()].sort(([one], [other]) => one - other),
      )
    }
  }

  settle(): void {
    for (const [block, hashes] of this.#nextHashes) this.#hashes.set(block, hashes)
    this.#nextHashes.clear()
  }

  discard(): void {
    this.#nextHashes.clear()
  }

  /** The numeric id, or null for an unknown identity. */
  find(monitorId: string): number | null {
    const hash = hashOf(monitorId)
    for (const [block, hashes] of this.#hashes) {
      if (!hashes.includes(hash)) continue
      const row = this.#rows(block).find((candidate) => candidate[1] === monitorId)
      if (row !== undefined) return row[0]
    }
    return null
  }

  /** Blocks in order, in stored form. */
  following(block: number, count: number): IdentityBlockRow[] {
    return this.#sql.following.all(block, count).map((row) => {
      const found = row as unknown as IdentityBlockRow & { sum: number }
      requireSum('identity_block', found.block, found.rows, found.sum)
      return { block: found.block, rows: found.rows }
    })
  }

  /** Removes monitors that left the fleet earlier, except those that are still needed. */
  retain(olderThan: number, rows: number, isNeeded: (numericId: number) => boolean): number {
    let removed = 0
    for (const { block } of this.#sql.withRemoved.all(olderThan) as { block: number }[]) {
      if (removed >= rows) break
      const before = this.#rows(block)
      const kept = before.filter(
        ([numericId, , , , , removedAt]) =>
          removedAt === null || removedAt >= olderThan || isNeeded(numericId),
      )
      if (kept.length < before.length) this.#write(block, kept)
      removed += before.length - kept.length
    }
    return removed
  }

  #rows(block: number): IdentityRow[] {
    const found = this.#sql.read.get(block) as { rows: string; sum: number } | undefined
    if (found === undefined) return []
    requireSum('identity_block', block, found.rows, found.sum)
    return JSON.parse(found.rows)
  }

  #write(block: number, rows: readonly IdentityRow[]): void {
    const hashes = new Uint32Array(identitiesPerBlock)
    for (const [numericId, monitorId] of rows) hashes[numericId % identitiesPerBlock] = hashOf(monitorId)
    this.#nextHashes.set(block, hashes)
    if (rows.length === 0) {
      this.#sql.remove.run(block)
      return
    }
    const removals = rows.map((row) => row[5]).filter((at) => at !== null)
    const firstRemovedAt = removals.length > 0 ? Math.min(...removals) : null
    const bytes = new Uint8Array(hashes.buffer)
    const text = JSON.stringify(rows)
    this.#sql.write.run(block, firstRemovedAt, checksum(block, bytes), bytes, checksum(block, text), text)
  }
}

/** 0 means no identity. */
function hashOf(monitorId: string): number {
  return stableHash(monitorId) || 1
}

function rowOf(identity: StoredIdentity): IdentityRow {
  const { numericId, monitorId, revision, fingerprint, checkFingerprint, removedAt, controlsBefore } =
    identity
  const row: IdentityRow = [numericId, monitorId, revision, fingerprint, checkFingerprint, removedAt]
  if (controlsBefore !== undefined) row.push(controlsBefore)
  return row
}

export function identitiesOf(rows: string): StoredIdentity[] {
  return (JSON.parse(rows) as IdentityRow[]).map(
    ([numericId, monitorId, revision, fingerprint, checkFingerprint, removedAt, controlsBefore]) => ({
      numericId,
      monitorId,
      revision,
      fingerprint,
      checkFingerprint,
      removedAt,
      ...(controlsBefore === undefined ? {} : { controlsBefore }),
    }),
  )
}
