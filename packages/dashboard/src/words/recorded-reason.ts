// words/recorded-reason.ts: why a monitor is as it is, from the decision on record: the opening of its incident, the recovery
// that is being verified, or the snooze. Null where the record names no reason: nothing is concluded here.
import { describeBecause, storyOf } from '@pulseward/contract/v1/words'
import type { HistoryEvent } from '../data/history.ts'
import type { MonitorDetail } from '../data/monitor.ts'

export interface RecordedReason {
  /** What was decided; a time and the reason follow. */
  readonly decided: string
  readonly at: string
  /** As a clause, without a full stop; null if the decision is its own reason. */
  readonly because: string | null
  /** What a person said about it. */
  readonly quote: string | null
}

/** `events`: of the incident, in committed order. */
export function reasonOfIncident(events: readonly HistoryEvent[]): RecordedReason | null {
  const { openedAt, sections } = storyOf(events)
  const [cause] = sections.cause
  if (openedAt === null || cause === undefined || cause.why === null) return null
  return { decided: 'The incident opened', at: openedAt, because: cause.why, quote: null }
}

/** Without an open incident. `newest`: events of the monitor, newest first. */
export function reasonOfState(
  { status, snoozed_until }: Pick<MonitorDetail, 'status' | 'snoozed_until'>,
  newest: readonly HistoryEvent[],
): RecordedReason | null {
  if (snoozed_until !== null) return snoozeIn(newest)
  return status === 'verifying' ? recoveryIn(newest) : null
}

function snoozeIn(newest: readonly HistoryEvent[]): RecordedReason | null {
  const event = newest.find(({ type }) => type === 'control_snoozed')
  if (event === undefined) return null
  const by = event.actor === null ? '' : ` by ${event.actor}`
  return { decided: `It was snoozed${by}`, at: event.at, because: null, quote: event.reason }
}

function recoveryIn(newest: readonly HistoryEvent[]): RecordedReason | null {
  const event = newest.find(({ type, kind }) => type === 'action_queued' && kind === 'intervention')
  const because = event?.because == null ? null : describeBecause(event.because)
  if (event === undefined || because === null) return null
  return { decided: 'A recovery was tried', at: event.at, because, quote: null }
}
