// api/wrong-guesses.ts: how long a client that presented wrong credentials waits for its refusal: longer with
// every guess. A client with correct credentials never waits, whatever others did.
import type { Clock } from '../platform/clock.ts'
import { forgetOldest } from '../platform/forget-oldest.ts'

const minuteMs = 60_000
const freeGuessesPerMinute = 10
const longestDelayMs = 1000
/** Peers remembered at once; beyond that the oldest is forgotten, which only loses its delay. */
const mostPeers = 10_000

export class WrongGuesses {
  readonly #clock: Clock
  readonly #byPeer = new Map<string, { firstAtMs: number; count: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one more guess and returns its delay. */
  delayMs(peer: string): number {
    const nowMs = this.#clock.monotonicMs()
    const known = this.#byPeer.get(peer)
    // The minute starts with the first guess: with calendar minutes, guesses across a boundary would count half.
    const isOver = known === undefined || nowMs - known.firstAtMs >= minuteMs
    const { firstAtMs, count } = isOver
      ? { firstAtMs: nowMs, count: 1 }
      : { ...known, count: known.count + 1 }
    this.#byPeer.delete(peer)
    this.#byPeer.set(peer, { firstAtMs, count })
    if (this.#byPeer.size > mostPeers) forgetOldest(this.#byPeer)
    return count < freeGuessesPerMinute
      ? 0
      : Math.min(longestDelayMs, (count - freeGuessesPerMinute + 1) * 100)
  }
}
