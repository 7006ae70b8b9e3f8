// checking/probe/thread-demand.ts: how many probe threads the load needs. Each thread more costs memory and makes batches
// smaller, so a second one comes only when the first is busy, and goes when the rest could do its work with ease. The first
// number follows from the rate that the fleet asks for: a large fleet must not wait for its threads at the start.
import type { ProbeFleet } from './probe-protocol.ts'

/** What one thread does with much time to spare, unless its checks are expensive ones. */
const checksPerThread = 6_000

/** Above this share of busy time, one more thread is started. */
const busyFrom = 0.6
/** A thread leaves when the others would stay below this share without it. */
const easyBelow = 0.3
const easyForMs = 180_000
/** A new thread has this long to take its share before another is asked for. */
const settlingMs = 5_000
/** Load is the mean over about this time. */
const rememberedMs = 3_000

export interface ThreadBounds {
  readonly least: number
  readonly most: number
}

/** Σ 1/interval of the monitors that are checked. */
export function expectedChecksPerSecond({ policies: { of, values } }: Pick<ProbeFleet, 'policies'>): number {
  const rates = values.map(({ enabled, intervalMs }) => (enabled ? 1_000 / intervalMs : 0))
  let sum = 0
  for (const policy of of) sum += rates[policy]!
  return sum
}

export function threadsAtStart(checksPerSecond: number, { least, most }: ThreadBounds): number {
  return Math.max(least, Math.min(most, Math.ceil(checksPerSecond / checksPerThread)))
}

export class ThreadDemand {
  readonly #bounds: ThreadBounds
  #lookedMs: number
  #changedMs: number
  #easySinceMs: number | null = null
  #load = 0

  constructor(bounds: ThreadBounds, nowMs: number) {
    this.#bounds = bounds
    this.#lookedMs = this.#changedMs = nowMs
  }

  /** load: the share of time since the last look in which so many threads were busy, on average. How many there should be. */
  look(threads: number, load: number, nowMs: number): number {
    const weight = 1 - Math.exp(-(nowMs - this.#lookedMs) / rememberedMs)
    this.#lookedMs = nowMs
    this.#load += (load - this.#load) * weight
    const isEasy = this.#load * threads < easyBelow * (threads - 1)
    if (!isEasy) this.#easySinceMs = null
    else this.#easySinceMs ??= nowMs
    if (this.#load > busyFrom && threads < this.#bounds.most && nowMs - this.#changedMs >= settlingMs)
      return this.#change(threads + 1, nowMs)
    const isEasyForLong = this.#easySinceMs !== null && nowMs - this.#easySinceMs >= easyForMs
    return isEasyForLong && threads > this.#bounds.least ? this.#change(threads - 1, nowMs) : threads
  }

  #change(threads: number, nowMs: number): number {
    this.#changedMs = nowMs
    this.#easySinceMs = null
    return threads
  }
}
