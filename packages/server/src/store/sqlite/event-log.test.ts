import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { EventLog } from './event-log.ts'
import { bringForward } from './format.ts'
import { LogRow } from './log-row.ts'

function newLog() {
  const database = new DatabaseSync(':memory:')
  bringForward(database)
  const open = () => {
    const row = new LogRow(database, 'run')
    return { row, events: new EventLog(database, row) }
  }
  const commit = ({ row, events }: ReturnType<typeof open>, owners: readonly number[], at = 1) => {
    events.append(owners.map((numericId) => ({ numericId, at, body: `of ${numericId}` })))
    row.write()
    events.settle()
    row.settle()
  }
  return { database, open, commit }
}

const query = {
  monitorId: 'any',
  order: 'desc',
  upTo: Number.MAX_SAFE_INTEGER,
  after: null,
  limit: 500,
} as const

describe('the event log', () => {
  it('finds the last event of every monitor again, wherever the sweep of heads was', { tags: 'long' }, () => {
    const { database, open, commit } = newLog()
    let log = open()
    const monitors = 40_000
    for (let round = 0; round < 30; round++) {
      const owners = Array.from({ length: 10_000 }, (_, index) => (round * 7_919 + index * 3) % monitors)
      commit(log, owners)
    }
    const swept = { ...database.prepare('SELECT heads_up_to AS upTo FROM log').get() } as { upTo: number }
    const blocks = database.prepare('SELECT count(*) AS count FROM event_heads').get()!['count']
    expect(blocks).toBeGreaterThan(8)
    expect(swept.upTo).toBeGreaterThan(0)
    const last = new Map<number, number>()
    for (const row of database
      .prepare('SELECT position, numeric_id AS owner FROM event ORDER BY position')
      .all())
      last.set(row['owner'] as number, row['position'] as number)
    log = open()
    const found = [...last.keys()].map((owner) => [
      owner,
      log.events.read({ ...query, limit: 1 }, owner).rows[0]?.position,
    ])
    // Compared as text: many thousand expectations cost more than what they look at.
    expect(JSON.stringify(found)).toBe(JSON.stringify([...last]))
  })

  it('forgets what a transaction that failed had appended', () => {
    const { database, open, commit } = newLog()
    const log = open()
    commit(log, [1, 2])
    database.exec('BEGIN')
    log.events.append([{ numericId: 1, at: 1, body: 'lost' }])
    database.exec('ROLLBACK')
    log.events.discard()
    log.row.discard()
    commit(log, [1])
    expect(log.events.read(query, 1).rows).toEqual([
      { position: 3, body: 'of 1' },
      { position: 1, body: 'of 1' },
    ])
  })

  it('walks little more than a page of a monitor with many events, in either order', () => {
    const { database, open, commit } = newLog()
    const log = open()
    for (let round = 0; round < 30; round++)
      commit(
        log,
        Array.from({ length: 1_000 }, () => 5),
      )
    // Removes everything far from the page: a read that walks there fails.
    database.exec('DELETE FROM event WHERE position BETWEEN 1201 AND 28799')
    const positions = (order: 'asc' | 'desc', after: number) =>
      log.events.read({ ...query, order, after }, 5).rows.map(({ position }) => position)
    expect(positions('asc', 500)).toEqual(Array.from({ length: 500 }, (_, index) => 501 + index))
    expect(positions('desc', 29_500)).toEqual(Array.from({ length: 500 }, (_, index) => 29_499 - index))
  })

  it('finds what is old behind any number of events that were stamped in the future, a part at a time', () => {
    const { open, commit } = newLog()
    const log = open()
    const [old, now, future] = [10, 1_000, 1_000_000]
    commit(log, Array<number>(25_000).fill(1), future)
    commit(log, [2], old)
    commit(log, [2], now)
    const removed: number[] = []
    for (let call = 0; call < 4; call++) {
      removed.push(log.events.retain(500, now, 15_000).removed)
      log.row.settle()
    }
    expect(removed).toEqual([0, 0, 15_000, 10_001])
    expect(log.events.read(query, 2).rows).toHaveLength(1)
  })

  it('calls a chain with a missing event damaged', () => {
    const { database, open, commit } = newLog()
    const log = open()
    commit(log, [1, 1, 1])
    database.exec('DELETE FROM event WHERE position = 2')
    expect(() => log.events.read(query, 1)).toThrow(/damaged.*event 2 is missing/)
  })
})
