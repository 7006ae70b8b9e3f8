// v2/wire/person.ts: a person who can be on call. People call them by metadata.name.
import { type Static, Type } from 'typebox'
import { observedStatus, resourceType } from './resource.ts'
import { identifier, listing, listOf, text, timestamp, wireType } from './wire-type.ts'

export const OnCallDuty = wireType('OnCallDuty', 'A schedule by which this person is on call now.', {
  scheduleRef: text('The schedule.'),
  until: Type.Optional(
    timestamp('When another person takes over, or a gap begins; absent if that is far away.'),
  ),
})

export const PersonStatus = wireType('PersonStatus', 'What is known of a person.', {
  ...observedStatus,
  onCall: Type.Optional(listing(OnCallDuty, 'The schedules by which they are on call now.')),
})

export const Person = resourceType('Person', 'A person who can be on call.', {
  spec: Type.Object(
    {
      timezone: Type.Optional(
        text('Of their quiet hours: a time zone such as Europe/Berlin.', { maxLength: 64 }),
      ),
      endpointRefs: listing(
        identifier('An endpoint.'),
        'Where they are told: the first is tried first, the next if it fails.',
        { minItems: 1, maxItems: 16 },
      ),
    },
    { additionalProperties: false, description: 'Where they are told.' },
  ),
  status: PersonStatus,
})
export const PersonList = listOf('PersonList', Person)

export type OnCallDuty = Static<typeof OnCallDuty>
export type PersonStatus = Static<typeof PersonStatus>
export type Person = Static<typeof Person>
export type PersonList = Static<typeof PersonList>
