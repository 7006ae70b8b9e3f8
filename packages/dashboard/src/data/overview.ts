import type { NextOverview, Overview as OverviewBody, Status } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** Every status is present on the wire; only the edition with snoozes counts them. */
export type Overview = Omit<OverviewBody, 'by_status'> &
  Partial<Pick<NextOverview, 'snoozed'>> & {
    readonly by_status: Readonly<Record<Status, number>>
  }

export function useOverview(): Reading<Overview> {
  return useReading('overview', '/api/v1/overview')
}
