import type { NextHistory, NextHistoryEvent } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** Of any edition: the one with controls has more kinds of events. */
export type HistoryEvent = NextHistoryEvent
export type History = NextHistory

export interface HistoryPage {
  readonly monitorId?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Absent in the edition that keeps nothing. */
export function useHistory({ monitorId, order, limit, cursor }: HistoryPage = {}): Reading<History> {
  const parameters = { monitor_id: monitorId, order, limit, cursor }
  return useReading('history', '/api/v1/history', { parameters, keepPrevious: true })
}
