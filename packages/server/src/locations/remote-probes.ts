// locations/remote-probes.ts: the probes at other locations as a source of checks. A check goes to one probe of its
// monitor's location and ends once: with the result of the probe; or without one, when the probe goes, does not answer in
// time, or there is none. Ends without a result never count against the target.
import type { CheckSource } from '../checking/check-source.ts'
import type { ProbeAmendment, ProbeFleet, ResultBatch } from '../checking/probe/probe-protocol.ts'
import { credentialNames } from '../config/fleet-file/credentials.ts'
import type { Source, SourceTurn } from '../engine/source.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import type { RemoteNote, RemoteResults } from './batches.ts'
import { batchOf, type EndedCheck, withoutData } from './ended-checks.ts'
import { Location } from './location.ts'
import { LocationCounts } from './location-counts.ts'
import type { Definition } from './messages.ts'
import type { OpenCheck } from './open-tickets.ts'
import type { ProbeSession } from './probe-session.ts'

export interface RemoteProbesOptions {
  readonly fleet: Fleet
  readonly clock: Clock
}

/** Takes the results, in a turn. */
export interface ResultTaker {
  takeResults(source: CheckSource, batch: ResultBatch): void
}

/** How often checks are ended whose probe has not answered in time. */
const sweepEveryMs = 250

const troubleWords = {
  overloaded: 'is overloaded and starts its checks late',
  'slow connection': 'has a connection that is too slow for its checks',
} as const

export class RemoteProbes implements CheckSource, Source {
  readonly types: readonly string[] = []
  readonly isElsewhere = true
  readonly runsHere = false
  readonly startsAtOnce = true
  readonly counts = new LocationCounts()
  readonly #fleet: Fleet
  readonly #clock: Clock
  readonly #locations = new Map<string, Location>()
  #taker: ResultTaker | null = null
  #credentials: ReadonlyMap<string, string> = new Map()
  /** Which probe has the check of a row. */
  readonly #probeOf = new Map<number, ProbeSession>()
  /** Checks that ended when they were offered; reported with the next turn. */
  readonly #ended = new Map<number, EndedCheck>()
  #sweptMs = 0

  constructor({ fleet, clock }: RemoteProbesOptions) {
    this.#fleet = fleet
    this.#clock = clock
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
    return [...this.#locations.values()]
  }

  /** The locations that monitors name, in order. */
  get namedLocations(): readonly string[] {
    const { values } = this.#fleet.definition.policies
    return [...new Set(values.flatMap(({ location }) => location ?? []))].sort()
  }

  setFleet(_fleet: ProbeFleet, credentials: ReadonlyMap<string, string>): void {
    this.#credentials = credentials
    for (const location of this.#locations.values()) {
      for (const { lent } of location.sessions) lent.doubtAll()
      this.#releaseOthers(location)
    }
  }

  amendFleet(_fleet: ProbeFleet, { rows, credentials }: ProbeAmendment): void {
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

  offer(row: number, generation: number): void {
    const { location = '', timeoutMs } = this.#fleet.policyOf(row)
    const session = this.#locations.get(location)?.probeFor(this.#fleet.identityHashOf(row)) ?? null
    const why = session === null ? `no probe is connected at ${location}` : troubleOf(session)
    if (session === null || why !== null) {
      const nowMs = this.#nowMs
      this.#ended.set(
        row,
        withoutData({ row, generation, offeredMs: nowMs }, { location, nowMs, reason: why ?? '' }),
      )
      return
    }
    this.#probeOf.set(row, session)
    session.run({ row, generation, timeoutMs }, () => this.#define(row))
  }

  flush(): void {
    for (const { sessions } of this.#locations.values()) for (const session of sessions) session.flush()
  }

  cancel(row: number): boolean {
    if (this.#ended.delete(row)) return true
    const session = this.#probeOf.get(row)
    this.#probeOf.delete(row)
    return session?.endCheck(row) ?? false
  }

  advance(turn: SourceTurn): void {
    const nowMs = this.#nowMs
    const ended = [...this.#ended.values()]
    this.#ended.clear()
    if (nowMs - this.#sweptMs >= sweepEveryMs) {
      this.#sweptMs = nowMs
      for (const { sessions } of this.#locations.values())
        for (const session of sessions)
          for (const check of session.tickets.endExpired(nowMs))
            ended.push(this.#lost(session, check, 'did not answer in time'))
    }
    if (ended.length > 0) turn.takeResults(this, this.#batch(ended))
  }

  get nextDueMs(): number | null {
    if (this.#ended.size > 0) return this.#nowMs
    return this.#probeOf.size > 0 ? this.#sweptMs + sweepEveryMs : null
  }

  /** A probe has connected. */
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

  /** A probe has changed its state. */
  stateChanged({ hello }: ProbeSession): void {
    const location = this.#locations.get(hello.location)
    location?.sortOut()
    if (location !== undefined) this.#releaseOthers(location)
  }

  /** A probe is no longer connected: its checks end. `how`: after its name, such as "has disconnected". */
  leave(session: ProbeSession, how: string): void {
    const location = this.#locations.get(session.hello.location)
    if (location?.remove(session) !== true) return
    if (location.isEmpty) this.#locations.delete(location.name)
    const lost = session.tickets.all().map((check) => this.#lost(session, check, how))
    if (lost.length > 0) this.#taker?.takeResults(this, this.#batch(lost))
  }

  /** Throws a ProtocolFault if the probe reports on what it was not asked for. */
  takeResults(session: ProbeSession, results: RemoteResults): void {
    const ended: EndedCheck[] = []
    const nowMs = this.#nowMs
    let nextNote = 0
    try {
      for (let index = 0; index < results.tickets.length; index++) {
        const note = results.notes[nextNote]?.position === index ? results.notes[nextNote++]! : null
        const check = session.tickets.answer(results.tickets[index]!)
        if (check === null) continue
        this.#probeOf.delete(check.row)
        session.checkEnded(check.row)
        ended.push(reported(session, check, results, index, note, nowMs))
      }
    } finally {
      // Those that it was asked for count, whatever else is in the batch.
      if (ended.length > 0) this.#taker?.takeResults(this, this.#batch(ended))
    }
  }

  #lost(session: ProbeSession, check: OpenCheck, how: string): EndedCheck {
    this.#probeOf.delete(check.row)
    session.checkEnded(check.row)
    return withoutData(check, {
      location: session.hello.location,
      nowMs: this.#nowMs,
      reason: `${inWords(session)} ${how}`,
    })
  }

  #batch(ended: readonly EndedCheck[]): ResultBatch {
    for (const { location, outcome } of ended) this.counts.noteCheck(location, outcome)
    return batchOf(ended)
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
    const { location: named, enabled } = this.#fleet.policyOf(row)
    return (
      named === location.name && enabled && location.probeFor(this.#fleet.identityHashOf(row)) === session
    )
  }

  get #nowMs(): number {
    return this.#clock.monotonicMs()
  }
}

export function inWords({ hello }: Pick<ProbeSession, 'hello'>): string {
  return `the probe ${hello.name} at ${hello.location}`
}

function troubleOf(session: ProbeSession): string | null {
  const { trouble } = session
  return trouble === null ? null : `${inWords(session)} ${troubleWords[trouble]}`
}

function reported(
  { hello }: ProbeSession,
  { row, generation, offeredMs }: OpenCheck,
  { outcomes, tookMs, latencyMs }: RemoteResults,
  index: number,
  note: RemoteNote | null,
  nowMs: number,
): EndedCheck {
  const reason = note?.reason ?? null
  return {
    location: hello.location,
    row,
    generation,
    startedMs: Math.max(offeredMs, nowMs - tookMs[index]!),
    finishedMs: nowMs,
    outcome: outcomes[index]!,
    latencyMs: latencyMs[index]!,
    note:
      note === null
        ? null
        : { ...note, reason: reason === null ? null : `from ${hello.location}: ${reason}` },
  }
}
