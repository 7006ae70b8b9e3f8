// v2/wire/event.ts: what happened, in committed order: to a monitor, to another resource, or to the service itself.
import { type Static, Type } from 'typebox'
import { codes, controlEventTypes, eventTypes } from '../../v1/values.ts'
import { resourceKinds } from '../kinds.ts'
import { limits } from '../limits.ts'
import { Because } from './because.ts'
import { listing, listOf, oneOf, text, timestamp, wireType } from './wire-type.ts'

/** Only v2 has these; all others are the words of v1. */
export const resourceEventTypes = ['resource_created', 'resource_updated', 'resource_deleted'] as const

export const eventKinds = [...eventTypes, ...controlEventTypes, ...resourceEventTypes] as const

export const EventResource = wireType('EventResource', 'The resource that an event is about.', {
  kind: oneOf(resourceKinds, 'Its kind.'),
  id: text('Its id.'),
  uid: Type.Optional(text('The incarnation that was created, changed or deleted.')),
})

export const FieldChange = wireType('FieldChange', 'How a write changed one field.', {
  field: text('A JSON pointer into the resource; empty in a last entry that counts what had no room.'),
  before: Type.Optional(
    text(
      'The value before: text as it is, anything else as JSON, cut if it is long; absent when there was none.',
    ),
  ),
  after: Type.Optional(
    text(
      'The value after: text as it is, anything else as JSON, cut if it is long; absent when there is none.',
    ),
  ),
})

export const Event = wireType('Event', 'Something that happened.', {
  id: text('The event; ids are in order.'),
  monitorID: Type.Optional(
    text('Its monitor; absent for events of the service itself and of other resources.'),
  ),
  kind: oneOf(eventKinds, 'What happened, in the words of v1 and those for resources.'),
  endpoint: Type.Optional(text('The destination that it is about.')),
  resource: Type.Optional(EventResource),
  changes: Type.Optional(
    listing(
      FieldChange,
      `What a write changed: at most ${limits.eventChanges} fields and ${limits.eventChangesBytes} bytes, never a secret.`,
      { maxItems: limits.eventChanges },
    ),
  ),
  time: timestamp('When it was committed.'),
  actor: Type.Optional(text('The name of the principal that caused it; absent when the service did.')),
  reason: Type.Optional(text('Why, in words.')),
  because: Type.Optional(Because),
  note: Type.Optional(text('A note of the actor.')),
  actionID: Type.Optional(text('The action that it is about.')),
  incidentID: Type.Optional(text('The incident that it is about.')),
  color: Type.Optional(oneOf(codes, 'The color of the notification that it is about.')),
  outcome: Type.Optional(text('How the action or the incident ended.')),
})
export const EventList = listOf('EventList', Event)

export type Event = Static<typeof Event>
export type EventList = Static<typeof EventList>
