// v1/history.ts: retained events in committed order. The cursor is opaque and contains the upper position of
// the first page: later commits never appear in the same pagination.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Because } from './because.ts'
import { v1Limits } from './limits.ts'
import { MonitorId } from './monitor-row.ts'
import {
  actionKinds,
  Count,
  codes,
  controlEventTypes,
  eventOutcomes,
  eventTypes,
  field,
  nextEventOutcomes,
  nullable,
  oneOf,
  Text,
  Timestamp,
} from './values.ts'

function eventOf<
  Types extends readonly string[],
  Outcomes extends readonly string[],
  More extends TProperties,
>(types: Types, outcomes: Outcomes, more: More) {
  return Type.Object(
    {
      id: field(Text, 'The identity of the event.'),
      monitor_id: nullable(MonitorId, 'The monitor; null for events of the service itself.'),
      at: field(Timestamp, 'When it happened.'),
      type: field(oneOf(types), 'What happened.'),
      revision: nullable(Count, 'The revision of the monitor then.'),
      incident_id: nullable(Text, 'The incident that it belongs to.'),
      action_id: nullable(Text, 'The action that it is about.'),
      kind: nullable(oneOf(actionKinds), 'The kind of that action.'),
      color: nullable(oneOf(codes), 'The color of that notification.'),
      endpoint: nullable(Text, 'The destination of that notification.'),
      outcome: nullable(oneOf(outcomes), 'How the action or the incident ended.'),
      reason: nullable(Text, 'Why, in words and without secrets.'),
      actor: nullable(Text, 'The person or client that did it; null when the service did.'),
      ...more,
    },
    { description: 'Something that was decided or done.' },
  )
}

function historyOf<Event extends TSchema>(event: Event) {
  return Type.Object(
    {
      events: Type.Array(event, {
        maxItems: v1Limits.historyLimitMaximum,
        description: 'The events of this page, in committed order.',
      }),
      next_cursor: nullable(
        Type.String({ minLength: 1 }),
        'Where the next page begins; null after the last. Only the store that gave it takes it.',
      ),
      retention_days: Type.Literal(v1Limits.eventRetentionDays, {
        type: 'integer',
        description: 'How long events are kept.',
      }),
    },
    { description: 'Retained events.' },
  )
}

export const HistoryEvent = eventOf(eventTypes, eventOutcomes, {})
export const NextHistoryEvent = eventOf([...eventTypes, ...controlEventTypes], nextEventOutcomes, {
  note: nullable(Text, 'What the actor noted: not markup.'),
  because: nullable(
    Because,
    'Why it was decided; null if it is not a decision, and where the record has no reason.',
  ),
})
export const History = historyOf(HistoryEvent)
export const NextHistory = historyOf(NextHistoryEvent)

export type HistoryEvent = Static<typeof HistoryEvent>
export type NextHistoryEvent = Static<typeof NextHistoryEvent>
export type History = Static<typeof History>
export type NextHistory = Static<typeof NextHistory>
