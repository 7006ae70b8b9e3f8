import type { State } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** With a monitor's stable identity also its revision and actions. Absent in the edition that keeps nothing. */
export function useServiceState(monitorId?: string): Reading<State> {
  return useReading('state', '/api/v1/state', { parameters: { monitor_id: monitorId } })
}
