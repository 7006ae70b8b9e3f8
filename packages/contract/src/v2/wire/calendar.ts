// v2/wire/calendar.ts: an address at which a calendar program reads the shifts of a schedule. The address holds a random key;
// here is only its digest, so that no client reads the address from the service.
import { type Static, Type } from 'typebox'
import { ResourceStatus, resourceType } from './resource.ts'
import { identifier, listOf } from './wire-type.ts'

export const Calendar = resourceType(
  'Calendar',
  'An iCalendar feed of a schedule. Deleting it revokes its key.',
  {
    spec: Type.Object(
      {
        scheduleRef: identifier('Whose shifts it has.'),
        personRef: Type.Optional(identifier('Only shifts of this person; of all people unless given.')),
        keyDigest: Type.String({
          pattern: '^[0-9a-f]{64}$',
          description:
            'The SHA-256 of the key, in hexadecimal. The feed is at /calendar/KEY.ics; make the key of 32 random bytes, as base64url.',
        }),
      },
      { additionalProperties: false, description: 'Whose shifts, and the digest of the key.' },
    ),
    status: ResourceStatus,
  },
)
export const CalendarList = listOf('CalendarList', Calendar)

export type Calendar = Static<typeof Calendar>
export type CalendarList = Static<typeof CalendarList>
