// store/retention.ts: how far back history goes, and the loop that removes older data from the store: in
// small steps with pauses, so that commits never wait long for it.
export const retentionDays = 30
export const retentionMs = retentionDays * 86_400_000

/** What is kept besides history. */
export interface StoreBounds {
  /** Replaced or deleted versions of resources: kept a minute longer than a list cursor is valid. */
  readonly pastMs: number
  /** How many of the last changes the log names the resource of. */
  readonly changes: number
  readonly operations: number
}

export const storeBounds: StoreBounds = { pastMs: 6 * 60_000, changes: 1_000_000, operations: 1_000_000 }

const everyMs = 60_000
const rowsAtOnce = 500
const pauseMs = 50

/** The part of a store that removes old data (store.ts). */
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
    // A failing store is reported to the caller that commits; removal can wait.
    const removed = await this.#store.retain(this.#now(), rowsAtOnce).catch(() => 0)
    if (this.#timer !== null)
      this.#timer = setTimeout(() => void this.#step(), removed > 0 ? pauseMs : everyMs).unref()
  }
}
