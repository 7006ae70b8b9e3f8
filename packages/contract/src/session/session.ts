// session/session.ts: signing in, for the page of the edition next: the request, the answer, and the names
// that the browser and the service agree on.
import { type Static, Type } from 'typebox'
import type { Edition } from '../operation.ts'
import { field, oneOf, Text } from '../v1/values.ts'

export const sessionPath = '/session'

/** The editions that have sessions. */
export const sessionEditions = ['next'] as const satisfies readonly Edition[]

/** Followed by the port of the listener, because cookies do not distinguish the ports of a host. */
export const sessionCookiePrefix = 'pulseward_session_'

/** Every request of a session to v2 carries the session's CSRF token in this header. */
export const csrfHeader = 'X-Pulseward-CSRF'

/** A worker has no use for the page. */
export const sessionRoles = ['reader', 'operator'] as const
export type SessionRole = (typeof sessionRoles)[number]

export const sessionLimits = {
  lifetimeHours: 12,
  /** Per principal; one more ends the oldest. */
  atOnce: 10,
  requestBodyBytes: 1024,
} as const

export const SignIn = Type.Object(
  { token: field(Type.String(), 'The token of a reader or an operator.') },
  { description: 'Who signs in.', additionalProperties: false },
)
export type SignIn = Static<typeof SignIn>

export const Session = Type.Object(
  {
    name: field(Text, 'The name of the principal.'),
    role: field(oneOf(sessionRoles), 'What it may do.'),
    csrf: field(Text, `What every request to v2 by this session carries as ${csrfHeader}.`),
  },
  { description: 'Who is signed in.' },
)
export type Session = Static<typeof Session>
