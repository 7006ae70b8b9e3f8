// config/fleet-file/on-call-schema.ts: how people, schedules and escalation policies are written in a fleet file. Rules
// that a schema cannot express are in on-call-rules.ts.
import type { Static } from 'typebox'
import { closed, Duration, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { severities } from './on-call.ts'
import { Reference, referenceTo } from './reference.ts'

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const zone = (description: string, annotations: object = {}) =>
  Type.String({ maxLength: 64, description, ...annotations })

/** On the clocks of the schedule's zone. */
const localMoment = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$',
    description: `${description}: a local date and time without an offset, such as 2026-03-02T09:00.`,
  })

const timeOfDay = (description: string) =>
  Type.String({
    pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    description: `${description}: a time of day such as 09:00; 24:00 is the end of the day.`,
  })

export const PersonSchema = closed(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
        description: 'What people call them: at most 256 characters, no control characters.',
      }),
    ),
    timezone: Type.Optional(zone('Of their quiet hours: a time zone such as Europe/Berlin.')),
    endpoints: Type.Array(Reference, {
      minItems: 1,
      maxItems: 16,
      description: 'Where they are told: the first is tried first, the next if it fails.',
    }),
  },
  { description: 'A person who can be on call.' },
)

const Hours = closed(
  {
    days: Type.Array(oneOf(weekdays, 'A weekday.'), {
      minItems: 1,
      maxItems: 7,
      description: 'Weekdays on which the hours begin.',
    }),
    from: timeOfDay('When the hours begin'),
    to: timeOfDay('When they end, on the next day if it is not after "from"'),
  },
  { description: 'Part of a day on some weekdays.' },
)

const Layer = closed(
  {
    people: Type.Array(Reference, {
      minItems: 1,
      maxItems: 100,
      description: 'They take turns in this order.',
    }),
    start: localMoment('When the first turn begins'),
    every: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,3}(h|d|w)$',
        default: '1w',
        description: 'How long a turn is on the clocks of the time zone, such as 12h, 1d or 1w.',
      }),
    ),
    hours: Type.Optional(
      Type.Array(Hours, {
        minItems: 1,
        maxItems: 32,
        description: 'When the layer counts; always unless given.',
      }),
    ),
  },
  { description: 'A rotation.' },
)

const Override = closed(
  {
    from: localMoment('When it begins'),
    to: localMoment('When it ends'),
    person: referenceTo('Who is on call then.'),
  },
  { description: 'A time in which one person is on call, whatever the layers say.' },
)

export const ScheduleSchema = closed(
  {
    timezone: Type.Optional(
      zone('Whose clocks all its times are on, such as Europe/Berlin.', { default: 'UTC' }),
    ),
    layers: Type.Array(Layer, {
      minItems: 1,
      maxItems: 32,
      description: 'Rotations; a later one covers an earlier one where it has a person.',
    }),
    overrides: Type.Optional(
      Type.Array(Override, { maxItems: 1000, description: 'Exceptions; no two of them may overlap.' }),
    ),
    handoff: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Send a message to both people at each hand-over.',
      }),
    ),
  },
  { description: 'Who is on call when.' },
)

const Recipient = closed(
  {
    schedule: Type.Optional(referenceTo('The person on call when the step fires.')),
    person: Type.Optional(referenceTo('One person.')),
    group: Type.Optional(referenceTo('A group of endpoints.')),
    endpoint: Type.Optional(referenceTo('A single endpoint.')),
    all_endpoints: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'All endpoints of a person at once, and not one after another.',
      }),
    ),
  },
  { description: 'Exactly one of schedule, person, group and endpoint.' },
)

const Step = closed(
  {
    notify: Type.Array(Recipient, { minItems: 1, maxItems: 32, description: 'Who is told.' }),
    wait: Type.Optional(Type.String({ ...Duration, title: 'Time until the next step.', default: '5m' })),
  },
  { description: 'One step of the escalation.' },
)

const Quiet = closed(
  {
    hours: Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d-(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
      description: 'From and to, such as 22:00-07:00.',
    }),
    zone: Type.Optional(
      zone('A time zone; or "person": of the person, else of the schedule, else UTC.', { default: 'person' }),
    ),
    severities: Type.Optional(
      Type.Array(oneOf(severities, 'A severity.'), {
        minItems: 1,
        maxItems: 3,
        description: 'Which severities are quiet; warning and info unless given.',
      }),
    ),
    // biome-ignore lint/suspicious/noThenProperty: what follows from quiet hours; nobody awaits a schema.
    then: Type.Optional(
      oneOf(['hold', 'drop'], 'What happens to a page in these hours.', { default: 'hold' }),
    ),
  },
  { description: 'Hours in which people are not told.' },
)

const LastResort = closed(
  {
    groups: Type.Optional(Type.Array(Reference, { maxItems: 256, description: 'Groups of endpoints.' })),
    endpoints: Type.Optional(Type.Array(Reference, { maxItems: 256, description: 'Single endpoints.' })),
  },
  {
    description:
      'Who is told if a whole round reaches no recipient; the default destinations of red unless given.',
  },
)

export const PolicySchema = closed(
  {
    steps: Type.Array(Step, {
      minItems: 1,
      maxItems: 32,
      description: 'Who is told, one step after the other.',
    }),
    repeat: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 5, default: 0, description: 'How often the steps are repeated.' }),
    ),
    quiet: Type.Optional(Quiet),
    ack_timeout: Type.Optional(
      Type.String({
        ...Duration,
        title: 'An acknowledged incident that is open for so long starts again; never unless given.',
      }),
    ),
    escalate_owned: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Go on after a step that reached only providers with an escalation of their own.',
      }),
    ),
    last_resort: Type.Optional(LastResort),
  },
  { description: 'What happens from the opening of an incident until a person takes care of it.' },
)

export type PersonDocument = Static<typeof PersonSchema>
export type ScheduleDocument = Static<typeof ScheduleSchema>
export type PolicyDocument = Static<typeof PolicySchema>
