// locations/connected-probes.ts: the probes of all locations: which of them checks a monitor, and which definitions it has. A
// check at a location ends once: with the vote of its probe; or without one, when the probe goes, does not answer in time,
// or there is none. Ends without one never count against the target.
import type { ProbeAmendment } from '../checking/probe/probe-protocol.ts'
import { credentialNames } from '../config/fleet-file/credentials.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import type { RemoteNote, RemoteResults } from './batches.ts'
import { Location } from './location.ts'
import type { Definition } from './messages.ts'
import type { OpenCheck } from './open-tickets.ts'
import { missingVote, type PlaceVote, voteOf } from './place-vote.ts'
import type { ProbeSession } from './probe-session.ts'

const troubleWords = {
  overloaded: 'is overloaded and starts its checks late',
  'slow connection': 'has a connection that is too slow for its checks',
} as const

export interface ConnectedProbesOptions {
  readonly fleet: Fleet
  readonly clock: Clock
}

export class ConnectedProbes {
  readonly #fleet: Fleet
  readonly #clock: Clock
  readonly #locations = new Map<string, Location>()
  #credentials: ReadonlyMap<string, string> = new Map()

  constructor({ fleet, clock }: ConnectedProbesOptions) {
    this.#fleet = fleet
    this.#clock = clock
  }

  /** Those with a probe. */
  get locations(): readonly Location[] {
    return [...this.#locations.values()]
  }

  setFleet(credentials: ReadonlyMap<string, string>): void {
    this.#credentials = credentials
    for (const location of this.#locations.values()) {
      for (const { lent } of location.sessions) lent.doubtAll()
      this.#releaseOthers(location)
    }
  }

  amendFleet({ rows, credentials }: ProbeAmendment): void {
    if (credentials !== null) this.#credentials = credentials
    for (const location of this.#locations.values()) {
      for (const session of location.sessions) {
        if (credentials !== null) session.lent.doubtCredentials()
        for (const row of rows) {
          session.lent.doubt(row)
          if (!this.#isOf(row, location, session)) session.release(row)
        }
      }
    }
  }

  /** Asks a probe of the location to check. Returns why none can; null if one was asked. */
  ask(name: string, row: number, generation: number): string | null {
    const session = this.#locations.get(name)?.probeFor(this.#fleet.identityHashOf(row)) ?? null
    if (session === null) return 'no probe is connected'
    const { trouble } = session
    if (trouble !== null) return `${nameOf(session)} ${troubleWords[trouble]}`
    const { timeoutMs } = this.#fleet.policyOf(row)
    session.run({ row, generation, timeoutMs }, () => this.#define(row))
    return null
  }

  flush(): void {
    for (const { sessions } of this.#locations.values()) for (const session of sessions) session.flush()
  }

  /** No location has to answer for this row any more. */
  endChecksOf(row: number, locations: readonly string[]): void {
    for (const name of locations)
      for (const session of this.#locations.get(name)?.sessions ?? []) session.endCheck(row)
  }

  /** Ends the checks that have been waited for long enough. */
  endExpired(): readonly PlaceVote[] {
    const nowMs = this.#clock.monotonicMs()
    const ended: PlaceVote[] = []
    for (const { sessions } of this.#locations.values())
      for (const session of sessions)
        for (const check of session.tickets.endExpired(nowMs))
          ended.push(lost(session, check, 'did not answer in time'))
    return ended
  }

  join(session: ProbeSession): void {
    const { location: name } = session.hello
    let location = this.#locations.get(name)
    if (location === undefined) {
      location = new Location(name)
      this.#locations.set(name, location)
    }
    location.add(session)
    this.#releaseOthers(location)
  }

  stateChanged({ hello }: ProbeSession): void {
    const location = this.#locations.get(hello.location)
    location?.sortOut()
    if (location !== undefined) this.#releaseOthers(location)
  }

  /** A probe is no longer connected. `how`: after its name, such as "has disconnected". Returns how its checks ended. */
  leave(session: ProbeSession, how: string): readonly PlaceVote[] {
    const location = this.#locations.get(session.hello.location)
    if (location?.remove(session) !== true) return []
    if (location.isEmpty) this.#locations.delete(location.name)
    return session.tickets.all().map((check) => lost(session, check, how))
  }

  /**
   * The votes of a batch of results, one by one: a probe that reports on what it was not asked for breaks the protocol, and
   * what it was asked for before that counts.
   */
  *votesIn(session: ProbeSession, results: RemoteResults): Generator<PlaceVote> {
    const nowMs = this.#clock.monotonicMs()
    let nextNote = 0
    for (let index = 0; index < results.tickets.length; index++) {
      const note = results.notes[nextNote]?.position === index ? results.notes[nextNote++]! : null
      const check = session.tickets.answer(results.tickets[index]!)
      if (check === null) continue
      session.checkEnded(check.row)
      yield reported(session, check, results, index, note, nowMs)
    }
  }

  #define(row: number): Omit<Definition, 'number'> {
    const { type, intervalMs, timeoutMs, retries } = this.#fleet.policyOf(row)
    const config = this.#fleet.configOf(row)
    return { type, intervalMs, timeoutMs, retries, config, credentials: this.#credentialsOf(config) }
  }

  /** Only the values that the check names. */
  #credentialsOf(config: string): Readonly<Record<string, string>> {
    if (!config.includes('"credential"')) return {}
    const named = credentialNames(JSON.parse(config))
    return Object.fromEntries(
      named.flatMap((name) => {
        const value = this.#credentials.get(name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  }

  /** Takes back the definitions of monitors that belong to another probe now. */
  #releaseOthers(location: Location): void {
    for (const session of location.sessions)
      session.releaseAll([...session.lent.rows()].filter((row) => !this.#isOf(row, location, session)))
  }

  #isOf(row: number, location: Location, session: ProbeSession): boolean {
    if (!this.#fleet.has(row)) return false
    const { places, enabled } = this.#fleet.policyOf(row)
    return (
      enabled &&
      places?.locations.includes(location.name) === true &&
      location.probeFor(this.#fleet.identityHashOf(row)) === session
    )
  }
}

function nameOf({ hello }: ProbeSession): string {
  return `the probe ${hello.name}`
}

function lost(session: ProbeSession, { row, generation, offeredMs }: OpenCheck, how: string): PlaceVote {
  session.checkEnded(row)
  const vote = missingVote(session.hello.location, `${nameOf(session)} ${how}`)
  return { row, generation, startedMs: offeredMs, vote }
}

function reported(
  { hello }: ProbeSession,
  { row, generation, offeredMs }: OpenCheck,
  { outcomes, tookMs, latencyMs }: RemoteResults,
  index: number,
  note: RemoteNote | null,
  nowMs: number,
): PlaceVote {
  return {
    row,
    generation,
    startedMs: Math.max(offeredMs, nowMs - tookMs[index]!),
    vote: voteOf(hello.location, outcomes[index]!, latencyMs[index]!, note),
  }
}
