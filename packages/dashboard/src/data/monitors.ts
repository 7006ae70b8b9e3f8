import type {
  MainMonitorRow,
  MonitorList as MonitorListBody,
  MonitorSort,
  NextMonitorRow,
} from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** Editions that keep state add the stable identity, the one with controls the end of a snooze. */
export type MonitorRow = MainMonitorRow & Partial<Pick<NextMonitorRow, 'monitor_id' | 'snoozed_until'>>
export type MonitorList = Omit<MonitorListBody, 'monitors'> & { readonly monitors: readonly MonitorRow[] }

export interface MonitorFilter {
  readonly status?: string | undefined
  readonly type?: string | undefined
  readonly code?: string | undefined
  readonly snoozed?: 'true' | 'false' | undefined
  readonly q?: string | undefined
  readonly tells_nobody?: 'true' | undefined
  readonly tag?: string | undefined
  /** As `key=value`, or a key alone. */
  readonly label?: string | undefined
  /** The name of a destination. */
  readonly told?: string | undefined
  /** The name of a group of destinations. */
  readonly group?: string | undefined
}

/** With a minus from the other end. */
export type MonitorOrder = MonitorSort | `-${MonitorSort}`

export interface MonitorPage extends MonitorFilter {
  readonly page?: number | undefined
  readonly size?: number | undefined
  /** By name unless given. */
  readonly sort?: MonitorOrder | undefined
}

export function useMonitors(
  page: MonitorPage = {},
  { enabled = true }: { readonly enabled?: boolean } = {},
): Reading<MonitorList> {
  return useReading('monitors', '/api/v1/monitors', { parameters: { ...page }, keepPrevious: true, enabled })
}
