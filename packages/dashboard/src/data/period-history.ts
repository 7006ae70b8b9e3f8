// data/period-history.ts: all events of one monitor since the start of a period, page by page, newest first, as far as
// they are kept. Bounded: for a monitor that changes constantly the oldest are left out, and the page says so.
import { v1Limits } from '@pulseward/contract'
import type { History, HistoryEvent } from './history.ts'
import type { Reading } from './reading.ts'
import { pathOf, readJson } from './request.ts'
import { useReading } from './use-reading.ts'

export interface PeriodHistory {
  /** In committed order, oldest first; includes those after the period and some before it. */
  readonly events: readonly HistoryEvent[]
  /** Whether it reaches back to the start of the period, as far as events are kept. */
  readonly isWhole: boolean
  readonly retentionDays: number
}

const mostPages = 20
/** Past events do not change. */
const everyMs = 60_000

/** Null reads nothing. Absent in the edition that keeps nothing. */
export function usePeriodHistory(monitorId: string | null, sinceMs: number): Reading<PeriodHistory> {
  const parameters = { monitor_id: monitorId, order: 'desc', limit: v1Limits.historyLimitMaximum }
  return useReading(`history since ${sinceMs}`, '/api/v1/history', {
    parameters,
    enabled: monitorId !== null,
    everyMs,
    read: (path, signal) => readSince(path, sinceMs, signal),
  })
}

async function readSince(path: string, sinceMs: number, signal: AbortSignal): Promise<PeriodHistory> {
  const newestFirst: HistoryEvent[] = []
  let address = path
  for (let page = 1; ; page++) {
    const { events, next_cursor, retention_days } = await readJson<History>(address, signal)
    newestFirst.push(...events)
    // After a clock was set back, events are not ordered by time: one page of older events is enough to stop.
    const isPast = events.every(({ at }) => Date.parse(at) < sinceMs)
    const isWhole = next_cursor === null || isPast
    if (isWhole || page === mostPages)
      return { events: newestFirst.toReversed(), isWhole, retentionDays: retention_days }
    address = `${path}&${pathOf('', { cursor: next_cursor }).slice(1)}`
  }
}
