// api/request-slots.ts: how many requests may be under way at once. One beyond the limit is told to come back instead of
// waiting in a line without end. A slot is held until the client has taken its answer or is gone.
import type { ServerResponse } from 'node:http'
import { whenOver } from './request-end.ts'

export interface Slot {
  /** Before the request is over. */
  free(): void
}

export class RequestSlots {
  readonly #most: number
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  take(response: ServerResponse): Slot | 'none left' {
    if (this.#taken >= this.#most) return 'none left'
    this.#taken++
    let isFree = false
    const free = () => {
      if (!isFree) this.#taken--
      isFree = true
    }
    whenOver(response, free)
    return { free }
  }
}
