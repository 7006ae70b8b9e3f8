// v2/wire/policy.ts: what happens from the opening of an incident until a person takes care of it.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { EscalationPage, severities } from './escalation-page.ts'
import { observedStatus, resourceType } from './resource.ts'
import {
  count,
  duration,
  flag,
  hoursOfDay,
  identifier,
  listing,
  listOf,
  oneOf,
  text,
  wireType,
} from './wire-type.ts'

export const PolicyRecipient = wireType(
  'PolicyRecipient',
  'Whom a step tells: exactly one of scheduleRef, personRef, groupRef and endpointRef.',
  {
    scheduleRef: Type.Optional(identifier('The person on call when the step fires.')),
    personRef: Type.Optional(identifier('One person.')),
    groupRef: Type.Optional(identifier('A group of endpoints.')),
    endpointRef: Type.Optional(identifier('A single endpoint.')),
    allEndpoints: Type.Optional(
      flag('All endpoints of a person at once, and not one after another; false unless given.'),
    ),
  },
)

export const PolicyStep = wireType('PolicyStep', 'One step of an escalation.', {
  notify: listing(PolicyRecipient, 'Who is told.', { minItems: 1, maxItems: 32 }),
  wait: Type.Optional(duration('Time until the next step; 5m unless given.')),
})

export const quietEffects = ['hold', 'drop'] as const

export const QuietHours = wireType('QuietHours', 'Hours in which people are not told.', {
  hours: hoursOfDay('From and to, such as 22:00-07:00.'),
  zone: Type.Optional(
    text(
      'A time zone; or "person", as unless given: of the person, else of the schedule that named them, else UTC.',
      { maxLength: 64 },
    ),
  ),
  severities: Type.Optional(
    listing(oneOf(severities, 'A severity.'), 'Which are quiet; warning and info unless given.', {
      minItems: 1,
      maxItems: severities.length,
    }),
  ),
  // biome-ignore lint/suspicious/noThenProperty: what follows from quiet hours; nobody awaits a schema.
  then: Type.Optional(oneOf(quietEffects, 'What happens to a message in these hours; hold unless given.')),
})

const references = (description: string) => listing(identifier('An id.'), description, { maxItems: 256 })

export const LastResort = wireType(
  'LastResort',
  'Who gets the message if a whole round reaches no recipient.',
  {
    endpointRefs: Type.Optional(references('Single endpoints.')),
    groupRefs: Type.Optional(references('Groups of endpoints.')),
  },
)

export const PolicyStatus = wireType('PolicyStatus', 'What is known of a policy.', {
  ...observedStatus,
  pages: Type.Optional(count('How many of its pages have not ended.')),
  running: Type.Optional(
    Type.Array(EscalationPage, { maxItems: limits.shownPages, description: 'The first of them.' }),
  ),
})

export const Policy = resourceType(
  'Policy',
  'What happens from the opening of an incident until a person takes care of it.',
  {
    spec: Type.Object(
      {
        steps: listing(PolicyStep, 'Who is told, one step after the other.', { minItems: 1, maxItems: 32 }),
        repeat: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 5,
            description: 'How often the steps are repeated; 0 unless given.',
          }),
        ),
        quiet: Type.Optional(QuietHours),
        ackTimeout: Type.Optional(
          duration('An acknowledged incident that is open for so long starts again; never unless given.'),
        ),
        escalateOwned: Type.Optional(
          flag(
            'Go on after a step that reached only providers with an escalation of their own; false unless given.',
          ),
        ),
        lastResort: Type.Optional(LastResort),
      },
      { additionalProperties: false, description: 'Who is told, one step after the other.' },
    ),
    status: PolicyStatus,
  },
)
export const PolicyList = listOf('PolicyList', Policy)

export type PolicyRecipient = Static<typeof PolicyRecipient>
export type Policy = Static<typeof Policy>
export type PolicyList = Static<typeof PolicyList>
export type PolicyStatus = Static<typeof PolicyStatus>
