import type { NextOverview, Overview as OverviewBody, Status } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** Every status is present on the wire. Only next counts snoozed monitors, and those that tell nobody. */
export type Overview = Omit<OverviewBody, 'by_status'> &
  Partial<Pick<NextOverview, 'snoozed' | 'tells_nobody'>> & {
    readonly by_status: Readonly<Record<Status, number>>
  }

export function useOverview(): Reading<Overview> {
  return useReading('overview', '/api/v1/overview')
}
