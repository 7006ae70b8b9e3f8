// api/wrong-guesses.ts: how long a client that presented wrong credentials waits for its refusal: the longer, the more it
// guesses. Whoever is right never waits, whatever other clients did.
import type { Clock } from '../platform/clock.ts'
import { forgetOldest } from '../platform/forget-oldest.ts'

const freeGuessesPerMinute = 10
const longestDelayMs = 1000
/** Peers remembered at once; beyond it the oldest is forgotten, which costs only its delay. */
const mostPeers = 10_000

export class WrongGuesses {
  readonly #clock: Clock
  readonly #byPeer = new Map<string, { minute: number; count: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one more, and answers with its delay. */
  delayMs(peer: string): number {
    const minute = Math.floor(this.#clock.monotonicMs() / 60_000)
    const known = this.#byPeer.get(peer)
    const count = known?.minute === minute ? known.count + 1 : 1
    this.#byPeer.delete(peer)
    this.#byPeer.set(peer, { minute, count })
    if (this.#byPeer.size > mostPeers) forgetOldest(this.#byPeer)
    return count < freeGuessesPerMinute
      ? 0
      : Math.min(longestDelayMs, (count - freeGuessesPerMinute + 1) * 100)
  }
}
