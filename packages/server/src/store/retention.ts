// store/retention.ts: how far history goes back, and the loop that makes the store forget what is older: in small steps
// with pauses, so that commits never wait long for it.
export const retentionDays = 30
export const retentionMs = retentionDays * 86_400_000

/** How much is kept besides history. */
export interface StoreBounds {
  /** Versions of resources that were replaced or deleted: a minute longer than a cursor over a list lives. */
  readonly pastMs: number
  /** Which resources the last changes were of. */
  readonly changes: number
  readonly operations: number
}

export const storeBounds: StoreBounds = { pastMs: 6 * 60_000, changes: 1_000_000, operations: 1_000_000 }

const everyMs = 60_000
const rowsAtOnce = 500
const pauseMs = 50

/** The part of a store that forgets (store.ts). */
interface ForgettingStore {
  retain(now: number, rows: number): Promise<number>
}

export class Retention {
  readonly #store: ForgettingStore
  readonly #now: () => number
  #timer: NodeJS.Timeout | null = null

  constructor(store: ForgettingStore, now: () => number) {
    this.#store = store
    this.#now = now
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#step(), everyMs).unref()
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  async #step(): Promise<void> {
    // A store that fails says so to the caller that commits; forgetting can wait.
    const removed = await this.#store.retain(this.#now(), rowsAtOnce).catch(() => 0)
    if (this.#timer !== null)
      this.#timer = setTimeout(() => void this.#step(), removed > 0 ? pauseMs : everyMs).unref()
  }
}
