// words/incident-cause.ts: what opened an incident: the failed check in its own words, since when the monitor had
// been failing, and who saw it. Whatever an edition or an earlier version did not record is absent.
import type { HistoryEvent } from '../data/history.ts'

export interface IncidentCause {
  /** Untrusted text. */
  readonly text: string
  readonly failingSince: string | null
  /** The external worker that carried out the check; null if the service itself did. */
  readonly worker: string | null
}

/** Null if the failed check is not known. */
export function causeOf({
  at,
  reason,
  because,
}: Pick<HistoryEvent, 'at' | 'reason' | 'because'>): IncidentCause | null {
  const ended = because?.failure_class
  const failingMs = because?.failing_ms
  const text = reason ?? (ended === undefined ? null : wordless[ended])
  if (text == null) return null
  const failingSince = failingMs === undefined ? null : new Date(Date.parse(at) - failingMs).toISOString()
  return { text, failingSince, worker: because?.from ?? null }
}

/** A check that gave no words. */
const wordless: Readonly<Record<string, string>> = {
  failure: 'the check failed and gave no reason',
  timeout: 'the check got no answer in time',
}
