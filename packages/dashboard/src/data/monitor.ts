import type { MonitorDetail as Detail, MainMonitorDetail } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** The stable identity is of the editions that keep state. */
export type MonitorDetail = MainMonitorDetail & Partial<Pick<Detail, 'monitor_id'>>

/** Null reads nothing. */
export function useMonitor(id: string | number | null): Reading<MonitorDetail> {
  return useReading('monitor', `/api/v1/monitors/${encodeURIComponent(id ?? '')}`, { enabled: id !== null })
}
