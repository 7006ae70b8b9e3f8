// projection/event-reason.ts: why something happened, in words, from the details that the log keeps with an
// event, and for an incident from the failed check that opened it. The details are for people; those that are
// not text are left out.
import { failureIn } from '../deciding/health/because.ts'
import { counted } from '../platform/wording.ts'
import type { StoredEvent } from '../store/store.ts'

export function eventReason({
  type,
  detail,
  because,
}: Pick<StoredEvent, 'type' | 'detail' | 'because'>): string | null {
  if (type === 'incident_opened') return failureIn(because)
  if (detail === null) return null
  const { reason, words, suppressedBy, incidents } = detail as Partial<Record<string, unknown>>
  if (typeof suppressedBy === 'string') return `suppressed by ${suppressedBy}`
  if (typeof incidents === 'number') return digestWords(incidents, reason)
  const text = reason ?? words
  return typeof text === 'string' ? text : null
}

/** What the person who caused it noted; null if that is nothing. */
export function eventNote({ detail }: Pick<StoredEvent, 'detail'>): string | null {
  const { note } = (detail ?? {}) as Partial<Record<string, unknown>>
  return typeof note === 'string' ? note : null
}

function digestWords(incidents: number, reason: unknown): string {
  const count = counted(incidents, 'incident')
  return typeof reason === 'string' ? `${count}: ${reason}` : count
}
