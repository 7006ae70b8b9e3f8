// actions/destination-lane.ts: the line before one destination. It lets so many deliveries run at a time, spaces their
// starts by the provider's rate and pauses when the provider asks for it; a slow one delays no other. What a monitor
// holds back (maintenance, the wait for a failed check) stands aside, and does not stand in the way of the rest.
import type { Instant } from '../health/health.ts'
import type { Destination, DestinationView } from './destination.ts'
import { DueHeap } from './due-heap.ts'
import type { Hold, Line } from './monitor-book.ts'

/** Cancelled lines stay in the heap until their turn comes, or until they are more than the rest and than this. */
const sweptFrom = 1024

export class DestinationLane {
  destination: Destination
  deadSince: Instant | null = null
  readonly #inFlight = new Set<Line>()
  #pausedUntil: Instant = Number.NEGATIVE_INFINITY
  #nextStartAt: Instant = Number.NEGATIVE_INFINITY
  readonly #line = new DueHeap<Line>()
  readonly #aside = new Set<Line>()
  #queued = 0

  constructor(destination: Destination) {
    this.destination = destination
  }

  get queued(): number {
    return this.#queued
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  /** Takes out what is queued, at most so many, to be ended. */
  takeQueued(atMost: number): Line[] {
    const taken: Line[] = []
    while (taken.length < atMost) {
      const line = this.#line.take() ?? this.#takeAside()
      if (line === undefined) break
      if (isQueued(line)) taken.push(line)
    }
    return taken
  }

  add(line: Line): void {
    this.#queued++
    this.#line.add(line)
  }

  /** The line was cancelled: its action says so already. */
  cancelled(line: Line): void {
    this.#queued--
    this.#aside.delete(line)
    if (this.#line.size > sweptFrom + 2 * this.#queued) this.#line.keep(isQueued)
  }

  /** The next one that may start now, which is then under way; undefined when there is none. */
  takeStartable(now: Instant, holdOf: (line: Line) => Hold | null): Line | undefined {
    while (this.deadSince === null && this.#mayStartAt(now) <= now) {
      const line = this.#line.first
      if (line === undefined || line.dueAt > now) return undefined
      this.#line.take()
      if (!isQueued(line)) continue
      line.hold = holdOf(line)
      if (line.hold === null) return this.#start(line, now)
      this.#aside.add(line)
    }
    return undefined
  }

  release(line: Line): void {
    if (!this.#aside.delete(line)) return
    line.hold = null
    this.#line.add(line)
  }

  ended(line: Line): void {
    this.#inFlight.delete(line)
  }

  isBusy(now: Instant): boolean {
    return this.#mayStartAt(now) > now
  }

  pauseUntil(instant: Instant): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, instant)
  }

  /** The clock was set; the actions have moved already, except cancelled ones. */
  move(stepMs: number): void {
    this.#pausedUntil += stepMs
    this.#nextStartAt += stepMs
    if (this.deadSince !== null) this.deadSince += stepMs
    this.#line.keep(isQueued)
  }

  /** When it is worth asking again; null when only an end, a release or a new line can change anything. */
  nextStartAt(): Instant | null {
    // What is queued for a dead one only has to be ended.
    if (this.deadSince !== null) return this.#queued > 0 ? this.deadSince : null
    const first = this.#line.first
    if (first === undefined) return null
    const mayStartAt = this.#mayStartAt(first.dueAt)
    return Number.isFinite(mayStartAt) ? Math.max(first.dueAt, mayStartAt) : null
  }

  view(now: Instant): DestinationView {
    const { name } = this.destination
    const isLimited = this.#pausedUntil > now
    const state = this.deadSince !== null ? 'dead' : isLimited ? 'limited' : 'ok'
    return { name, state, until: state === 'limited' ? this.#pausedUntil : null, queued: this.queued }
  }

  /** New limits hold at once; a wait that was asked of the old configuration does not. */
  reconfigure(destination: Destination): void {
    if (destination.fingerprint !== this.destination.fingerprint) {
      this.deadSince = null
      this.#pausedUntil = Number.NEGATIVE_INFINITY
    }
    this.destination = destination
  }

  #takeAside(): Line | undefined {
    const [line] = this.#aside
    if (line !== undefined) this.#aside.delete(line)
    return line
  }

  #mayStartAt(now: Instant): Instant {
    if (this.#inFlight.size >= this.destination.maxInFlight) return Number.POSITIVE_INFINITY
    return Math.max(now, this.#pausedUntil, this.#nextStartAt)
  }

  #start(line: Line, now: Instant): Line {
    this.#inFlight.add(line)
    this.#queued--
    this.#nextStartAt = Math.max(now, this.#nextStartAt) + 1000 / this.destination.ratePerSecond
    return line
  }
}

function isQueued(line: Line): boolean {
  return line.action.state === 'queued'
}
