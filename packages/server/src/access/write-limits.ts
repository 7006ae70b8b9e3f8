// access/write-limits.ts: how much one principal may write: so many per second with bursts, and so many at once, so that one
// script that runs wild leaves room for the others. Calls of workers have limits of their own, by the same rules; reads have
// none here.
import type { Clock } from '../platform/clock.ts'

export interface WriteRates {
  readonly perSecond: number
  readonly burst: number
  readonly atOnce: number
}

export const defaultWriteRates: WriteRates = { perSecond: 2_000, burst: 4_000, atOnce: 64 }

/**
 * For a thousand jobs per second by workers of one principal: each is a start, a result, and a share of polls and
 * heartbeats. Polls wait for long, so those at once are bounded by how many may wait.
 */
export const defaultWorkerRates: WriteRates = {
  perSecond: 5_000,
  burst: 10_000,
  atOnce: Number.POSITIVE_INFINITY,
}

/** Principals remembered at once. The one forgotten first has not written for the longest time, so it loses nothing. */
const mostAccounts = 10_000

export type WriteDecision =
  /** `end` is called when the write has been answered, or was given up; calling it again changes nothing. */
  { readonly allowed: true; end(): void } | { readonly allowed: false; readonly retryAfterSeconds: number }

interface Account {
  /** Writes that may begin now. */
  balance: number
  /** Monotonic. */
  balancedAtMs: number
  inFlight: number
}

export class WriteLimits {
  readonly #clock: Clock
  readonly #rates: WriteRates
  /** The one that wrote last is the last. */
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

  /** What has begun costs more than one, which is known only now. The balance may fall below zero, and is earned back. */
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

  /** Never one with writes in flight: it would get as many again. */
  #forgetOne(): void {
    for (const [principal, { inFlight }] of this.#accounts) {
      if (inFlight > 0) continue
      this.#accounts.delete(principal)
      return
    }
  }
}
