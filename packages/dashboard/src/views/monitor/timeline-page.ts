// views/monitor/timeline-page.ts: which page of the history is shown, according to the URL, and which edits of the
// monitor belong to it. Pages come from v1, which does not report edits; ids of both are positions in one log.
import type { v2 } from '@pulseward/contract'
import type { History, HistoryPage } from '../../data/history.ts'

const eventsOfPage = 100

/** The newest page; the same for all parts of the view, so that it is read once. */
export function newestOfMonitor(monitorId: string): HistoryPage {
  return { monitorId, order: 'desc', limit: eventsOfPage }
}

export interface OlderPage {
  readonly cursor: string
  /** The oldest event of the previous page; null if the URL does not have it. */
  readonly beforeId: string | null
}

/** Null for the newest page. */
export function olderPageOf(parameter: string | null): OlderPage | null {
  if (parameter === null) return null
  const [, beforeId = null, cursor = parameter] = /^(\d+)\.(.*)$/.exec(parameter) ?? []
  return { cursor, beforeId }
}

/** The parameter of the next page; null if this is the last. */
export function nextParameter({
  events,
  next_cursor,
}: Pick<History, 'events' | 'next_cursor'>): string | null {
  const oldest = events.at(-1)
  if (next_cursor === null || oldest === undefined) return null
  return `${oldest.id}.${next_cursor}`
}

/** Each edit is on one page: that of the next older event, or the last. `events`: those of a page, newest first. */
export function editsOnPage(
  edits: readonly v2.Event[],
  { events, next_cursor }: Pick<History, 'events' | 'next_cursor'>,
  older: OlderPage | null,
): readonly v2.Event[] {
  const sinceId = next_cursor === null ? 0 : Number(events.at(-1)?.id ?? 0)
  const newest = events[0]?.id ?? 0
  const beforeId = older === null ? Number.POSITIVE_INFINITY : Number(older.beforeId ?? newest)
  return edits.filter(({ id }) => Number(id) > sinceId && Number(id) < beforeId)
}
