// checking/schedule/first-checks.ts: how many monitors that were never checked may be checked soon. A fleet
// that is loaded, or created in many small steps, must not cause a burst: grants are counted over the time in
// which first checks are made, however the monitors arrived.
import { FIRST_CHECK_WITHIN_MS, FIRST_CHECKS_PER_SECOND } from './phase.ts'

const withinSeconds = FIRST_CHECK_WITHIN_MS / 1000
const grantedAtMost = FIRST_CHECKS_PER_SECOND * withinSeconds

export class FirstChecks {
  #sinceMs = Number.NEGATIVE_INFINITY
  #granted = 0
  /** Granted in the period before that. */
  #grantedBefore = 0

  /** Whether all of these may be checked soon; otherwise each waits for its own time slot. */
  grant(neverChecked: number, nowMs: number): boolean {
    this.#rollOver(nowMs)
    if (this.#granted + neverChecked > grantedAtMost) return false
    this.#granted += neverChecked
    return true
  }

  /** How many first checks are made per second now, in addition to regular checks. Rather too high than too low. */
  perSecond(nowMs: number): number {
    this.#rollOver(nowMs)
    return (this.#granted + this.#grantedBefore) / withinSeconds
  }

  #rollOver(nowMs: number): void {
    const passedMs = nowMs - this.#sinceMs
    if (passedMs < FIRST_CHECK_WITHIN_MS) return
    this.#grantedBefore = passedMs < 2 * FIRST_CHECK_WITHIN_MS ? this.#granted : 0
    this.#granted = 0
    this.#sinceMs = nowMs
  }
}
