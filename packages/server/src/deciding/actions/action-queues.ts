// deciding/actions/action-queues.ts: decides which queued actions may start now. Each destination has its own
// queue of notifications; all interventions share one queue. `waitOf` gives the reason for every action that
// may not start yet. Nothing here changes an action: the ledger starts or ends what it takes from the queues.
import type { Instant } from '../health/health.ts'
import type { Action } from './action.ts'
import type { Destination, DestinationRecord, DestinationView } from './destination.ts'
import { DestinationQueue } from './destination-queue.ts'
import { type InterventionGuard, InterventionQueue } from './intervention-queue.ts'
import type { HoldReason, MonitorActions, OpenAction, OpenNotification } from './monitor-actions.ts'

/** The names that the API uses. */
export type WaitReason =
  | HoldReason
  | 'cooldown'
  | 'paged_recently'
  | 'retry'
  | 'budget'
  | 'ailing_destination'
  /** Nothing holds it back: it starts as soon as a place is free. */
  | 'room'

/** How many actions of each kind there is room for. */
export interface Room {
  readonly interventions: number
  readonly notifications: number
}

/** Holds that end when the monitor changes. The intervention queue polls for the others. */
const releasable: ReadonlySet<HoldReason> = new Set<HoldReason>(['maintenance', 'held', 'pacing'])

export class ActionQueues {
  readonly interventions: InterventionQueue
  readonly #destinations = new Map<string, DestinationQueue>()
  /**
   * Queues of removed destinations, kept until their last delivery has ended: a destination that is added
   * again keeps counting what it has in flight.
   */
  readonly #retired = new Map<string, DestinationQueue>()
  /** Queues that are not empty. */
  readonly #waiting = new Set<DestinationQueue>()
  #trustedFrom: Instant = Number.NEGATIVE_INFINITY

  constructor(interventionsPerMinute: number, destinations: Iterable<Destination>) {
    this.interventions = new InterventionQueue(interventionsPerMinute)
    for (const one of destinations) this.#destinations.set(one.name, new DestinationQueue(one))
  }

  of(endpoint: string): DestinationQueue | undefined {
    return this.#destinations.get(endpoint)
  }

  /** Failures up to this instant do not start an intervention or a red, because a restart or a gap followed them. */
  trustFrom(instant: Instant): void {
    this.#trustedFrom = instant
  }

  /** The clock was set. The actions themselves have been moved already. */
  move(stepMs: number): void {
    this.#trustedFrom += stepMs
    this.interventions.move(stepMs)
    for (const queue of [...this.#destinations.values(), ...this.#retired.values()]) queue.move(stepMs)
  }

  add(open: OpenAction): void {
    const { endpoint } = open.action
    if (endpoint === null) return this.interventions.add(open)
    const queue = this.#destinations.get(endpoint)
    if (queue === undefined) throw new Error(`there is no destination ${endpoint} to queue for`)
    queue.add(open)
    this.#waiting.add(queue)
  }

  /** The previous process started this action, and it is still in flight. */
  resumed(open: OpenAction, targetOf: (monitorId: string) => string): void {
    const { endpoint, monitorId } = open.action
    if (endpoint !== null) this.#destinations.get(endpoint)?.resumed(open)
    else if (monitorId !== null) this.interventions.resumed(open, targetOf(monitorId))
  }

  cancelled(open: OpenAction): void {
    this.#placeOf(open)?.cancelled(open)
  }

  ended(open: OpenAction): void {
    this.#placeOf(open)?.ended(open)
    const { endpoint } = open.action
    this.release(open.monitor)
    if (endpoint !== null && this.#retired.get(endpoint)?.inFlight === 0) this.#retired.delete(endpoint)
  }

  /**
   * Called when the monitor's maintenance ends, a check fails or an action ends: releases what was held for that reason.
   */
  release(monitor: MonitorActions): void {
    for (const open of monitor.openActions) {
      if (open.heldBy === null || !releasable.has(open.heldBy)) continue
      const hold = this.#holdOf(open)
      if (hold === null) this.#placeOf(open)?.release(open)
      // Another reason may hold it by now; record the one that has to end.
      else if (open.action.kind === 'code') open.heldBy = hold
    }
  }

  /** Takes as many actions as there is room for and marks them as in flight. */
  takeStartable(now: Instant, guard: InterventionGuard, room: Room): OpenAction[] {
    const taken: OpenAction[] = []
    const holdOf = (open: OpenAction) => this.#holdOf(open)
    while (taken.length < room.interventions) {
      const open = this.interventions.takeStartable(now, holdOf, guard)
      if (open === undefined) break
      taken.push(open)
    }
    const atMost = taken.length + room.notifications
    for (const queue of [...this.#waiting]) {
      if (taken.length >= atMost) break
      this.#takeFrom(queue, now, atMost, taken)
      // Moved to the end, so that queues skipped by a full batch come first in the next call.
      this.#waiting.delete(queue)
      if (queue.queued > 0) this.#waiting.add(queue)
    }
    // Each destination may have one in flight even if hanging destinations have used up all the room.
    for (const queue of this.#waiting)
      if (queue.inFlight === 0) this.#takeFrom(queue, now, taken.length + 1, taken)
    return taken
  }

  /** Takes up to `atMost` notifications that are queued for dead destinations. The caller ends them. */
  takeUndeliverable(atMost: number): OpenNotification[] {
    let undeliverable: OpenNotification[] = []
    for (const queue of this.#waiting)
      if (queue.isDead) undeliverable = undeliverable.concat(queue.takeQueued(atMost - undeliverable.length))
    return undeliverable
  }

  /** When the next call may find something; null if only a new input can change that. */
  nextStartAt(now: Instant): Instant | null {
    let earliest = this.interventions.nextStartAt(now)
    for (const queue of this.#waiting) {
      const at = queue.nextStartAt()
      if (at !== null && (earliest === null || at < earliest)) earliest = at
    }
    return earliest
  }

  /**
   * Why a queued action waits. Null if its destination is dead, so it will never start, or if it is not due
   * yet and its record does not say why.
   */
  waitOf(open: OpenAction, now: Instant): WaitReason | null {
    const { endpoint, delay } = open.action
    const queue = endpoint === null ? undefined : this.#destinations.get(endpoint)
    if (queue?.isDead) return null
    if (open.heldBy !== null) return open.heldBy
    if (queue?.condition.isAiling) return 'ailing_destination'
    if (open.dueAt > now) return delay?.kind ?? null
    const hold = this.#holdOf(open)
    if (hold !== null) return hold
    if (queue === undefined) return this.interventions.budget.freeAt(now) > now ? 'budget' : 'room'
    return queue.isBusy(now) ? 'pacing' : 'room'
  }

  /** Replaces the destinations; returns what was queued for those that are gone. */
  reconfigure(destinations: Iterable<Destination>): OpenNotification[] {
    const gone = new Map(this.#destinations)
    for (const one of destinations) {
      gone.delete(one.name)
      const queue = this.#destinations.get(one.name) ?? this.#retired.get(one.name)
      this.#destinations.set(one.name, queue ?? new DestinationQueue(one))
      this.#retired.delete(one.name)
      queue?.reconfigure(one)
    }
    for (const [name, queue] of gone) {
      this.#destinations.delete(name)
      this.#waiting.delete(queue)
      if (queue.inFlight > 0) this.#retired.set(name, queue)
    }
    return [...gone.values()].flatMap((queue) => queue.takeQueued(Number.POSITIVE_INFINITY))
  }

  views(now: Instant): DestinationView[] {
    return [...this.#destinations.values()].map((queue) => queue.view(now))
  }

  /** Records of the destinations that the next process has to know about. */
  records(): DestinationRecord[] {
    return [...this.#destinations.values()].flatMap((queue) => queue.record() ?? [])
  }

  destinations(): Iterable<DestinationQueue> {
    return this.#destinations.values()
  }

  #takeFrom(queue: DestinationQueue, now: Instant, atMost: number, taken: OpenAction[]): void {
    while (taken.length < atMost) {
      const open = queue.takeStartable(now, (queued) => this.#holdOf(queued))
      if (open === undefined) return
      taken.push(open)
    }
  }

  #placeOf({ action: { endpoint } }: OpenAction): DestinationQueue | InterventionQueue | undefined {
    if (endpoint === null) return this.interventions
    return this.#destinations.get(endpoint) ?? this.#retired.get(endpoint)
  }

  #holdOf(open: OpenAction): HoldReason | null {
    const { action, monitor } = open
    if (monitor.inMaintenance && action.kind === 'code' && action.color !== 'gray') return 'maintenance'
    const needsEvidence = action.kind === 'intervention' || action.color === 'red'
    if (needsEvidence && monitor.lastFailureAt <= this.#trustedFrom) return 'held'
    return this.#isAnotherInFlight(open) ? 'pacing' : null
  }

  #isAnotherInFlight({ action, monitor }: OpenAction): boolean {
    const { endpoint } = action
    if (endpoint === null || !isOrdered(action)) return false
    const queue = this.#destinations.get(endpoint)
    return monitor.openActions.some((other) => isOrdered(other.action) && queue?.isInFlight(other))
  }
}

/** A gray is about maintenance and contradicts no other color, so it may arrive in any order. */
function isOrdered({ kind, color }: Action): boolean {
  return kind === 'code' && color !== 'gray'
}
