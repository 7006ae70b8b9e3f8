// store/sqlite/event-log.ts: events in commit order. There is no index by monitor: it would cost each event another page
// somewhere in a large tree. Instead each event points to the previous one of the same monitor, and every 64th event of a
// monitor is marked in a small index, so that reading a page in either order visits at most 64 extra events. Events about
// a monitor as a resource form a separate chain, so readers that do not want them never visit them.
import type { DatabaseSync } from 'node:sqlite'
import type { EventRow } from '../rows.ts'
import type { EventQuery } from '../store.ts'
import { storeError } from '../store-errors.ts'
import { ChainHeads, type Head, turns } from './chain-heads.ts'
import { checksum, requireSum } from './checksum.ts'
import { ExpiryScan } from './expiry-scan.ts'
import type { LogRow } from './log-row.ts'
import { ResourceRuns } from './resource-runs.ts'

/** A start reads the events since the last sweep again: about this many, plus those that came during the sweep. */
const sweepEvery = 200_000
/** Written with each commit; few enough that none takes long: 64 KiB. */
const blocksACommit = 8

interface ChainedRow {
  readonly position: number
  readonly previous: number
  readonly body: string
  readonly sum: number
}

export interface EventRowsPage {
  readonly rows: readonly { readonly position: number; readonly body: string }[]
  readonly more: boolean
  readonly oldest: number
}

const markedTurn = 0
/** For events of the service itself, which are in no chain. */
const unchained = { previous: 0, turn: 1 }

const columns = 'position, previous, body, sum'

/** The chain of events about a monitor as a resource, separate from the chain of its own number. */
function resourceChain(numericId: number): number {
  return -1 - numericId
}

export class EventLog {
  readonly #log: LogRow
  readonly #heads = new ChainHeads()
  /** Heads as of the open transaction. */
  readonly #nextHeads = new Map<number, Head>()
  /** The log position at which the current sweep began. */
  #sweepFrom: number | null = null
  /** Head blocks that the open transaction writes. */
  #written: number[] = []
  readonly #scan: ExpiryScan
  readonly #runs: ResourceRuns
  readonly #sql

  constructor(database: DatabaseSync, log: LogRow) {
    this.#log = log
    this.#scan = new ExpiryScan(
      database.prepare('SELECT position, at FROM event WHERE position > ? ORDER BY position LIMIT ?'),
    )
    this.#runs = new ResourceRuns(database)
    this.#sql = {
      append: database.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)'),
      mark: database.prepare('INSERT INTO event_mark VALUES (?, ?)'),
      writeHeads: database.prepare('REPLACE INTO event_heads (block, sum, bytes) VALUES (?, ?, ?)'),
      one: database.prepare(`SELECT ${columns} FROM event WHERE position = ?`),
      up: database.prepare(
        `SELECT ${columns} FROM event WHERE position >= ? AND position <= ? ORDER BY position LIMIT ?`,
      ),
      down: database.prepare(
        `SELECT ${columns} FROM event WHERE position >= ? AND position <= ? ORDER BY position DESC LIMIT ?`,
      ),
      markFrom: database.prepare(
        'SELECT position FROM event_mark WHERE numeric_id = ? AND position >= ? ORDER BY position LIMIT 1 OFFSET ?',
      ),
      expired: database.prepare(
        `SELECT position, numeric_id, turn, octet_length(body) AS bytes,
           iif(at > ? AND json_valid(body), body ->> '$.actionId', NULL) AS actionId
         FROM event WHERE position BETWEEN ? AND ? ORDER BY position LIMIT ?`,
      ),
      remove: database.prepare('DELETE FROM event WHERE position < ?'),
      unmark: database.prepare('DELETE FROM event_mark WHERE numeric_id = ? AND position = ?'),
    }
    this.#loadHeads(database)
  }

  append(events: readonly EventRow[]): void {
    const { next } = this.#log
    const ofResources: number[] = []
    this.#sweepOn()
    for (const { numericId, at, body, isOfResource = false } of events) {
      const position = ++next.position
      next.historyBytes += Buffer.byteLength(body)
      if (isOfResource) ofResources.push(position)
      const chain = numericId !== null && isOfResource ? resourceChain(numericId) : numericId
      const { previous, turn } = chain === null ? unchained : this.#chain(chain, position)
      const sum = checksum(position, body)
      this.#sql.append.run(position, chain, previous, turn, at, body, sum)
    }
    this.#runs.append(ofResources)
  }

  settle(): void {
    this.#runs.settle()
    this.#heads.written(this.#written)
    if (this.#log.next.headsUpTo === this.#sweepFrom) this.#sweepFrom = null
    this.#written = []
    for (const [numericId, head] of this.#nextHeads) this.#heads.set(numericId, head)
    this.#nextHeads.clear()
  }

  discard(): void {
    this.#runs.discard()
    this.#written = []
    this.#nextHeads.clear()
  }

  /** `numericId` is that of the queried monitor; null for the events of all. */
  read(query: EventQuery, numericId: number | null): EventRowsPage {
    const wanted = query.limit + 1
    const rows = numericId === null ? this.#readAll(query, wanted) : this.#readOf(query, numericId, wanted)
    for (const { position, body, sum } of rows) requireSum('event', position, body, sum)
    const page = rows.slice(0, query.limit).map(({ position, body }) => ({ position, body }))
    return { rows: page, more: rows.length > query.limit, oldest: this.#log.committed.oldest }
  }

  /** As of the open transaction. */
  hasEvents(numericId: number): boolean {
    const { oldest } = this.#log.next
    return [numericId, resourceChain(numericId)].some((chain) => this.#heads.get(chain).position >= oldest)
  }

  /**
   * Removes expired events from the oldest on, so that chains only lose their tail. Returns the actions of
   * removed events with a time in the future: these actions have no other age.
   */
  retain(olderThan: number, now: number, rows: number): { removed: number; misdatedActions: string[] } {
    const { next } = this.#log
    const expiredUpTo = this.#scan.advance(next.oldest, olderThan, now)
    const misdatedActions: string[] = []
    let removed = 0
    for (const row of this.#sql.expired.all(now, next.oldest, expiredUpTo, rows)) {
      next.oldest = (row['position'] as number) + 1
      next.historyBytes -= row['bytes'] as number
      if (row['turn'] === markedTurn) this.#sql.unmark.run(row['numeric_id']!, row['position']!)
      if (row['actionId'] !== null) misdatedActions.push(row['actionId'] as string)
      removed++
    }
    if (removed > 0) {
      this.#sql.remove.run(next.oldest)
      this.#runs.retain(next.oldest)
    }
    return { removed, misdatedActions }
  }

  /** Writes all heads at once, so that the next start need not read the log. */
  writeHeads(): void {
    this.#beginSweep()
    this.#sweep(Number.POSITIVE_INFINITY)
  }

  #chain(numericId: number, position: number): { previous: number; turn: number } {
    const before = this.#nextHeads.get(numericId) ?? this.#heads.get(numericId)
    const turn = (before.turn + 1) % turns
    this.#nextHeads.set(numericId, { position, turn })
    if (turn === markedTurn) this.#sql.mark.run(numericId, position)
    return { previous: before.position, turn }
  }

  #sweepOn(): void {
    const { position, headsUpTo } = this.#log.committed
    if (this.#sweepFrom === null && position - headsUpTo >= sweepEvery) this.#beginSweep()
    if (this.#sweepFrom !== null) this.#sweep(blocksACommit)
  }

  #beginSweep(): void {
    this.#heads.beginSweep()
    this.#sweepFrom = this.#log.committed.position
  }

  #sweep(blocks: number): void {
    for (const { block, bytes } of this.#heads.waitingBlocks(blocks)) {
      this.#sql.writeHeads.run(block, checksum(block, bytes), bytes)
      this.#written.push(block)
    }
    if (this.#written.length === this.#heads.sweeping) this.#log.next.headsUpTo = this.#sweepFrom!
  }

  #readAll(query: EventQuery, wanted: number): ChainedRow[] {
    const { order, upTo, after, withoutResources = false } = query
    const { oldest, position } = this.#log.committed
    const lowest = order === 'asc' ? Math.max(oldest, (after ?? 0) + 1) : oldest
    const highest = order === 'asc' ? upTo : Math.min(upTo, (after ?? Number.POSITIVE_INFINITY) - 1)
    const span = { first: lowest, last: Math.min(highest, position) }
    const read = order === 'asc' ? this.#sql.up : this.#sql.down
    const rows: ChainedRow[] = []
    for (const { first, last } of withoutResources ? this.#runs.between(span, order) : [span]) {
      const found = read.all(first, last, wanted - rows.length) as unknown as ChainedRow[]
      rows.push(...found)
      if (rows.length >= wanted) break
    }
    return rows
  }

  /** The events of one monitor: its own chain and its resource chain. */
  #readOf(query: EventQuery, numericId: number, wanted: number): ChainedRow[] {
    const own = this.#readChain(query, numericId, wanted)
    if (query.withoutResources) return own
    const asResource = this.#readChain(query, resourceChain(numericId), wanted)
    const sign = query.order === 'asc' ? 1 : -1
    return [...own, ...asResource]
      .sort((one, other) => sign * (one.position - other.position))
      .slice(0, wanted)
  }

  #readChain({ order, upTo, after }: EventQuery, numericId: number, wanted: number): ChainedRow[] {
    if (order === 'desc') {
      const highest = after === null ? upTo : Math.min(upTo, after - 1)
      return this.#walk(this.#startAbove(numericId, highest, 0), 0, highest, wanted)
    }
    // Between `after` and the mark found here there are at least `wanted` events of the monitor.
    const lowest = after ?? 0
    const start = this.#startAbove(numericId, lowest + 1, Math.ceil(wanted / turns))
    const rows = this.#walk(start, lowest, upTo, Number.POSITIVE_INFINITY)
    return rows.reverse().slice(0, wanted)
  }

  /** The chain position of the mark at or above the position, this many marks further; the head if there are fewer. */
  #startAbove(numericId: number, position: number, marks: number): number {
    const mark = this.#sql.markFrom.get(numericId, position, marks)
    return (mark?.['position'] as number | undefined) ?? this.#heads.get(numericId).position
  }

  /** Walks down the chain, above `floor` and up to `ceiling`. It stops where retention has removed events. */
  #walk(start: number, floor: number, ceiling: number, wanted: number): ChainedRow[] {
    const rows: ChainedRow[] = []
    const end = Math.max(floor, this.#log.committed.oldest - 1)
    for (let position = start; position > end && rows.length < wanted; ) {
      const row = this.#sql.one.get(position) as ChainedRow | undefined
      if (row === undefined) throw storeError('corrupt', `(event ${position} is missing)`)
      if (position <= ceiling) rows.push(row)
      position = row.previous
    }
    return rows
  }

  #loadHeads(database: DatabaseSync): void {
    for (const row of database.prepare('SELECT block, sum, bytes FROM event_heads').all()) {
      const { block, sum, bytes } = row as { block: number; sum: number; bytes: Uint8Array }
      requireSum('event_heads', block, bytes, sum)
      this.#heads.load(block, bytes)
    }
    const later = database.prepare(
      'SELECT position, numeric_id AS numericId, turn FROM event WHERE position > ? AND numeric_id IS NOT NULL ORDER BY position',
    )
    for (const row of later.iterate(this.#log.committed.headsUpTo)) {
      const { numericId, position, turn } = row as unknown as Head & { numericId: number }
      this.#heads.set(numericId, { position, turn })
    }
  }
}
