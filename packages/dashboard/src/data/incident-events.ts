// data/incident-events.ts: every event of one incident, page by page, as far as events are kept. Bounded: of an incident with
// very many the newest are left out, and the page says so.
import { v1Limits } from '@pulseward/contract'
import type { History, HistoryEvent } from './history.ts'
import type { Reading } from './reading.ts'
import { pathOf, readJson } from './request.ts'
import { useReading } from './use-reading.ts'

export interface IncidentEvents {
  /** In committed order, oldest first. */
  readonly events: readonly HistoryEvent[]
  readonly isWhole: boolean
  readonly retentionDays: number
}

const mostPages = 20
/** A closed incident changes only by notes and late answers. */
const closedEveryMs = 60_000

/** Absent in the edition that keeps nothing; not found if there is no such incident, or none any more. */
export function useIncidentEvents(id: string): Reading<IncidentEvents> {
  const parameters = { incident_id: id, limit: v1Limits.historyLimitMaximum }
  return useReading('history', '/api/v1/history', {
    parameters,
    everyMs: (known: IncidentEvents | undefined) =>
      known?.events.some(({ type }) => type === 'incident_closed') ? closedEveryMs : undefined,
    read: readAll,
  })
}

async function readAll(path: string, signal: AbortSignal): Promise<IncidentEvents> {
  const events: HistoryEvent[] = []
  let address = path
  for (let page = 1; ; page++) {
    const read = await readJson<History>(address, signal)
    events.push(...read.events)
    const isWhole = read.next_cursor === null
    if (isWhole || page === mostPages) return { events, isWhole, retentionDays: read.retention_days }
    address = `${path}&${pathOf('', { cursor: read.next_cursor }).slice(1)}`
  }
}
