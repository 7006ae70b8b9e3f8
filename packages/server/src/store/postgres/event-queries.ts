// store/postgres/event-queries.ts: pages of events, of all monitors or of one, with or without those about writes to
// resources. Each part of a page is one range of an index, however many other events there are.
import { eventOf } from '../rows.ts'
import type { EventPage, EventQuery } from '../store.ts'
import type { ReadingPool } from './reading-pool.ts'

interface EventRow {
  readonly position: number
  readonly body: string
}

export async function readEvents(pool: ReadingPool, query: EventQuery): Promise<EventPage> {
  const { monitorId, order, upTo, after, limit } = query
  const head = await pool.one<{ oldest: number; numericId: number | null }>(
    `SELECT oldest, (SELECT numeric_id FROM identity WHERE monitor_id = $1 ORDER BY numeric_id LIMIT 1) AS "numericId"
     FROM head`,
    [monitorId],
  )
  const { oldest, numericId } = head!
  if (monitorId !== null && numericId === null) return { events: [], more: false, oldest }
  const lowest = order === 'asc' ? Math.max(oldest, (after ?? 0) + 1) : oldest
  const highest = order === 'asc' ? upTo : Math.min(upTo, (after ?? Number.MAX_SAFE_INTEGER) - 1)
  const rows = await pool.query<EventRow>(pageText(query, numericId), [
    ...[lowest, highest, limit + 1],
    ...(numericId === null ? [] : [numericId]),
  ])
  const events = rows.slice(0, limit).map(({ position, body }) => ({ ...eventOf(body), position }))
  return { events, more: rows.length > limit, oldest }
}

function pageText({ order, withoutResources = false }: EventQuery, numericId: number | null): string {
  const inOrder = `ORDER BY position ${order === 'asc' ? 'ASC' : 'DESC'} LIMIT $3`
  const part = (condition: string) =>
    `SELECT position, body FROM event WHERE ${condition} position BETWEEN $1 AND $2 ${inOrder}`
  if (numericId === null) return part(withoutResources ? 'NOT of_resource AND' : '')
  const own = part('numeric_id = $4 AND of_resource = false AND')
  if (withoutResources) return own
  return `(${own}) UNION ALL (${part('numeric_id = $4 AND of_resource = true AND')}) ${inOrder}`
}
