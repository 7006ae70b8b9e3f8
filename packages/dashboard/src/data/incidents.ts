import type {
  IncidentList as IncidentListBody,
  Incident as IncidentRow,
  MainIncident,
  NextIncident,
} from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** Editions that keep state add the stable identity, the one with controls the end of a snooze. */
export type Incident = MainIncident &
  Partial<Pick<IncidentRow, 'monitor_id'> & Pick<NextIncident, 'snoozed_until'>>
export type IncidentList = Omit<IncidentListBody, 'incidents'> & { readonly incidents: readonly Incident[] }

export function useIncidents(
  page: { readonly page?: number; readonly size?: number } = {},
): Reading<IncidentList> {
  return useReading('incidents', '/api/v1/incidents', { parameters: { ...page }, keepPrevious: true })
}
