// trials/trial-places.ts: how many trials run at once, and how often a principal may begin one. A trial acts outside the
// service at once, in the thread of the controller, so there are few of them.
import { v2 } from '@pulseward/contract'
import { WriteLimits } from '../access/write-limits.ts'
import type { Clock } from '../platform/clock.ts'
import { counted } from '../platform/wording.ts'
import { V2Problem } from '../requests/v2-problem.ts'

const { trialsAtOnce, trialsPerSecond } = v2.limits

export class TrialPlaces {
  readonly #perPrincipal: WriteLimits
  #taken = 0

  constructor(clock: Clock) {
    const atOnce = Number.POSITIVE_INFINITY
    this.#perPrincipal = new WriteLimits(clock, {
      perSecond: trialsPerSecond,
      burst: trialsPerSecond,
      atOnce,
    })
  }

  /** To be called when a trial begins; disposing ends it. Throws a problem if it may not begin now. */
  take(principal: string): Disposable {
    if (this.#taken >= trialsAtOnce)
      throw new V2Problem(
        'tooBusy',
        `${counted(trialsAtOnce, 'trial')} run already; try again when one of them has ended.`,
      )
    const decision = this.#perPrincipal.begin(principal)
    if (!decision.allowed)
      throw new V2Problem(
        'rateLimited',
        `${principal} may begin ${counted(trialsPerSecond, 'trial')} per second; try again in a moment.`,
        { retryAfterSeconds: decision.retryAfterSeconds },
      )
    this.#taken++
    return {
      [Symbol.dispose]: () => {
        this.#taken--
        decision.end()
      },
    }
  }
}
