// v2/wire/badge.ts: a small picture of one figure for other pages. Its address holds a random key; here is only the digest of
// it, so that nobody reads the address from the service.
import { type Static, Type } from 'typebox'
import { ResourceStatus, resourceType } from './resource.ts'
import { shownText } from './status-page.ts'
import { identifier, listOf, oneOf } from './wire-type.ts'

/** What a badge says. */
export const badgeFigures = [
  'status',
  'uptime-24h',
  'uptime-7d',
  'uptime-30d',
  'uptime-90d',
  'latency',
] as const

export const badgeComponentPattern = '^[a-z0-9][a-z0-9-]{0,62}/[a-z0-9][a-z0-9-]{0,62}$'

export const Badge = resourceType('Badge', 'A small picture for other pages. Deleting it revokes its key.', {
  spec: Type.Object(
    {
      componentRef: Type.Optional(
        Type.String({
          pattern: badgeComponentPattern,
          description: 'A component of a status page, as PAGE/COMPONENT.',
        }),
      ),
      monitorRef: Type.Optional(identifier('A monitor, in place of a component.')),
      shows: oneOf(badgeFigures, 'What it says.'),
      label: Type.Optional(shownText('Its left half; what it shows unless given.', 32)),
      keyDigest: Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'The SHA-256 of the key, in hexadecimal. The picture is at /badge/KEY.svg; make the key of 18 or more random bytes, as base64url.',
      }),
    },
    { additionalProperties: false, description: 'What it shows of what, and the digest of the key.' },
  ),
  status: ResourceStatus,
})
export const BadgeList = listOf('BadgeList', Badge)

export type Badge = Static<typeof Badge>
export type BadgeList = Static<typeof BadgeList>
