// v2/wire/schedule.ts: who is on call when, by rotations and exceptions on the clocks of one time zone; and what follows
// from that: who is on call now, and the shifts of a time.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { observedStatus, resourceType } from './resource.ts'
import {
  flag,
  identifier,
  listing,
  listOf,
  localTime,
  oneOf,
  text,
  timeOfDay,
  timestamp,
  turnLength,
  wireType,
} from './wire-type.ts'

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

export const OnCallHours = wireType('OnCallHours', 'Part of a day on some weekdays.', {
  days: listing(oneOf(weekdays, 'A weekday.'), 'Weekdays on which the hours begin.', {
    minItems: 1,
    maxItems: weekdays.length,
  }),
  from: timeOfDay('When the hours begin, such as 09:00.'),
  to: timeOfDay(
    'When they end, on the next day if that is not after the beginning; 24:00 is the end of the day.',
  ),
})

export const ScheduleLayer = wireType('ScheduleLayer', 'A rotation.', {
  personRefs: listing(identifier('A person.'), 'They take turns in this order.', {
    minItems: 1,
    maxItems: 100,
  }),
  start: localTime('When the first turn begins, on the clocks of the time zone, such as 2026-03-02T09:00.'),
  every: Type.Optional(
    turnLength(
      'How long a turn is on the clocks of the time zone, such as 12h, 1d or 1w; a week unless given.',
    ),
  ),
  hours: Type.Optional(
    listing(OnCallHours, 'When the layer counts; always unless given.', { minItems: 1, maxItems: 32 }),
  ),
})

export const ScheduleOverride = wireType(
  'ScheduleOverride',
  'A time in which one person is on call, whatever the layers say.',
  {
    from: localTime('When it begins, on the clocks of the time zone.'),
    to: localTime('When it ends, on the clocks of the time zone.'),
    personRef: identifier('Who is on call then.'),
  },
)

export const OnCallNow = wireType('OnCallNow', 'Who is on call by a schedule.', {
  personRef: Type.Optional(text('Who is on call; absent in a gap.')),
  name: Type.Optional(text('What people call them.')),
  until: Type.Optional(
    timestamp('When another person takes over, or a gap begins; absent if that is far away.'),
  ),
  nextPersonRef: Type.Optional(text('Who is on call then; absent in a gap.')),
  nextName: Type.Optional(text('What people call them.')),
})

export const ScheduleStatus = wireType('ScheduleStatus', 'What is known of a schedule.', {
  ...observedStatus,
  onCall: Type.Optional(OnCallNow),
})

export const Schedule = resourceType('Schedule', 'Who is on call when.', {
  spec: Type.Object(
    {
      timezone: Type.Optional(
        text('Whose clocks all its times are on, such as Europe/Berlin; UTC unless given.', {
          maxLength: 64,
        }),
      ),
      layers: listing(ScheduleLayer, 'Rotations; a later one covers an earlier one where it has a person.', {
        minItems: 1,
        maxItems: 32,
      }),
      overrides: Type.Optional(
        listing(ScheduleOverride, 'Exceptions; no two of them may overlap.', { maxItems: 1000 }),
      ),
      handoff: Type.Optional(flag('Send a message to both people at each hand-over; false unless given.')),
    },
    { additionalProperties: false, description: 'Rotations and exceptions.' },
  ),
  status: ScheduleStatus,
})
export const ScheduleList = listOf('ScheduleList', Schedule)

export const Shift = wireType('Shift', 'A time in which one person is on call, or a gap.', {
  from: timestamp('When it begins.'),
  to: timestamp('When it ends.'),
  personRef: Type.Optional(text('Who is on call; absent in a gap.')),
  name: Type.Optional(text('What people call them.')),
  isOverride: flag('Whether an exception of the schedule says so.'),
})

export const ShiftList = wireType(
  'ShiftList',
  'The shifts of a schedule from one moment to another: each begins where the one before it ends.',
  {
    scheduleRef: text('The schedule.'),
    timezone: text('Whose clocks it is written on.'),
    from: timestamp('Where the shifts begin.'),
    to: timestamp('Where they end; earlier than asked for if there are too many.'),
    shifts: Type.Array(Shift, { maxItems: limits.shifts, description: 'In the order of time.' }),
  },
)

export type Schedule = Static<typeof Schedule>
export type ScheduleList = Static<typeof ScheduleList>
export type ScheduleStatus = Static<typeof ScheduleStatus>
export type OnCallNow = Static<typeof OnCallNow>
export type Shift = Static<typeof Shift>
export type ShiftList = Static<typeof ShiftList>
