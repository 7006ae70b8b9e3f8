// checking/queue/bounded-queue.ts: a first-in, first-out queue of small integers that never grows and never
// allocates. What does not fit is refused and counted as dropped. Items that became unwanted while they
// waited are not searched for: the consumer refuses them when they come out.
import { type Arrivals, type QueueObservation, QueueObserver } from './queue-observer.ts'

export const PULSE_QUEUE_CAPACITY = 65_536

/** Receives an item; false if it is no longer wanted and so does not count against the limit. */
export type Consume = (item: number, scheduledMs: number, enqueuedMs: number) => boolean

export class BoundedQueue {
  readonly capacity: number
  readonly #items: Int32Array
  readonly #scheduledMs: Float64Array
  readonly #enqueuedMs: Float64Array
  readonly #observer: QueueObserver
  #head = 0
  #depth = 0

  constructor(capacity: number, nowMs: number) {
    if (!Number.isInteger(capacity) || capacity < 1)
      throw new RangeError(`a queue cannot hold ${capacity} items`)
    this.capacity = capacity
    this.#items = new Int32Array(capacity)
    this.#scheduledMs = new Float64Array(capacity)
    this.#enqueuedMs = new Float64Array(capacity)
    this.#observer = new QueueObserver(nowMs)
  }

  get depth(): number {
    return this.#depth
  }

  get isFull(): boolean {
    return this.#depth === this.capacity
  }

  /** When the next item to come out was scheduled; null if the queue is empty. */
  get oldestScheduledMs(): number | null {
    return this.#depth === 0 ? null : this.#scheduledMs[this.#head]!
  }

  /** False, and counted as dropped, if the queue is full. */
  enqueue(item: number, scheduledMs: number, nowMs: number): boolean {
    if (this.#depth === this.capacity) {
      this.#observer.noteDropped()
      return false
    }
    const tail = this.#place(this.#depth)
    this.#items[tail] = item
    this.#scheduledMs[tail] = scheduledMs
    this.#enqueuedMs[tail] = nowMs
    this.#depth++
    this.#observer.noteEnqueued(nowMs)
    return true
  }

  /**
   * Passes the items that are in the queue now to consume, oldest first, until it has accepted limit of them; returns how
   * many it accepted. An item is removed before consume sees it, so consume may enqueue, and may throw.
   */
  dequeue(limit: number, nowMs: number, consume: Consume): number {
    let accepted = 0
    for (let left = this.#depth; left > 0 && accepted < limit; left--) {
      const head = this.#head
      const enqueuedMs = this.#enqueuedMs[head]!
      this.#head = this.#place(1)
      this.#depth--
      this.#observer.noteDequeued(enqueuedMs, nowMs)
      if (consume(this.#items[head]!, this.#scheduledMs[head]!, enqueuedMs)) accepted++
    }
    return accepted
  }

  arrivals(nowMs: number): Arrivals {
    return this.#observer.arrivals(nowMs)
  }

  observe(nowMs: number, wallMs: number): QueueObservation {
    const oldestEnqueuedMs = this.#depth === 0 ? null : this.#enqueuedMs[this.#head]!
    const contents = { depth: this.#depth, capacity: this.capacity, oldestEnqueuedMs }
    return this.#observer.observe(contents, nowMs, wallMs)
  }

  #place(offset: number): number {
    const place = this.#head + offset
    return place < this.capacity ? place : place - this.capacity
  }
}
