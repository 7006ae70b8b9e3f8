// bulk/operation-places.ts: how many operations may be open at once, in total and per principal, and which of them gives
// way. An operation that waits for its client keeps its place for a day while places are left, and for ten minutes if a
// new one needs it. So abandoned operations never block others for longer, and one principal cannot take all places.
import { v2 } from '@pulseward/contract'
import type { KeyedLock } from '../managing/keyed-lock.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import { idleReason, longestIdleMs, type OpenOperation, type OpenOperations } from './open-operations.ts'

const { openOperations, openOperationsOfPrincipal, neededPlaceIdleMinutes } = v2.limits
const neededIdleMs = neededPlaceIdleMinutes * 60_000
const neededReason = `Nothing was done with the operation for ${neededPlaceIdleMinutes} minutes and a new one needed its place, so what was staged is gone; create another one.`
/** If all of them are running, it is unknown when the first will end. */
const runningRetrySeconds = 5

export class OperationPlaces {
  readonly #open: OpenOperations
  /** Held by calls that change the state of an operation. */
  readonly #calls: KeyedLock
  /** The principals of operations that are being opened. */
  readonly #opening: string[] = []

  constructor(open: OpenOperations, calls: KeyedLock) {
    this.#open = open
    this.#calls = calls
  }

  /**
   * Reserves a place until disposed; by then the operation is open, or was not opened. Throws a problem if
   * there is none, with the time after which there will be one at the latest.
   */
  async take(principal: string): Promise<Disposable> {
    for (;;) {
      const crowd = this.#crowdFor(principal)
      if (crowd === null) break
      const longestIdle = crowd.operations
        .filter((open) => this.#open.idleMs(open) !== null)
        .toSorted((one, other) => (this.#open.idleMs(other) ?? 0) - (this.#open.idleMs(one) ?? 0))[0]
      const leftMs = longestIdle && neededIdleMs - (this.#open.idleMs(longestIdle) ?? 0)
      if (longestIdle === undefined || leftMs === undefined || leftMs > 0) throw tooMany(crowd.words, leftMs)
      await this.#expire(longestIdle, neededIdleMs, neededReason)
    }
    this.#opening.push(principal)
    return { [Symbol.dispose]: () => this.#opening.splice(this.#opening.indexOf(principal), 1) }
  }

  /** Ends operations that waited for their client for a day. */
  async expireIdle(): Promise<void> {
    for (const open of this.#open.all()) {
      // Retried at the next check.
      await this.#expire(open, longestIdleMs, idleReason).catch(() => {})
    }
  }

  /** The operations of which one must go before another may be opened; null while there is room. */
  #crowdFor(principal: string): { operations: readonly OpenOperation[]; words: string } | null {
    const all = this.#open.all()
    const own = all.filter(({ operation }) => operation.principal === principal)
    const ownOpening = this.#opening.filter((one) => one === principal)
    if (own.length + ownOpening.length >= openOperationsOfPrincipal)
      return { operations: own, words: `${principal} has ${openOperationsOfPrincipal} open operations` }
    if (all.length + this.#opening.length >= openOperations)
      return { operations: all, words: `${openOperations} operations are open` }
    return null
  }

  /** Checks again once no call is changing it: the client may have come back. */
  async #expire(open: OpenOperation, afterMs: number, reason: string): Promise<void> {
    if ((this.#open.idleMs(open) ?? 0) < afterMs) return
    using _ = await this.#calls.take(String(open.operation.id))
    if (!this.#open.has(open) || (this.#open.idleMs(open) ?? 0) < afterMs) return
    await this.#open.end(open, 'expired', reason)
  }
}

function tooMany(words: string, leftMs: number | undefined): V2Problem {
  const [free, retryAfterSeconds] =
    leftMs === undefined
      ? ['all of them are being validated or applied', runningRetrySeconds]
      : [
          `one that is left alone gives way after ${neededPlaceIdleMinutes} minutes`,
          Math.ceil(leftMs / 1_000),
        ]
  return new V2Problem(
    'tooBusy',
    `${words}, which is as many as there may be; ${free}. List them with GET /api/v2/operations and cancel those that are not needed.`,
    { retryAfterSeconds },
  )
}
