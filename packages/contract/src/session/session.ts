// session/session.ts: signing in, for the page of the edition next: the request, the answer, and the names
// that the browser and the service agree on.
import { type Static, Type } from 'typebox'
import type { Edition } from '../operation.ts'
import { field, nullable, oneOf, Text } from '../v1/values.ts'

export const sessionPath = '/session'
export const signInHelpPath = '/session/help'

/** Begins the fragment of a one-time link. Browsers do not send fragments, so no server or proxy logs the secret. */
const signInFragment = '#sign-in='

/** The page of the service at this address, with the secret of a one-time link. */
export function signInUrl(address: string, secret: string): string {
  return new URL(`/${signInFragment}${secret}`, address).href
}

/** The secret in the fragment of a page's address; null if there is none. */
export function secretIn(fragment: string): string | null {
  return fragment.startsWith(signInFragment) ? fragment.slice(signInFragment.length) : null
}

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
  linkMinutes: 10,
  /** Unused links at once; one more ends the oldest. */
  links: 20,
} as const

export const SignIn = Type.Union(
  [
    Type.Object(
      { token: field(Type.String(), 'The token of a reader or an operator.') },
      { additionalProperties: false },
    ),
    Type.Object(
      { link: field(Type.String(), 'The secret of a one-time link.') },
      { additionalProperties: false },
    ),
  ],
  { description: 'Who signs in.' },
)
export type SignIn = Static<typeof SignIn>

export const SignInHelp = Type.Object(
  {
    operator_token_file: nullable(
      Text,
      'The file with the token of the first operator; only for a browser on the machine of the service.',
    ),
  },
  { description: 'Where somebody who must sign in finds a token.' },
)
export type SignInHelp = Static<typeof SignInHelp>

export const Session = Type.Object(
  {
    name: field(Text, 'The name of the principal.'),
    role: field(oneOf(sessionRoles), 'What it may do.'),
    csrf: field(Text, `What every request to v2 by this session carries as ${csrfHeader}.`),
  },
  { description: 'Who is signed in.' },
)
export type Session = Static<typeof Session>
