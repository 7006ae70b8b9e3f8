// data/incident-opening.ts: the events with which an incident began. They do not change, so they are read until the opening is
// among them, and then seldom.
import { v1Limits } from '@pulseward/contract'
import type { History } from './history.ts'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

const knownEveryMs = 600_000

/** Null reads nothing. */
export function useIncidentOpening(id: string | null): Reading<History> {
  const parameters = { incident_id: id ?? '', limit: v1Limits.historyLimitDefault }
  return useReading('history', '/api/v1/history', {
    parameters,
    enabled: id !== null,
    everyMs: (known: History | undefined) =>
      known?.events.some(({ type }) => type === 'incident_opened') ? knownEveryMs : undefined,
  })
}
