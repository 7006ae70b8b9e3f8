// projection/v2/event-view.ts: an event of the log as v2 shows it: what happened to a monitor, to another
// resource or to the service itself, who caused it, and what a write changed.
import type { v2 } from '@pulseward/contract'
import { timestamp } from '../../platform/wire.ts'
import type { EventChange, EventPage } from '../../store/store.ts'
import { becauseV2 } from '../because-view.ts'
import { eventNote, eventReason } from '../event-reason.ts'
import { knownFields } from './known-fields.ts'

export type LoggedEvent = EventPage['events'][number]

export function eventView(event: LoggedEvent): v2.Event {
  const { monitorId, endpoint, resource, actor, actionId, incidentId, color, outcome } = event
  const view = {
    id: String(event.position),
    kind: event.type,
    time: timestamp(event.at),
    ...knownFields({
      monitorID: monitorId,
      endpoint,
      resource,
      changes: changesOf(event),
      actor,
      reason: eventReason(event),
      because: becauseV2(event.because),
      note: eventNote(event),
      actionID: actionId,
      incidentID: incidentId,
      color,
      outcome,
    }),
  }
  // The log keeps the values as the contract spells them.
  return view as v2.Event
}

function changesOf({ changes = [] }: LoggedEvent): v2.Event['changes'] | null {
  return changes.length === 0 ? null : changes.map(changeView)
}

function changeView({ field, before, after }: EventChange) {
  return { field, ...knownFields({ before: textOf(before), after: textOf(after) }) }
}

function textOf(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}
