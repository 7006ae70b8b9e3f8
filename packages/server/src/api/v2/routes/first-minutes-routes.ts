// api/v2/routes/first-minutes-routes.ts: what people need once, in the first minutes: a link that signs their browser in, and
// a target that they can make to fail.
import type { v2 } from '@pulseward/contract'
import type { SignInLinks } from '../../../access/sign-in-links.ts'
import type { Clock } from '../../../platform/clock.ts'
import { timestamp } from '../../../platform/wire.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import type { PracticeTarget } from '../../practice-target.ts'
import { type V2Route, v2Read, v2Route } from '../v2-route.ts'

export interface FirstMinutesOptions {
  readonly links: SignInLinks
  readonly practice: PracticeTarget
  readonly clock: Clock
}

export function firstMinutesRoutes({ links, practice, clock }: FirstMinutesOptions): V2Route[] {
  return [
    v2Route('CreateSignInLink', ({ principal, isSession }) => {
      // Otherwise a session could renew itself for ever.
      if (isSession)
        throw new V2Problem(
          'forbidden',
          'A session cannot make a link; run pulseward sign-in, or send the token of an operator.',
        )
      const { secret, expiresAtMs } = links.make(principal.digest)
      return { body: { secret, expiresAt: timestamp(expiresAtMs) } satisfies v2.SignInLink }
    }),
    v2Read('GetPracticeTarget', () => ({ body: practiceView(practice, clock) })),
    v2Route('SwitchPracticeTarget', ({ body }) => {
      practice.switch(body.on)
      return { body: practiceView(practice, clock) }
    }),
  ]
}

function practiceView({ url, offForMs }: PracticeTarget, clock: Clock): v2.PracticeTarget {
  if (url === null) throw new V2Problem('unavailable', 'The service is starting.', { retryAfterSeconds: 1 })
  if (offForMs === 0) return { url, on: true }
  return { url, on: false, onAgainAt: timestamp(clock.wallMs() + offForMs) }
}
