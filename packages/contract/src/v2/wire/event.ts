// v2/wire/event.ts: what happened to a monitor, in committed order.
import { type Static, Type } from 'typebox'
import { codes, controlEventTypes, eventTypes } from '../../v1/values.ts'
import { listOf, oneOf, text, timestamp, wireType } from './wire-type.ts'

export const Event = wireType('Event', 'Something that happened to a monitor.', {
  id: text('The event; ids of one monitor are in order.'),
  monitorID: text('Its monitor; empty for an event of the service itself.'),
  kind: oneOf([...eventTypes, ...controlEventTypes], 'What happened, in the words of v1.'),
  time: timestamp('When it was committed.'),
  actor: Type.Optional(text('Who caused it; absent when the service did.')),
  reason: Type.Optional(text('Why, in words.')),
  note: Type.Optional(text('A note of the actor.')),
  actionID: Type.Optional(text('The action that it is about.')),
  incidentID: Type.Optional(text('The incident that it is about.')),
  color: Type.Optional(oneOf(codes, 'The color of the notification that it is about.')),
  outcome: Type.Optional(text('How the action ended.')),
})
export const EventList = listOf('EventList', Event)

export type Event = Static<typeof Event>
export type EventList = Static<typeof EventList>
