// session/operations.ts: the routes by which the page of the edition next signs in, reads its session, and
// signs out, and which says where a token is.
import { type TSchema, Type } from 'typebox'
import type { Operation } from '../operation.ts'
import { field, Text } from '../v1/values.ts'
import type { SessionProblemCode } from './problems.ts'
import {
  Session,
  SignIn,
  SignInHelp,
  sessionEditions,
  sessionLimits,
  sessionPath,
  signInHelpPath,
} from './session.ts'

interface SessionOperation extends Operation {
  readonly problems: readonly SessionProblemCode[]
}

const SetCookie = Type.Object({ 'Set-Cookie': field(Text, 'The cookie of the session.') })
const ForgetCookie = Type.Object({ 'Set-Cookie': field(Text, 'Has the browser forget the cookie.') })

const at = { path: sessionPath, tag: 'sessions', editions: sessionEditions } as const

const json = <Schema extends TSchema>(description: string, schema: Schema) => ({
  description,
  mediaType: 'application/json',
  schema,
})

export const sessionOperations = {
  CreateSession: {
    summary: 'Signs in with the token of a principal, or with a one-time link',
    method: 'POST',
    ...at,
    // The token or the secret of the link is in the body.
    logins: [],
    body: { mediaType: 'application/json', schema: SignIn, maxBytes: sessionLimits.requestBodyBytes },
    answers: { 200: { ...json('A new session.', Session), headers: SetCookie } },
    problems: [
      'unauthorized',
      'forbidden',
      'insecure_transport',
      'origin_not_allowed',
      'unsupported_media_type',
    ],
  },
  GetSession: {
    summary: 'Who is signed in',
    method: 'GET',
    ...at,
    answers: { 200: json('The session.', Session) },
    problems: ['unauthorized', 'session_ended', 'no_session'],
  },
  DeleteSession: {
    summary: 'Signs out',
    method: 'DELETE',
    ...at,
    answers: {
      204: { description: 'There is no such session any more, if there was one.', headers: ForgetCookie },
    },
    problems: ['origin_not_allowed', 'unavailable'],
  },
  GetSignInHelp: {
    summary: 'Where the token of the first operator is; told only to a browser on the machine of the service',
    method: 'GET',
    ...at,
    path: signInHelpPath,
    logins: [],
    answers: { 200: json('The place, or null.', SignInHelp) },
    problems: [],
  },
} as const satisfies Record<string, SessionOperation>

export type SessionOperationName = keyof typeof sessionOperations
