// checking/schedule/first-checks.ts: how many monitors that were never checked may be checked soon. A fleet that is loaded,
// or created in many small steps, must not storm itself: what is granted is counted over the time in which first checks
// are made, however the monitors came.
import { FIRST_CHECK_WITHIN_MS, FIRST_CHECKS_PER_SECOND } from './phase.ts'

const withinSeconds = FIRST_CHECK_WITHIN_MS / 1000
const grantedAtMost = FIRST_CHECKS_PER_SECOND * withinSeconds

export class FirstChecks {
  #sinceMs = Number.NEGATIVE_INFINITY
  #granted = 0
  /** In the time before that. */
  #grantedBefore = 0

  /** Whether all of these may be checked soon; otherwise each waits for its own time slot. */
  grant(neverChecked: number, nowMs: number): boolean {
    this.#goOn(nowMs)
    if (this.#granted + neverChecked > grantedAtMost) return false
    this.#granted += neverChecked
    return true
  }

  /** How many are made per second now, besides the checks at time slots; rather too many than too few. */
  perSecond(nowMs: number): number {
    this.#goOn(nowMs)
    return (this.#granted + this.#grantedBefore) / withinSeconds
  }

  #goOn(nowMs: number): void {
    const passedMs = nowMs - this.#sinceMs
    if (passedMs < FIRST_CHECK_WITHIN_MS) return
    this.#grantedBefore = passedMs < 2 * FIRST_CHECK_WITHIN_MS ? this.#granted : 0
    this.#granted = 0
    this.#sinceMs = nowMs
  }
}
