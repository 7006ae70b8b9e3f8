// api/request-permits.ts: how many requests may be in flight at once. A request beyond the limit is told to retry later
// instead of joining an unbounded queue. A permit is held until the client has received its answer or is gone.
import type { ServerResponse } from 'node:http'
import { whenOver } from './request-end.ts'

export interface Permit {
  /** Gives the permit back before the request is over. */
  release(): void
}

export class RequestPermits {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  take(response: ServerResponse): Permit | 'none left' {
    if (this.#taken >= this.#most) return 'none left'
    this.#taken++
    let isReleased = false
    const release = () => {
      if (!isReleased) this.#taken--
      isReleased = true
    }
    whenOver(response, release)
    return { release }
  }
}
