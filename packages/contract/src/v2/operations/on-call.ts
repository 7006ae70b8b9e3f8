// v2/operations/on-call.ts: what calendars of on-call schedules are drawn from.
import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { ShiftList } from '../wire/schedule.ts'
import { timestamp } from '../wire/wire-type.ts'
import { answer, idParameter, operation, servedBy } from './parts.ts'

const range = Type.Object(
  {
    from: Type.Optional(timestamp('Where the shifts begin; now unless given.')),
    to: Type.Optional(
      timestamp(
        `Where they end, at most ${limits.shiftDays} days after the beginning; eight weeks after it unless given.`,
      ),
    ),
  },
  { additionalProperties: false },
)

export const onCallOperations = {
  GetShifts: operation({
    summary: 'Reads who is on call by a schedule from one moment to another, gaps included',
    method: 'GET',
    path: '/api/v2/schedules/{id}/shifts',
    tag: 'Schedules',
    ...servedBy,
    pathParameters: idParameter,
    queryParameters: range,
    answers: { 200: answer('The shifts, in the order of time', ShiftList, 'read') },
    problems: ['notFound'],
  }),
} as const
