import type { NextState, State } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** Fields that only some editions serve may be absent. */
export type ServiceState = State & Partial<Pick<NextState, 'external_workers'>>

/** With a monitor's stable identity also its revision and actions. Absent in the edition that keeps nothing. */
export function useServiceState(monitorId?: string): Reading<ServiceState> {
  return useReading('state', '/api/v1/state', { parameters: { monitor_id: monitorId } })
}
