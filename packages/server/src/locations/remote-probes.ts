// locations/remote-probes.ts: monitors that are checked at other places, as a source of checks. A time slot runs at all places
// of its monitor at once, and ends with one outcome when each place has voted (vote.ts). The service itself may be one of
// them: its check runs where its others do, and the flow passes the result on as a vote.
import type { CheckSource, PartResult } from '../checking/check-source.ts'
import type { ProbeAmendment, ProbeFleet, ResultBatch } from '../checking/probe/probe-protocol.ts'
import { localPlace } from '../config/local-place.ts'
import type { PlacesView, Source, SourceTurn } from '../engine/source.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import { Ballot } from './ballot.ts'
import type { RemoteResults } from './batches.ts'
import { ConnectedProbes } from './connected-probes.ts'
import { batchOf, type EndedCheck } from './ended-checks.ts'
import type { Location } from './location.ts'
import { LocationCounts } from './location-counts.ts'
import { PlaceResults } from './place-results.ts'
import { missingVote, type PlaceVote, voteOf } from './place-vote.ts'
import type { ProbeSession } from './probe-session.ts'
import { outcomeOf, type Vote } from './vote.ts'

export interface RemoteProbesOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  /** Where this service checks. */
  readonly local: Pick<CheckSource, 'offer'>
}

/** Takes the results, in a turn. */
export interface ResultTaker {
  takeResults(source: CheckSource, batch: ResultBatch): void
}

/** How often checks are ended whose probe has not answered in time. */
const sweepEveryMs = 250

export class RemoteProbes implements CheckSource, Source {
  readonly types: readonly string[] = []
  readonly isElsewhere = true
  readonly runsHere = false
  readonly startsAtOnce = true
  readonly counts = new LocationCounts()
  readonly #options: RemoteProbesOptions
  readonly #probes: ConnectedProbes
  readonly #results = new PlaceResults()
  #taker: ResultTaker | null = null
  /** The slots in which not all places have voted, by row. */
  readonly #ballots = new Map<number, Ballot>()
  /** Checks that ended in a turn that is about something else; reported with the next one. */
  readonly #ended = new Map<number, EndedCheck>()
  #sweptMs = 0

  constructor(options: RemoteProbesOptions) {
    this.#options = options
    this.#probes = new ConnectedProbes(options)
  }

  get checks(): CheckSource {
    return this
  }

  /** Must be called before any check is offered. */
  tell(taker: ResultTaker): void {
    this.#taker = taker
  }

  /** Those with a probe. */
  get locations(): readonly Location[] {
    return this.#probes.locations
  }

  /** The other locations that monitors name, in order. */
  get namedLocations(): readonly string[] {
    const { values } = this.#options.fleet.definition.policies
    const named = new Set(values.flatMap(({ places }) => places?.locations ?? []))
    named.delete(localPlace)
    return [...named].sort()
  }

  placesOf(row: number): PlacesView | null {
    const { fleet } = this.#options
    const { places } = fleet.policyOf(row)
    if (places === undefined) return null
    const identity = fleet.identityHashOf(row)
    const last = (location: string) => this.#results.of(row, identity, location)
    return {
      needed: places.needed,
      places: places.locations.map((location) => ({ location, last: last(location) })),
    }
  }

  setFleet(_fleet: ProbeFleet, credentials: ReadonlyMap<string, string>): void {
    this.#probes.setFleet(credentials)
    const { fleet } = this.#options
    this.#results.drop((row) => fleet.has(row) && fleet.policyOf(row).places !== undefined)
  }

  amendFleet(_fleet: ProbeFleet, amendment: ProbeAmendment): void {
    this.#probes.amendFleet(amendment)
  }

  offer(row: number, generation: number, nextDueMs: number): void {
    const { places } = this.#options.fleet.policyOf(row)
    if (places === undefined) throw new Error('a check was offered that names no location')
    const offeredMs = this.#nowMs
    const ballot = new Ballot({ row, generation, places, offeredMs })
    this.#ballots.set(row, ballot)
    for (const location of places.locations) {
      if (location === localPlace) this.#options.local.offer(row, generation, nextDueMs)
      else {
        const why = this.#probes.ask(location, row, generation)
        if (why !== null) this.#cast(ballot, missingVote(location, why), offeredMs)
      }
    }
    if (ballot.isClosed) this.#ended.set(row, this.#close(ballot))
  }

  flush(): void {
    this.#probes.flush()
  }

  /** A check of this service ends as usual, and with it the ballot. */
  cancel(row: number): boolean {
    if (this.#ended.delete(row)) return true
    const ballot = this.#ballots.get(row)
    if (ballot === undefined) return false
    const { places } = ballot
    this.#probes.endChecksOf(row, places.locations)
    if (ballot.awaits(localPlace)) {
      for (const location of places.locations)
        if (location !== localPlace) ballot.cast(missingVote(location, 'it was given up'), ballot.offeredMs)
      return false
    }
    this.#ballots.delete(row)
    return true
  }

  /** This service has checked a monitor for which it is one of several places. */
  takePart({ row, generation, startedMs, outcome, latencyMs, note }: PartResult): void {
    const vote = voteOf(localPlace, outcome, latencyMs, note)
    const ended = this.#count({ row, generation, startedMs, vote })
    if (ended !== null) this.#ended.set(row, ended)
  }

  advance(turn: SourceTurn): void {
    const nowMs = this.#nowMs
    const ended = [...this.#ended.values()]
    this.#ended.clear()
    if (nowMs - this.#sweptMs >= sweepEveryMs) {
      this.#sweptMs = nowMs
      for (const one of this.#probes.endExpired()) ended.push(...present(this.#count(one)))
    }
    if (ended.length > 0) turn.takeResults(this, batchOf(ended))
  }

  get nextDueMs(): number | null {
    if (this.#ended.size > 0) return this.#nowMs
    return this.#ballots.size > 0 ? this.#sweptMs + sweepEveryMs : null
  }

  /** A probe has connected. */
  join(session: ProbeSession): void {
    this.#probes.join(session)
  }

  /** A probe has changed its state. */
  stateChanged(session: ProbeSession): void {
    this.#probes.stateChanged(session)
  }

  /** A probe is no longer connected: its checks end. `how`: after its name, such as "has disconnected". */
  leave(session: ProbeSession, how: string): void {
    this.#report(this.#probes.leave(session, how))
  }

  /** Throws a ProtocolFault if the probe reports on what it was not asked for. */
  takeResults(session: ProbeSession, results: RemoteResults): void {
    this.#report(this.#probes.votesIn(session, results))
  }

  #report(votes: Iterable<PlaceVote>): void {
    const ended: EndedCheck[] = []
    try {
      for (const one of votes) ended.push(...present(this.#count(one)))
    } finally {
      // What came before a fault counts.
      if (ended.length > 0) this.#taker?.takeResults(this, batchOf(ended))
    }
  }

  /** The outcome if this was the last vote of its slot. */
  #count({ row, generation, startedMs, vote }: PlaceVote): EndedCheck | null {
    const ballot = this.#ballots.get(row)
    if (ballot?.generation !== generation || !this.#cast(ballot, vote, startedMs)) return null
    return ballot.isClosed ? this.#close(ballot) : null
  }

  #cast(ballot: Ballot, vote: Vote, startedMs: number): boolean {
    const isCounted = ballot.cast(vote, startedMs)
    if (isCounted) this.counts.noteVote(vote)
    return isCounted
  }

  #close(ballot: Ballot): EndedCheck {
    const { row, generation, startedMs, votes, places } = ballot
    const { fleet, clock } = this.#options
    this.#ballots.delete(row)
    if (fleet.has(row)) this.#results.keep(row, fleet.identityHashOf(row), clock.wallMs(), votes)
    const outcome = outcomeOf(votes, places.needed)
    return { row, generation, startedMs, finishedMs: this.#nowMs, outcome }
  }

  get #nowMs(): number {
    return this.#options.clock.monotonicMs()
  }
}

function present<Value>(value: Value | null): readonly Value[] {
  return value === null ? [] : [value]
}
