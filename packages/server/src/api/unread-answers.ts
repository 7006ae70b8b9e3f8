// api/unread-answers.ts: answers that clients have not taken yet. A client that does not read is cut off after a time,
// and together unread answers hold no more than a fixed amount of memory: beyond it, who has waited longest goes first.
import type { ServerResponse } from 'node:http'
import { whenOver } from './request-end.ts'

export interface UnreadLimits {
  /** From the first byte to the last: enough for the largest answer over a slow line. */
  readonly takenWithinMs: number
  readonly bytes: number
}

const defaultLimits: UnreadLimits = { takenWithinMs: 60_000, bytes: 64 * 1024 * 1024 }

export class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** Oldest first. */
  readonly #waiting = new Map<ServerResponse, number>()
  #bytes = 0

  constructor(limits: UnreadLimits = defaultLimits) {
    this.#limits = limits
  }

  /** An answer of this size is about to be written. */
  watch(response: ServerResponse, bytes: number): void {
    this.#waiting.set(response, bytes)
    this.#bytes += bytes
    const late = setTimeout(() => response.destroy(), this.#limits.takenWithinMs)
    whenOver(response, () => {
      clearTimeout(late)
      this.#forget(response)
    })
    for (const oldest of this.#waiting.keys()) {
      // The newest has had no chance to be read yet.
      if (this.#bytes <= this.#limits.bytes || oldest === response) break
      this.#forget(oldest)
      oldest.destroy()
    }
  }

  #forget(response: ServerResponse): void {
    this.#bytes -= this.#waiting.get(response) ?? 0
    this.#waiting.delete(response)
  }
}
