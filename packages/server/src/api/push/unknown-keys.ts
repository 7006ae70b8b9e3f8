// api/push/unknown-keys.ts: how many unknown keys an address has tried in a minute. Beyond a few, further ones are
// refused with 429; a right key is never refused because of its neighbours.
import type { Clock } from '../../platform/clock.ts'
import { forgetOldest } from '../../platform/forget-oldest.ts'

const minuteMs = 60_000
const freePerMinute = 20
/** Beyond that the oldest is forgotten, which only gives it another few. */
const mostClients = 10_000

export class UnknownKeys {
  readonly #clock: Clock
  readonly #byClient = new Map<string, { readonly firstAtMs: number; count: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Addresses that are remembered. */
  get clients(): number {
    return this.#byClient.size
  }

  /** Counts one; 0 if it is answered as unknown, otherwise in how many seconds the next one is. */
  waitSeconds(client: string): number {
    const nowMs = this.#clock.monotonicMs()
    const known = this.#byClient.get(client)
    if (known === undefined || nowMs - known.firstAtMs >= minuteMs) {
      this.#byClient.delete(client)
      this.#byClient.set(client, { firstAtMs: nowMs, count: 1 })
      if (this.#byClient.size > mostClients) forgetOldest(this.#byClient)
      return 0
    }
    known.count++
    return known.count <= freePerMinute ? 0 : Math.ceil((minuteMs - (nowMs - known.firstAtMs)) / 1_000)
  }
}
