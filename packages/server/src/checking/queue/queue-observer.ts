// checking/queue/queue-observer.ts: statistics of a queue: how much went through it, how fast, how long items waited and
// how regularly they arrived. Rates, waits and the variation of arrivals cover the last minute; counters cover the life
// of the process. It works for any queue, including the ledger's. Recording costs a few additions.
import { BucketWindow } from '../../telemetry/bucket-window.ts'

const WINDOW_SECONDS = 60

// Columns of the window.
const ENQUEUED = 0
const DEQUEUED = 1
const WAITED_MS = 2
const LONGEST_WAIT_MS = 3
const GAPS = 4
const GAP_MS = 5
const GAP_SQUARED = 6
const COLUMNS = 7

/** What only the owner of the queue knows. */
export interface QueueContents {
  readonly depth: number
  readonly capacity: number
  readonly oldestEnqueuedMs: number | null
}

export interface QueueObservation {
  readonly depth: number
  readonly capacity: number
  readonly enqueued: number
  readonly dequeued: number
  readonly dropped: number
  /** Per second, over the last minute. */
  readonly enqueueRate: number | null
  readonly dequeueRate: number | null
  readonly avgWaitMs: number | null
  readonly maxWaitMs: number | null
  /** How long the first in the queue has waited. */
  readonly oldestMs: number | null
  /** Standard deviation of the time between arrivals over its mean. */
  readonly arrivalCv: number | null
  readonly arrivalSamples: number
  /** Epoch milliseconds. */
  readonly lastEnqueue: number | null
  readonly lastDequeue: number | null
  readonly windowSeconds: number
}

/** The input for the size of a pool. */
export type Arrivals = Pick<QueueObservation, 'enqueueRate' | 'arrivalCv'>

/** The fields of an observation that the history keeps. */
export const QUEUE_HISTORY_FIELDS = [
  'depth',
  'enqueued',
  'dequeued',
  'dropped',
  'enqueueRate',
  'dequeueRate',
  'avgWaitMs',
  'maxWaitMs',
  'oldestMs',
] as const satisfies readonly (keyof QueueObservation)[]

export class QueueObserver {
  readonly #recent: BucketWindow
  #enqueued = 0
  #dequeued = 0
  #dropped = 0
  #lastEnqueueMs: number | null = null
  #lastDequeueMs: number | null = null

  constructor(nowMs: number) {
    this.#recent = new BucketWindow({ bucketMs: 1_000, length: WINDOW_SECONDS, columns: COLUMNS }, nowMs)
  }

  noteEnqueued(nowMs: number): void {
    const cells = this.#recent.cells
    const cell = this.#recent.roll(nowMs)
    this.#enqueued++
    cells[cell + ENQUEUED]! += 1
    if (this.#lastEnqueueMs !== null) {
      const gapMs = nowMs - this.#lastEnqueueMs
      cells[cell + GAPS]! += 1
      cells[cell + GAP_MS]! += gapMs
      cells[cell + GAP_SQUARED]! += gapMs * gapMs
    }
    this.#lastEnqueueMs = nowMs
  }

  noteDequeued(enqueuedMs: number, nowMs: number): void {
    const cells = this.#recent.cells
    const cell = this.#recent.roll(nowMs)
    const waitedMs = nowMs - enqueuedMs
    this.#dequeued++
    cells[cell + DEQUEUED]! += 1
    cells[cell + WAITED_MS]! += waitedMs
    if (waitedMs > cells[cell + LONGEST_WAIT_MS]!) cells[cell + LONGEST_WAIT_MS] = waitedMs
    this.#lastDequeueMs = nowMs
  }

  noteDropped(): void {
    this.#dropped++
  }

  /** The part of an observation that pools ask for, several times per second. */
  arrivals(nowMs: number): Arrivals {
    this.#recent.roll(nowMs)
    return {
      enqueueRate: this.#recent.ratePerSecond(ENQUEUED),
      arrivalCv: this.#arrivalCv(this.#recent.sum(GAPS)),
    }
  }

  observe(contents: QueueContents, nowMs: number, wallMs: number): QueueObservation {
    const recent = this.#recent
    recent.roll(nowMs)
    const waits = recent.sum(DEQUEUED)
    const gaps = recent.sum(GAPS)
    const ageOf = (timeMs: number | null) => (timeMs === null ? null : nowMs - timeMs)
    const wallOf = (timeMs: number | null) => (timeMs === null ? null : wallMs - (nowMs - timeMs))
    return {
      depth: contents.depth,
      capacity: contents.capacity,
      enqueued: this.#enqueued,
      dequeued: this.#dequeued,
      dropped: this.#dropped,
      enqueueRate: recent.ratePerSecond(ENQUEUED),
      dequeueRate: recent.ratePerSecond(DEQUEUED),
      avgWaitMs: waits === 0 ? null : recent.sum(WAITED_MS) / waits,
      maxWaitMs: waits === 0 ? null : recent.max(LONGEST_WAIT_MS),
      oldestMs: ageOf(contents.oldestEnqueuedMs),
      arrivalCv: this.#arrivalCv(gaps),
      arrivalSamples: gaps,
      lastEnqueue: wallOf(this.#lastEnqueueMs),
      lastDequeue: wallOf(this.#lastDequeueMs),
      windowSeconds: WINDOW_SECONDS,
    }
  }

  #arrivalCv(gaps: number): number | null {
    // A single gap has no variation, and arrivals at one instant have no mean to compare it with.
    if (gaps < 2) return null
    const meanMs = this.#recent.sum(GAP_MS) / gaps
    if (meanMs === 0) return null
    // Rounding can push the difference a little below 0.
    return Math.sqrt(Math.max(0, this.#recent.sum(GAP_SQUARED) / gaps - meanMs * meanMs)) / meanMs
  }
}
