// api/unread-answers.ts: answers that clients have not received yet. A client that does not read is cut off
// after a timeout. Unread answers together use a bounded amount of memory: beyond it, the client that has
// waited longest is cut off first.
import type { ServerResponse } from 'node:http'
import { whenOver } from './request-end.ts'

export interface UnreadLimits {
  /** From the first byte to the last: enough for the largest answer over a slow connection. */
  readonly takenWithinMs: number
  readonly bytes: number
}

const defaultLimits: UnreadLimits = { takenWithinMs: 60_000, bytes: 64 * 1024 * 1024 }

/** How many sweeps look for overdue clients within that timeout. */
const sweepsWithin = 12

export class UnreadAnswers {
  readonly #limits: UnreadLimits
  /** Oldest first. */
  readonly #waiting = new Map<ServerResponse, { readonly bytes: number; readonly sinceMs: number }>()
  #bytes = 0
  /** One timer for all: a timer per answer would cost more than most answers. */
  #sweeper: NodeJS.Timeout | null = null

  constructor(limits: UnreadLimits = defaultLimits) {
    this.#limits = limits
  }

  /** To be called before an answer of this size is written. */
  watch(response: ServerResponse, bytes: number): void {
    this.#waiting.set(response, { bytes, sinceMs: performance.now() })
    this.#bytes += bytes
    whenOver(response, () => this.#forget(response))
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#limits.takenWithinMs / sweepsWithin).unref()
    for (const oldest of this.#waiting.keys()) {
      // The newest answer had no chance to be read yet.
      if (this.#bytes <= this.#limits.bytes || oldest === response) break
      this.#forget(oldest)
      oldest.destroy()
    }
  }

  #forget(response: ServerResponse): void {
    this.#bytes -= this.#waiting.get(response)?.bytes ?? 0
    this.#waiting.delete(response)
  }

  #sweep(): void {
    const lateMs = performance.now() - this.#limits.takenWithinMs
    for (const [response, { sinceMs }] of this.#waiting) {
      if (sinceMs > lateMs) break
      response.destroy()
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#sweeper ?? undefined)
    this.#sweeper = null
  }
}
