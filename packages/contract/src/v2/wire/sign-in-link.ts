// v2/wire/sign-in-link.ts: what opens the page of the service once, without typing a token.
import type { Static } from 'typebox'
import { text, timestamp, wireType } from './wire-type.ts'

export const SignInLink = wireType(
  'SignInLink',
  'Signs a browser in once, as the operator that asked for it.',
  {
    secret: text('Follows `#sign-in=` in the address of the page. It is told only here, and works once.'),
    expiresAt: timestamp('When it stops working.'),
  },
)
export type SignInLink = Static<typeof SignInLink>
