import type { MonitorDetail as Detail, MainMonitorDetail, NextMonitorDetail } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** The stable identity is of the editions that keep state; who is told, the open incident and the last checks are of next. */
export type MonitorDetail = MainMonitorDetail &
  Partial<Pick<Detail, 'monitor_id'>> &
  Partial<Pick<NextMonitorDetail, 'audience' | 'incident_id' | 'last_checks'>>

/** Null reads nothing. */
export function useMonitor(id: string | number | null): Reading<MonitorDetail> {
  return useReading('monitor', pathOf(id), { enabled: id !== null })
}

/** The name that a monitor had when it was last read, also when it is gone since; null when it never was. */
export function useLastName(id: string): string | null {
  return useQueryClient().getQueryData<MonitorDetail>(['monitor', pathOf(id)])?.name ?? null
}

function pathOf(id: string | number | null): string {
  return `/api/v1/monitors/${encodeURIComponent(id ?? '')}`
}
