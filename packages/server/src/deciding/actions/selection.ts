// deciding/actions/selection.ts: which queued actions may start now. Codes stand in line before their destination,
// interventions in one line of their own; what may not start yet has a reason that can be asked for. Nothing here
// changes an action: the ledger does, with what is taken from here.
import type { Instant } from '../health/health.ts'
import type { Action } from './action.ts'
import type { Destination, DestinationRecord, DestinationView } from './destination.ts'
import { DestinationLane } from './destination-lane.ts'
import { type InterventionGuard, InterventionLine } from './intervention-line.ts'
import type { Hold, Line, MonitorBook } from './monitor-book.ts'

/** As the API calls them. */
export type WaitReason =
  | Hold
  | 'cooldown'
  | 'retry'
  | 'budget'
  | 'ailing_destination'
  /** Nothing else: it starts as soon as there is room. */
  | 'room'

/** How many of each kind there is room for. */
export interface Room {
  readonly interventions: number
  readonly codes: number
}

/** What the monitor itself holds back; the rest is asked about again by its line. */
const setAside: ReadonlySet<Hold> = new Set<Hold>(['maintenance', 'held', 'pacing'])

export class Selection {
  readonly interventions: InterventionLine
  readonly #lanes = new Map<string, DestinationLane>()
  /** Of destinations that are no more, until the last delivery has ended: one that comes back is not sent too much. */
  readonly #retired = new Map<string, DestinationLane>()
  /** Lanes in which anything is queued. */
  readonly #waiting = new Set<DestinationLane>()
  #trustedFrom: Instant = Number.NEGATIVE_INFINITY

  constructor(interventionsPerMinute: number, destinations: Iterable<Destination>) {
    this.interventions = new InterventionLine(interventionsPerMinute)
    for (const one of destinations) this.#lanes.set(one.name, new DestinationLane(one))
  }

  laneOf(endpoint: string): DestinationLane | undefined {
    return this.#lanes.get(endpoint)
  }

  /** Evidence from before this instant starts no intervention and no red: a restart, or a gap, lies between. */
  trustFrom(instant: Instant): void {
    this.#trustedFrom = instant
  }

  /** The clock was set; the actions have moved already. */
  move(stepMs: number): void {
    this.#trustedFrom += stepMs
    this.interventions.move(stepMs)
    for (const lane of [...this.#lanes.values(), ...this.#retired.values()]) lane.move(stepMs)
  }

  add(line: Line): void {
    const { endpoint } = line.action
    if (endpoint === null) return this.interventions.add(line)
    const lane = this.#lanes.get(endpoint)!
    lane.add(line)
    this.#waiting.add(lane)
  }

  cancelled(line: Line): void {
    this.#placeOf(line)?.cancelled(line)
  }

  ended(line: Line): void {
    this.#placeOf(line)?.ended(line)
    const { endpoint } = line.action
    this.release(line.book)
    if (endpoint !== null && this.#retired.get(endpoint)?.inFlight === 0) this.#retired.delete(endpoint)
  }

  /** The monitor's maintenance ended, a check of it failed, or an action of it ended: what stands aside may go on. */
  release(book: MonitorBook): void {
    for (const line of book.lines) {
      if (line.hold === null || !setAside.has(line.hold)) continue
      const hold = this.#holdOf(line)
      if (hold === null) this.#placeOf(line)?.release(line)
      // One reason may have taken the place of another; it is this one that has to end now.
      else if (line.action.kind === 'code') line.hold = hold
    }
  }

  /** Takes at most so many; each is then under way for its destination or target. */
  takeStartable(now: Instant, guard: InterventionGuard, room: Room): Line[] {
    const taken: Line[] = []
    const holdOf = (line: Line) => this.#holdOf(line)
    while (taken.length < room.interventions) {
      const line = this.interventions.takeStartable(now, holdOf, guard)
      if (line === undefined) break
      taken.push(line)
    }
    const atMost = taken.length + room.codes
    for (const lane of [...this.#waiting]) {
      if (taken.length >= atMost) break
      this.#takeFrom(lane, now, atMost, taken)
      // To the end: lanes that a full batch left out come first in the next call.
      this.#waiting.delete(lane)
      if (lane.queued > 0) this.#waiting.add(lane)
    }
    // A place of its own for each destination: others that hang and fill all room do not keep it waiting.
    for (const lane of this.#waiting)
      if (lane.inFlight === 0) this.#takeFrom(lane, now, taken.length + 1, taken)
    return taken
  }

  /** What is queued for dead destinations, at most so many, to be ended. */
  takeBuried(atMost: number): Line[] {
    let buried: Line[] = []
    for (const lane of this.#waiting)
      if (lane.isDead) buried = buried.concat(lane.takeQueued(atMost - buried.length))
    return buried
  }

  /** When the next call may find something; null when only a new input can bring it. */
  nextStartAt(now: Instant): Instant | null {
    let earliest = this.interventions.nextStartAt(now)
    for (const lane of this.#waiting) {
      const at = lane.nextStartAt()
      if (at !== null && (earliest === null || at < earliest)) earliest = at
    }
    return earliest
  }

  /** Null for what will not start any more: its destination is gone. */
  waitOf(line: Line, now: Instant): WaitReason | null {
    const { endpoint, attempt } = line.action
    const lane = endpoint === null ? undefined : this.#lanes.get(endpoint)
    if (lane?.isDead) return null
    if (line.hold !== null) return line.hold
    if (lane?.condition.isAiling) return 'ailing_destination'
    if (line.dueAt > now) return attempt > 1 ? 'retry' : 'cooldown'
    const hold = this.#holdOf(line)
    if (hold !== null) return hold
    if (lane === undefined) return this.interventions.budget.freeAt(now) > now ? 'budget' : 'room'
    return lane.isBusy(now) ? 'pacing' : 'room'
  }

  /** Replaces the table; answers with what was queued for destinations that are no more. */
  reconfigure(destinations: Iterable<Destination>): Line[] {
    const gone = new Map(this.#lanes)
    for (const one of destinations) {
      gone.delete(one.name)
      const lane = this.#lanes.get(one.name) ?? this.#retired.get(one.name)
      this.#lanes.set(one.name, lane ?? new DestinationLane(one))
      this.#retired.delete(one.name)
      lane?.reconfigure(one)
    }
    for (const [name, lane] of gone) {
      this.#lanes.delete(name)
      this.#waiting.delete(lane)
      if (lane.inFlight > 0) this.#retired.set(name, lane)
    }
    return [...gone.values()].flatMap((lane) => lane.takeQueued(Number.POSITIVE_INFINITY))
  }

  views(now: Instant): DestinationView[] {
    return [...this.#lanes.values()].map((lane) => lane.view(now))
  }

  /** Of those that the next process has to know something of. */
  records(): DestinationRecord[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.record() ?? [])
  }

  lanes(): Iterable<DestinationLane> {
    return this.#lanes.values()
  }

  #takeFrom(lane: DestinationLane, now: Instant, atMost: number, taken: Line[]): void {
    while (taken.length < atMost) {
      const line = lane.takeStartable(now, (queued) => this.#holdOf(queued))
      if (line === undefined) return
      taken.push(line)
    }
  }

  #placeOf({ action: { endpoint } }: Line): DestinationLane | InterventionLine | undefined {
    if (endpoint === null) return this.interventions
    return this.#lanes.get(endpoint) ?? this.#retired.get(endpoint)
  }

  #holdOf(line: Line): Hold | null {
    const { action, book } = line
    if (book.inMaintenance && action.kind === 'code' && action.color !== 'gray') return 'maintenance'
    const needsEvidence = action.kind === 'intervention' || action.color === 'red'
    if (needsEvidence && book.lastFailureAt <= this.#trustedFrom) return 'held'
    return this.#isAnotherInFlight(line) ? 'pacing' : null
  }

  #isAnotherInFlight({ action, book }: Line): boolean {
    const { endpoint } = action
    if (endpoint === null || !isOrdered(action)) return false
    const lane = this.#lanes.get(endpoint)
    return book.lines.some((other) => isOrdered(other.action) && lane?.isInFlight(other))
  }
}

/** What a window of maintenance brings says nothing that another color would take back. */
function isOrdered({ kind, color }: Action): boolean {
  return kind === 'code' && color !== 'gray'
}
