// views/overview/last-hour.ts: what changed in the last hour, from a page of events, newest first. If the
// page ends within the hour, the counts are lower bounds and say so.
import type { Status } from '@pulseward/contract'
import type { HistoryEvent } from '../../data/history.ts'
import { formatCount } from '../../format/count.ts'

const hourMs = 3_600_000

export interface LastHour {
  readonly events: readonly HistoryEvent[]
  readonly opened: number
  readonly closed: number
  readonly lost: number
  /** There may be more than the page holds. */
  readonly isPart: boolean
}

type Newest = { readonly events: readonly HistoryEvent[]; readonly next_cursor: string | null }

export function lastHour({ events, next_cursor }: Newest, nowMs: number): LastHour {
  const recent = events.filter(({ at }) => Date.parse(at) > nowMs - hourMs)
  const count = (type: HistoryEvent['type']) => recent.filter((event) => event.type === type).length
  return {
    events: recent,
    opened: count('incident_opened'),
    closed: count('incident_closed'),
    lost: count('action_unknown'),
    isPart: next_cursor !== null && recent.length === events.length,
  }
}

export function describeLastHour({ opened, closed, lost, isPart }: LastHour): string {
  if (opened + closed + lost === 0 && !isPart) return 'No incident opened or closed.'
  const parts = [`${formatCount(opened)} opened`, `${formatCount(closed)} closed`]
  if (lost > 0) parts.push(`${formatCount(lost)} ${lost === 1 ? 'answer' : 'answers'} lost`)
  return `${isPart ? 'At least ' : ''}${parts.join(' · ')}`
}

/** Events that get their own line, each with its glyph: outcomes for monitors, and what people must look at. */
const told: Partial<Readonly<Record<HistoryEvent['type'], Status>>> = {
  incident_opened: 'incident',
  incident_closed: 'up',
  action_unknown: 'degraded',
  action_failed: 'down',
  destination_dead: 'incident',
  destination_ailing: 'down',
  destination_recovered: 'up',
  digest_sent: 'up',
  digest_dropped: 'incident',
  own_fault: 'unknown',
}

export interface ToldEvent {
  readonly event: HistoryEvent
  readonly look: Status
}

export function toldEvents({ events }: LastHour, atMost: number): readonly ToldEvent[] {
  return events
    .flatMap((event) => {
      const look = told[event.type]
      return look === undefined ? [] : [{ event, look }]
    })
    .slice(0, atMost)
}
