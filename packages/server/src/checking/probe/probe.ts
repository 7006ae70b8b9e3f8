// checking/probe/probe.ts: runs the checks of a batch. It reads each monitor's configuration from the packed fleet when
// the check is due, so that a million configurations are never objects. Runs in a probe thread, and in tests without one.
import type { CheckDriver, Outcome } from '../../checks/driver.ts'
import { type CheckInFlight, type Job, runCheck } from '../../checks/runner.ts'
import { MissingCredential, putCredentialsInPlace } from '../../config/fleet-file/credentials.ts'
import type { Clock } from '../../platform/clock.ts'
import { grown } from '../../platform/column.ts'
import { isLoopbackHost } from '../../platform/network/host-name.ts'
import type { Network } from '../../platform/network/network.ts'
import { PackedMap } from '../../platform/packed-map.ts'
import { PackedReader } from '../../platform/packed-strings.ts'
import { SessionMemory } from '../../platform/tls/session-memory.ts'
import type { FleetToProbe, MoreOfFleet, ProbeFleet, ResultBatch } from './probe-protocol.ts'
import { ResultBuffer } from './result-buffer.ts'

/**
 * How many checks are started before the event loop serves those in flight again. Starting a large batch at once would
 * make every answer wait for the last connect, and connections that stay open needlessly cost a busy machine a third of
 * its throughput. It does not limit checks in flight: while answers are awaited, the next checks are started at once.
 */
const startedAtOnce = 64

/**
 * Results wait this long for others, so that few messages wake up the controller. They are not kept waiting, which would
 * take a wake-up too, when no check is in flight and the last message is as old. Times are taken before.
 */
const sendWithinMs = 20

export interface ProbeOptions {
  readonly drivers: Readonly<Record<string, CheckDriver>>
  readonly network: Network
  readonly clock: Clock
  readonly send: (batch: ResultBatch) => void
  /** It does not end with its thread. */
  readonly canStop?: boolean
}

const unknownScope = 0
const loopbackScope = 1
const remoteScope = 2
const noSecrets: readonly string[] = []

interface WaitingBatch {
  readonly rows: Uint32Array
  readonly generations: Uint32Array
  next: number
}

export class Probe {
  readonly #options: ProbeOptions
  readonly #results = new ResultBuffer()
  #fleet: ProbeFleet | null = null
  #configs: PackedReader | null = null
  #credentials: ReadonlyMap<string, string> = new Map()
  /** Batches with checks that are not started yet. */
  readonly #batches: WaitingBatch[] = []
  /** By row, of which there is one check at a time; only where they may have to be stopped. */
  readonly #inFlight: Map<number, CheckInFlight> | null
  #sending = false
  #sentMs = Number.NEGATIVE_INFINITY
  /** Checks that were begun and have not ended. */
  #open = 0
  readonly #sessions: SessionMemory
  /** Whether a row's target is on this machine; unknown until its first check with this fleet. */
  #scopes: Uint8Array = new Uint8Array(0)
  /** How often a row has changed in this fleet, for checks that were in flight then; and which fleet it is. */
  #changes: Uint8Array = new Uint8Array(0)
  #fleets = 0

  constructor(options: ProbeOptions) {
    this.#options = options
    this.#sessions = new SessionMemory(options.clock)
    this.#inFlight = options.canStop === true ? new Map() : null
  }

  tell(message: FleetToProbe): void {
    if (message.kind === 'fleet') return this.takeFleet(message.fleet, new PackedMap(message.credentials))
    const { more, rows, credentials } = message
    this.amendFleet(more, rows, credentials === null ? null : new PackedMap(credentials))
  }

  takeFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>): void {
    this.#fleet = fleet
    this.#configs = new PackedReader(fleet.configs)
    this.#credentials = credentials
    this.#scopes = new Uint8Array(fleet.policies.of.length)
    this.#changes = new Uint8Array(fleet.policies.of.length)
    this.#fleets++
    this.#sessions.clear()
  }

  /** Single monitors changed. Credentials: null when they stay. */
  amendFleet(
    { configs, policiesOf, policies }: MoreOfFleet,
    rows: Uint32Array,
    credentials: ReadonlyMap<string, string> | null,
  ): void {
    const known = this.#fleet
    if (known === null) throw new Error('the fleet has not been loaded yet')
    const of = policiesOf ?? known.policies.of
    const { values: before } = known.policies
    const values = policies.length === 0 ? before : before.concat(policies)
    this.#fleet = { configs: configs ?? known.configs, policies: { values, of } }
    if (configs !== null) this.#configs = new PackedReader(configs)
    this.#scopes = grown(this.#scopes, of.length)
    this.#changes = grown(this.#changes, of.length)
    if (credentials !== null) this.#credentials = credentials
    for (const row of rows) {
      this.#scopes[row] = unknownScope
      this.#changes[row]!++
      this.#sessions.forget(row)
    }
  }

  runChecks(rows: Uint32Array, generations: Uint32Array): void {
    this.#batches.push({ rows, generations, next: 0 })
    if (this.#batches.length === 1) this.#begin()
  }

  /** Begins no more checks, and ends those in flight. */
  stop(): void {
    this.#batches.length = 0
    for (const check of this.#inFlight?.values() ?? []) check.stop()
  }

  readonly #begin = (): void => {
    let room = startedAtOnce
    while (room > 0 && this.#batches.length > 0) {
      const batch = this.#batches[0]!
      const end = Math.min(batch.rows.length, batch.next + room)
      room -= end - batch.next
      while (batch.next < end) {
        const index = batch.next++
        this.#run(batch.rows[index]!, batch.generations[index]!)
      }
      if (end === batch.rows.length) this.#batches.shift()
    }
    if (this.#batches.length > 0) setImmediate(this.#begin)
  }

  #run(row: number, generation: number): void {
    const { network, clock } = this.#options
    const startedMs = clock.monotonicMs()
    let loopback = false
    this.#open++
    const ended = (outcome: Outcome): void => {
      this.#open--
      this.#inFlight?.delete(row)
      this.#results.add(row, generation, outcome, startedMs, clock.monotonicMs(), loopback)
      if (this.#results.isFull) this.#send()
      else this.#planSending()
    }
    let job: Job
    try {
      job = this.#jobOf(row)
      loopback = this.#isLoopback(row, job)
    } catch (error) {
      // A check that cannot be started must not stop the others of its thread.
      ended(notStarted(error as Error))
      return
    }
    const check = runCheck(job, network, clock, ended)
    this.#inFlight?.set(row, check)
  }

  #jobOf(row: number): Job {
    const { values, of } = this.#fleet!.policies
    const { type, timeoutMs, retries, intervalMs } = values[of[row]!]!
    const driver = this.#options.drivers[type]
    if (driver === undefined) throw new Error(`there is no check of the type ${type}`)
    const text = this.#configs!.get(row)
    const written: Record<string, unknown> = JSON.parse(text)
    const version = this.#fleets * 256 + this.#changes[row]!
    const sessions = this.#sessions
    if (!text.includes('"credential"')) {
      const secrets = noSecrets
      return { driver, config: written, timeoutMs, retries, secrets, sessions, row, version, intervalMs }
    }
    const inPlace = putCredentialsInPlace(driver.config, written, this.#credentials)
    if (inPlace instanceof MissingCredential) throw new Error(inPlace.reason)
    const { config, secrets } = inPlace
    return { driver, config, timeoutMs, retries, secrets, sessions, row, version, intervalMs }
  }

  #isLoopback(row: number, { driver, config }: Job): boolean {
    if (this.#scopes[row] === unknownScope)
      this.#scopes[row] = isLoopbackHost(driver.target(config)) ? loopbackScope : remoteScope
    return this.#scopes[row] === loopbackScope
  }

  /** Later in this turn of the loop, when more checks have ended: a timer wakes up the process even if it is cleared. */
  #planSending(): void {
    if (this.#sending) return
    this.#sending = true
    setImmediate(() => {
      const isLast = this.#open === 0 && this.#batches.length === 0
      const isRested = this.#options.clock.monotonicMs() - this.#sentMs >= sendWithinMs
      if (isLast && isRested) this.#sendRest()
      else setTimeout(this.#sendRest, sendWithinMs)
    })
  }

  readonly #sendRest = (): void => {
    this.#sending = false
    if (!this.#results.isEmpty) this.#send()
  }

  #send(): void {
    this.#sentMs = this.#options.clock.monotonicMs()
    this.#options.send(this.#results.take())
  }
}

function notStarted(error: Error): Outcome {
  return {
    status: 'no_data',
    latencyMs: 0,
    reason: `the check could not be started: ${error.message}`,
    warning: null,
    evidence: 'local',
    certificateExpiresAt: null,
  }
}
