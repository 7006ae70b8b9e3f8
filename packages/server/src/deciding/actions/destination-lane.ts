// deciding/actions/destination-lane.ts: the line before one destination. It lets so many deliveries run at a time, spaces their
// starts by the provider's rate, and holds back what its condition forbids; a slow one delays no other. What a monitor
// holds back (maintenance, the wait for a failed check) stands aside, and does not stand in the way of the rest.
import type { Instant } from '../health/health.ts'
import type { Destination, DestinationRecord, DestinationView } from './destination.ts'
import { DestinationCondition } from './destination-condition.ts'
import { DueHeap } from './due-heap.ts'
import type { Hold, Line } from './monitor-book.ts'

/** Cancelled lines stay in the heap until their turn comes, or until they are more than the rest and than this. */
const sweptFrom = 1024

export class DestinationLane {
  destination: Destination
  condition = new DestinationCondition()
  /** When its last digest started. */
  lastDigestAt: Instant = Number.NEGATIVE_INFINITY
  /** What was untold before then is not any more. */
  digestedUpTo: Instant = Number.NEGATIVE_INFINITY
  /** When that became so: the digest ended. */
  digestedAt: Instant = Number.NEGATIVE_INFINITY
  readonly #inFlight = new Set<Line>()
  #probe: Line | null = null
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

  isInFlight(line: Line): boolean {
    return this.#inFlight.has(line)
  }

  get isDead(): boolean {
    return this.condition.dead !== null
  }

  /** A digest has told of what was untold since then, or was dropped with it. */
  hasDigestedSince(since: Instant | null): boolean {
    return since !== null && since < this.digestedUpTo
  }

  /** It was sent to try an ailing destination. */
  isProbe(line: Line): boolean {
    return this.#probe === line
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

  /** The next one that may start now, which is then in flight; undefined when there is none. */
  takeStartable(now: Instant, holdOf: (line: Line) => Hold | null): Line | undefined {
    while (!this.isDead && this.#mayStartAt(now) <= now) {
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
    if (this.#probe === line) this.#probe = null
  }

  isBusy(now: Instant): boolean {
    return this.#mayStartAt(now) > now
  }

  /** The clock was set; the actions have moved already, except cancelled ones. */
  move(stepMs: number): void {
    this.condition.move(stepMs)
    this.lastDigestAt += stepMs
    this.digestedUpTo += stepMs
    this.digestedAt += stepMs
    this.#nextStartAt += stepMs
    this.#line.keep(isQueued)
  }

  /** When it is worth asking again; null when only an end, a release or a new line can change anything. */
  nextStartAt(): Instant | null {
    // What is queued for a dead one only has to be ended.
    if (this.condition.dead !== null) return this.#queued > 0 ? this.condition.dead.since : null
    const first = this.#line.first
    if (first === undefined) return null
    const mayStartAt = this.#mayStartAt(first.dueAt)
    return Number.isFinite(mayStartAt) ? Math.max(first.dueAt, mayStartAt) : null
  }

  view(now: Instant): DestinationView {
    return { name: this.destination.name, ...this.condition.view(now), queued: this.queued }
  }

  /** For the next process; null when there is nothing to know. */
  record(): DestinationRecord | null {
    const { dead, ailing } = this.condition
    const digestedUpTo = Number.isFinite(this.digestedUpTo) ? this.digestedUpTo : null
    const digestedAt = Number.isFinite(this.digestedAt) ? this.digestedAt : null
    if (dead === null && ailing === null && digestedUpTo === null) return null
    const { name, fingerprint } = this.destination
    return { name, fingerprint, dead, ailing, digestedUpTo, digestedAt }
  }

  restore({ fingerprint, dead, ailing, digestedUpTo, digestedAt }: DestinationRecord, now: Instant): void {
    if (fingerprint === this.destination.fingerprint) this.condition.restore(dead, ailing, now)
    this.digestedUpTo = digestedUpTo ?? Number.NEGATIVE_INFINITY
    this.digestedAt = digestedAt ?? this.digestedUpTo
    this.lastDigestAt = this.digestedUpTo
  }

  /** The clock of the previous process was. */
  isAhead(now: Instant): boolean {
    return this.digestedUpTo > now
  }

  /** What was left by the previous process is settled: from here on only times of this one are compared. */
  notAhead(now: Instant): void {
    this.digestedUpTo = Math.min(this.digestedUpTo, now)
    this.digestedAt = Math.min(this.digestedAt, now)
    this.lastDigestAt = Math.min(this.lastDigestAt, now)
  }

  /** New limits hold at once; what the old configuration was answered does not. True when its condition is a new one. */
  reconfigure(destination: Destination): boolean {
    const isAnother = destination.fingerprint !== this.destination.fingerprint
    this.destination = destination
    if (isAnother) this.condition = new DestinationCondition()
    return isAnother
  }

  #takeAside(): Line | undefined {
    const [line] = this.#aside
    if (line !== undefined) this.#aside.delete(line)
    return line
  }

  #mayStartAt(now: Instant): Instant {
    const atOnce = !this.condition.isAiling ? this.destination.maxInFlight : 1
    if (this.#inFlight.size >= atOnce) return Number.POSITIVE_INFINITY
    return Math.max(now, this.condition.notBefore, this.#nextStartAt)
  }

  #start(line: Line, now: Instant): Line {
    if (this.condition.isAiling) this.#probe = line
    this.#inFlight.add(line)
    this.#queued--
    this.#nextStartAt = Math.max(now, this.#nextStartAt) + 1000 / this.destination.ratePerSecond
    return line
  }
}

function isQueued(line: Line): boolean {
  return line.action.state === 'queued'
}
