import { type NextHistory, type NextHistoryEvent, v1Limits } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** From any edition: the one with controls has more kinds of events, and notes. */
export type HistoryEvent = Omit<NextHistoryEvent, 'note'> & Partial<Pick<NextHistoryEvent, 'note'>>
export type History = Omit<NextHistory, 'events'> & { readonly events: readonly HistoryEvent[] }

export interface HistoryPage {
  readonly monitorId?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** One page shared by all parts of a view that show the newest events: it is read once. */
export const newestEvents: HistoryPage = { order: 'desc', limit: v1Limits.historyLimitMaximum }

/** Absent in the edition that keeps nothing. */
export function useHistory({ monitorId, order, limit, cursor }: HistoryPage = {}): Reading<History> {
  const parameters = { monitor_id: monitorId, order, limit, cursor }
  return useReading('history', '/api/v1/history', { parameters, keepPrevious: true })
}
