// backoff.ts: how long to wait after the service could not answer: twice as long each time, up to 30 s, with
// jitter so that many workers do not come back at once. Never shorter than Retry-After asks for.

const firstMs = 250
const mostMs = 30_000

export class Backoff {
  #failures = 0
  readonly #random: () => number

  constructor(random: () => number = Math.random) {
    this.#random = random
  }

  /** The next wait. */
  nextMs(retryAfterMs: number | null): number {
    const ceiling = Math.min(mostMs, firstMs * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 16)
    const jittered = ceiling / 2 + (this.#random() * ceiling) / 2
    return Math.max(retryAfterMs ?? 0, jittered)
  }

  reset(): void {
    this.#failures = 0
  }
}
