// access/write-limits.ts: how much one principal may write: a rate with bursts, and a number of concurrent
// writes, so that a runaway script leaves room for others. Worker calls have separate limits under the same
// rules; reads are not limited here.
import type { Clock } from '../platform/clock.ts'

export interface WriteRates {
  readonly perSecond: number
  readonly burst: number
  readonly atOnce: number
}

export const defaultWriteRates: WriteRates = { perSecond: 2_000, burst: 4_000, atOnce: 64 }

/**
 * Enough for a thousand jobs per second by workers of one principal: each is a start, a result, and a share
 * of polls and heartbeats. Polls wait long, so concurrency is bounded by how many may wait.
 */
export const defaultWorkerRates: WriteRates = {
  perSecond: 5_000,
  burst: 10_000,
  atOnce: Number.POSITIVE_INFINITY,
}

/** Principals remembered at once. The first to be forgotten is the one idle longest, so it loses nothing. */
const mostAccounts = 10_000

export type WriteDecision =
  /** `end` is called when the write was answered or given up; further calls have no effect. */
  { readonly allowed: true; end(): void } | { readonly allowed: false; readonly retryAfterSeconds: number }

interface Account {
  /** Writes that may begin now. */
  balance: number
  /** Monotonic time. */
  balancedAtMs: number
  inFlight: number
}

export class WriteLimits {
  readonly #clock: Clock
  readonly #rates: WriteRates
  /** Ordered by last write, the latest last. */
  readonly #accounts = new Map<string, Account>()

  constructor(clock: Clock, rates: WriteRates = defaultWriteRates) {
    this.#clock = clock
    this.#rates = rates
  }

  /** For metrics and tests. */
  get accounts(): number {
    return this.#accounts.size
  }

  begin(principal: string): WriteDecision {
    const account = this.#accountOf(principal)
    if (account.inFlight >= this.#rates.atOnce) return { allowed: false, retryAfterSeconds: 1 }
    if (account.balance < 1) {
      const seconds = (1 - account.balance) / this.#rates.perSecond
      return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) }
    }
    account.balance -= 1
    account.inFlight += 1
    let hasEnded = false
    return {
      allowed: true,
      end() {
        if (!hasEnded) account.inFlight -= 1
        hasEnded = true
      },
    }
  }

  /**
   * A write costs more than one, which is known only after it has begun. The balance may become negative, and
   * is earned back.
   */
  charge(principal: string, more: number): void {
    this.#accountOf(principal).balance -= more
  }

  #accountOf(principal: string): Account {
    const nowMs = this.#clock.monotonicMs()
    const known = this.#accounts.get(principal)
    const account = known ?? { balance: this.#rates.burst, balancedAtMs: nowMs, inFlight: 0 }
    const earned = ((nowMs - account.balancedAtMs) / 1_000) * this.#rates.perSecond
    account.balance = Math.min(this.#rates.burst, account.balance + earned)
    account.balancedAtMs = nowMs
    if (known !== undefined) this.#accounts.delete(principal)
    else if (this.#accounts.size >= mostAccounts) this.#forgetOne()
    this.#accounts.set(principal, account)
    return account
  }

  /** Never one with writes in flight: it would get its full limit again. */
  #forgetOne(): void {
    for (const [principal, { inFlight }] of this.#accounts) {
      if (inFlight > 0) continue
      this.#accounts.delete(principal)
      return
    }
  }
}
