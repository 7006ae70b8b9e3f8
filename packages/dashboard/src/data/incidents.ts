import type {
  IncidentList as IncidentListBody,
  Incident as IncidentRow,
  MainIncident,
  NextIncident,
} from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** The stable identity is of the editions that keep state, the end of a snooze of the one with controls. */
export type Incident = MainIncident &
  Partial<Pick<IncidentRow, 'monitor_id'> & Pick<NextIncident, 'snoozed_until'>>
export type IncidentList = Omit<IncidentListBody, 'incidents'> & { readonly incidents: readonly Incident[] }

export function useIncidents(
  page: { readonly page?: number; readonly size?: number } = {},
): Reading<IncidentList> {
  return useReading('incidents', '/api/v1/incidents', { parameters: { ...page }, keepPrevious: true })
}
