// deciding/actions/destination-queue.ts: the notifications for one destination. The queue limits how many are
// in flight, spaces their starts by the provider's rate, and waits as long as the destination's condition
// demands. A slow destination does not delay others. A notification that its monitor holds back (maintenance,
// no failed check yet) is set aside and does not block the queue.
import type { Instant } from '../health/health.ts'
import type { Destination, DestinationRecord, DestinationView } from './destination.ts'
import { DestinationCondition } from './destination-condition.ts'
import { type HoldReason, isNotification, type OpenAction, type OpenNotification } from './monitor-actions.ts'
import { isQueued, WaitingActions } from './waiting-actions.ts'

export class DestinationQueue {
  destination: Destination
  condition = new DestinationCondition()
  /** When the last digest started. */
  lastDigestAt: Instant = Number.NEGATIVE_INFINITY
  /** Incidents that were untold before this instant were in a digest that was sent, or dropped with one. */
  digestedUpTo: Instant = Number.NEGATIVE_INFINITY
  /** When that digest ended. */
  digestedAt: Instant = Number.NEGATIVE_INFINITY
  /** That digest, if it was delivered; null if it was dropped. */
  digestId: string | null = null
  readonly #inFlight = new Set<OpenAction>()
  #probe: OpenAction | null = null
  #nextStartAt: Instant = Number.NEGATIVE_INFINITY
  readonly #waiting = new WaitingActions()

  constructor(destination: Destination) {
    this.destination = destination
  }

  get queued(): number {
    return this.#waiting.count
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  isInFlight(open: OpenAction): boolean {
    return this.#inFlight.has(open)
  }

  get isDead(): boolean {
    return this.condition.dead !== null
  }

  /** Whether an incident that became untold then was in a digest that was sent or dropped. */
  hasDigestedSince(since: Instant | null): boolean {
    return since !== null && since < this.digestedUpTo
  }

  /** Whether it was sent to try an ailing destination. */
  isProbe(open: OpenAction): boolean {
    return this.#probe === open
  }

  /** Removes up to `atMost` queued notifications. The caller ends them. */
  takeQueued(atMost: number): OpenNotification[] {
    const taken: OpenNotification[] = []
    while (taken.length < atMost) {
      const open = this.#waiting.takeAny()
      if (open === undefined) break
      if (isQueued(open) && isNotification(open)) taken.push(open)
    }
    return taken
  }

  add(open: OpenAction): void {
    this.#waiting.add(open)
  }

  /** The previous process started it and it is still in flight. It is a probe if the destination was ailing then. */
  resumed(open: OpenAction): void {
    const { ailing } = this.condition
    if (ailing !== null && (open.action.startedAt ?? ailing.since) >= ailing.since) this.#probe = open
    this.#inFlight.add(open)
  }

  /** The action itself has already been cancelled. */
  cancelled(open: OpenAction): void {
    this.#waiting.cancelled(open)
  }

  /** Takes the next notification that may start now and marks it as in flight; undefined if there is none. */
  takeStartable(now: Instant, holdOf: (open: OpenAction) => HoldReason | null): OpenAction | undefined {
    while (!this.isDead && this.#mayStartAt(now) <= now) {
      const open = this.#waiting.takeDue(now)
      if (open === undefined) return undefined
      if (!isQueued(open)) continue
      open.heldBy = holdOf(open)
      if (open.heldBy === null) return this.#start(open, now)
      this.#waiting.hold(open)
    }
    return undefined
  }

  release(open: OpenAction): void {
    this.#waiting.release(open)
  }

  ended(open: OpenAction): void {
    this.#inFlight.delete(open)
    if (this.#probe === open) this.#probe = null
  }

  isBusy(now: Instant): boolean {
    return this.#mayStartAt(now) > now
  }

  /** The clock was set. Open actions have already moved; cancelled ones have not and must be removed. */
  move(stepMs: number): void {
    this.condition.move(stepMs)
    this.lastDigestAt += stepMs
    this.digestedUpTo += stepMs
    this.digestedAt += stepMs
    this.#nextStartAt += stepMs
    this.#waiting.sweep()
  }

  /** When to ask again; null if only an end, a release or a new action can change anything. */
  nextStartAt(): Instant | null {
    // Notifications queued for a dead destination only have to be ended.
    if (this.condition.dead !== null) return this.queued > 0 ? this.condition.dead.since : null
    const { first } = this.#waiting
    if (first === undefined) return null
    const mayStartAt = this.#mayStartAt(first.dueAt)
    return Number.isFinite(mayStartAt) ? Math.max(first.dueAt, mayStartAt) : null
  }

  view(now: Instant): DestinationView {
    return { name: this.destination.name, ...this.condition.view(now), queued: this.queued }
  }

  /** For the next process; null if there is nothing to keep. */
  record(): DestinationRecord | null {
    const { dead, ailing } = this.condition
    const digestedUpTo = Number.isFinite(this.digestedUpTo) ? this.digestedUpTo : null
    const digestedAt = Number.isFinite(this.digestedAt) ? this.digestedAt : null
    if (dead === null && ailing === null && digestedUpTo === null) return null
    const { name, fingerprint } = this.destination
    return { name, fingerprint, dead, ailing, digestedUpTo, digestedAt, digestId: this.digestId }
  }

  restore(record: DestinationRecord, now: Instant): void {
    const { fingerprint, dead, ailing, digestedUpTo, digestedAt, digestId = null } = record
    if (fingerprint === this.destination.fingerprint) this.condition.restore(dead, ailing, now)
    this.digestedUpTo = digestedUpTo ?? Number.NEGATIVE_INFINITY
    this.digestedAt = digestedAt ?? this.digestedUpTo
    this.digestId = digestId
    this.lastDigestAt = this.digestedUpTo
  }

  /** Whether the previous process's clock was ahead. */
  isAhead(now: Instant): boolean {
    return this.digestedUpTo > now
  }

  /** Clamps instants left by the previous process to now. From here on, only times of this process are compared. */
  notAhead(now: Instant): void {
    this.digestedUpTo = Math.min(this.digestedUpTo, now)
    this.digestedAt = Math.min(this.digestedAt, now)
    this.lastDigestAt = Math.min(this.lastDigestAt, now)
  }

  /** Applies new limits at once. Returns true if the configuration changed, which resets the condition. */
  reconfigure(destination: Destination): boolean {
    const isAnother = destination.fingerprint !== this.destination.fingerprint
    this.destination = destination
    if (isAnother) this.condition = new DestinationCondition()
    return isAnother
  }

  #mayStartAt(now: Instant): Instant {
    const atOnce = !this.condition.isAiling ? this.destination.maxInFlight : 1
    if (this.#inFlight.size >= atOnce) return Number.POSITIVE_INFINITY
    return Math.max(now, this.condition.notBefore, this.#nextStartAt)
  }

  #start(open: OpenAction, now: Instant): OpenAction {
    if (this.condition.isAiling) this.#probe = open
    this.#inFlight.add(open)
    this.#waiting.started()
    this.#nextStartAt = Math.max(now, this.#nextStartAt) + 1000 / this.destination.ratePerSecond
    return open
  }
}
