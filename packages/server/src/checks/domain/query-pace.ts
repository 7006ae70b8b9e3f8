// checks/domain/query-pace.ts: when a registry may be asked: once per second, and not before the pause ends that it asked
// for. Registries block clients that ask more often.
import { forgetOldest } from '../../platform/forget-oldest.ts'

const BETWEEN_QUERIES_MS = 1_000
const MOST_REGISTRIES = 1_000

interface Registry {
  /** When the next query may go out. */
  readonly nextMs: number
  /** The end of the pause that it asked for. */
  readonly pausedUntilMs: number
}

/** Registries are named by their origin; times are monotonic. */
export class QueryPace {
  readonly #registries = new Map<string, Registry>()

  /** Takes a turn and returns how long to wait for it; null if it would come later than the caller can wait. */
  takeTurn(registry: string, nowMs: number, mostWaitMs: number): number | null {
    const { nextMs, pausedUntilMs } = this.#of(registry)
    const turnMs = Math.max(nowMs, nextMs, pausedUntilMs)
    if (turnMs - nowMs > mostWaitMs) return null
    this.#set(registry, { nextMs: turnMs + BETWEEN_QUERIES_MS, pausedUntilMs })
    return turnMs - nowMs
  }

  pause(registry: string, untilMs: number): void {
    const { nextMs, pausedUntilMs } = this.#of(registry)
    this.#set(registry, { nextMs, pausedUntilMs: Math.max(pausedUntilMs, untilMs) })
  }

  /** Zero if the registry asked for no pause, or if it is over. */
  pauseLeftMs(registry: string, nowMs: number): number {
    return Math.max(0, this.#of(registry).pausedUntilMs - nowMs)
  }

  #of(registry: string): Registry {
    return this.#registries.get(registry) ?? { nextMs: 0, pausedUntilMs: 0 }
  }

  #set(registry: string, state: Registry): void {
    if (this.#registries.size >= MOST_REGISTRIES && !this.#registries.has(registry))
      forgetOldest(this.#registries)
    this.#registries.set(registry, state)
  }
}
