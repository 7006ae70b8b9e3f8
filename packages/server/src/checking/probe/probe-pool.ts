// checking/probe/probe-pool.ts: the probe threads as the engine sees them: checks go out in batches, results come back in
// batches. A thread that crashes or hangs is replaced, and its checks are reported as lost, never dropped silently.
//
// There are as many threads as the load needs. A small fleet with few checks has none: they run in this thread until the
// fleet outgrows it. A new thread gets checks once it has answered. To remove a thread, the last one gets no more checks,
// and ends when all of its results have come back; until then it may be reactivated. A monitor has at most one check in
// flight, so its next check may go to another thread without running beside the previous one.
import type { CheckDriver } from '../../checks/driver.ts'
import { checks } from '../../checks/registry.ts'
import { grown } from '../../platform/column.ts'
import { PackedMap } from '../../platform/packed-map.ts'
import type { CheckSource } from '../check-source.ts'
import { LocalProbe } from './local-probe.ts'
import type { FleetToProbe, ProbeAmendment, ProbeFleet, ProbeSetup, ResultBatch } from './probe-protocol.ts'
import { ProbeThreadHandle, type Watch } from './probe-thread-handle.ts'
import { moreOf, type SentFleet, sentFleet } from './sent-fleet.ts'
import { needsNoThread, type ThreadBounds, ThreadDemand } from './thread-demand.ts'

export interface ProbePoolOptions {
  /** How many threads to start with. 0: checks run in this thread. */
  readonly threads: number
  /** How many there may be; absent: always as many as at the start. */
  readonly bounds?: ThreadBounds
  readonly setup: ProbeSetup
  /** What a thread runs; tests pass a program that can be made to hang. */
  readonly program?: URL
  readonly watch?: Watch
}

/** Receives results, in batches. */
export interface ProbeListener {
  results(batch: ResultBatch): void
  /** The thread that ran these checks ended: nothing can be said about them. */
  lost(rows: Uint32Array, words: string): void
}

const patientWatch: Watch = { everyMs: 1_000, missedLooks: 10, missedAtStart: 60 }

export class ProbePool implements CheckSource {
  readonly types = Object.keys(checks)
  readonly runsHere = true
  readonly startsAtOnce = true
  readonly #options: ProbePoolOptions
  readonly #watch: Watch
  readonly #demand: ThreadDemand
  /** Only if the pool starts without threads. */
  readonly #local: LocalProbe | null
  /** Threads that are leaving come last; those that are starting come before them. */
  readonly #threads: ProbeThreadHandle[] = []
  /** How many threads there should be, and how many of them get checks. */
  #wanted = 0
  #active = 0
  /** Which thread runs a row's check: its number plus one; 0 if no check is in flight. */
  #threadOf = new Uint8Array(1024)
  /** Policies whose checks all run in the first thread. */
  readonly #inOneThread = new Set<number>()
  #fleet: Extract<FleetToProbe, { kind: 'fleet' }> | null = null
  #sent: SentFleet | null = null
  #listener: ProbeListener | null = null
  #stopped = false
  #looks: NodeJS.Timeout | undefined

  constructor(options: ProbePoolOptions) {
    this.#options = options
    this.#watch = options.watch ?? patientWatch
    const { threads, bounds = { least: threads, most: threads } } = options
    this.#demand = new ThreadDemand(bounds, performance.now())
    this.#local =
      threads === 0 ? new LocalProbe(options.setup, (batch) => this.#listener!.results(batch)) : null
    this.#startWith(threads)
  }

  /** Must be called before any check is offered. */
  tell(listener: ProbeListener): void {
    this.#listener = listener
  }

  /** The number of threads that get checks. */
  get threads(): number {
    return this.#active
  }

  /**
   * The fraction of time since the last call in which the threads were busy, from 0 to 1. Also adjusts their
   * number to it.
   */
  takeLoad(): number {
    // The load of this thread belongs to the engine.
    if (this.#active === 0) return 0
    let busy = 0
    for (const thread of this.#threads.slice(0, this.#active)) busy += thread.takeLoad()
    const load = busy / this.#active
    // While a thread starts or leaves, the load is not that of the wanted number of threads.
    if (this.#active !== this.#wanted || this.#threads.length !== this.#wanted) return load
    const wanted = this.#demand.look(this.#wanted, load, performance.now())
    if (wanted !== this.#wanted) this.resize(wanted)
    return load
  }

  /** Sets the wanted number of threads. */
  resize(wanted: number): void {
    this.#wanted = wanted
    this.#active = Math.min(this.#active, wanted)
    for (const thread of this.#threads.slice(0, wanted)) thread.startAgainSoon()
    while (this.#threads.length < wanted) this.#threads.push(this.#newThread(this.#threads.length))
    this.#settle()
  }

  /** Every thread uses this fleet from the next batch on. */
  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void {
    if (rows > this.#threadOf.length) this.#threadOf = grown(this.#threadOf, rows * 2)
    this.#fleet = {
      kind: 'fleet',
      fleet: { configs: fleet.configs, policies: fleet.policies },
      credentials: PackedMap.from(credentials).packed,
    }
    this.#sent = sentFleet(fleet)
    this.#inOneThread.clear()
    this.#notePolicies(fleet, 0)
    this.#tell(fleet, this.#fleet)
  }

  /** Single monitors changed. */
  amendFleet(fleet: ProbeFleet, { rows, credentials, capacity }: ProbeAmendment): void {
    if (capacity > this.#threadOf.length) this.#threadOf = grown(this.#threadOf, capacity * 2)
    const known = this.#fleet
    if (known === null) throw new Error('the fleet has not been loaded yet')
    const { configs, policies } = fleet
    const packed = credentials === null ? null : PackedMap.from(credentials).packed
    this.#fleet = { ...known, fleet: { configs, policies }, credentials: packed ?? known.credentials }
    const more = moreOf(fleet, this.#sent)
    this.#notePolicies(fleet, this.#sent?.policies ?? 0)
    this.#sent = sentFleet(fleet)
    this.#tell(fleet, { kind: 'amended', more, rows, credentials: packed })
  }

  /** Adds a check to the next batch of its thread. A monitor stays on one thread, whose caches know its target. */
  offer(row: number, generation: number): void {
    if (this.#active === 0) {
      this.#local!.add(row, generation)
      return
    }
    const number = this.#isInFirst(row) ? 0 : row % this.#active
    this.#threadOf[row] = number + 1
    this.#threads[number]!.add(row, generation)
  }

  /** A running check cannot be recalled: its result arrives and is ignored. */
  cancel(): boolean {
    return false
  }

  /** Sends the checks that were added. */
  flush(): void {
    this.#local?.flush()
    for (const thread of this.#threads) thread.flush()
    this.#keepLooking()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearInterval(this.#looks)
    this.#local?.[Symbol.dispose]()
    await Promise.all(this.#threads.map((thread) => thread.end()))
  }

  #notePolicies({ policies: { values } }: ProbeFleet, from: number): void {
    const drivers = checks as Readonly<Record<string, CheckDriver | undefined>>
    for (let policy = from; policy < values.length; policy++)
      if (drivers[values[policy]!.type]?.inOneThread === true) this.#inOneThread.add(policy)
  }

  #isInFirst(row: number): boolean {
    // Most fleets have none.
    return this.#inOneThread.size > 0 && this.#inOneThread.has(this.#fleet!.fleet.policies.of[row]!)
  }

  /** Marks the threads as active at once: nothing else could run the first checks, so these wait for their threads. */
  #startWith(threads: number): void {
    this.resize(threads)
    this.#active = threads
  }

  #tell(fleet: ProbeFleet, message: FleetToProbe): void {
    if (this.#active > 0) for (const thread of this.#threads) thread.post(message)
    else if (needsNoThread(fleet)) this.#local!.tell(message)
    // A new thread is sent the whole fleet when it starts, and checks in flight here need no fleet to end.
    else this.#startWith(1)
  }

  #newThread(number: number): ProbeThreadHandle {
    const { setup, program = new URL('probe-thread.ts', import.meta.url) } = this.#options
    return new ProbeThreadHandle({
      number,
      program,
      setup,
      watch: this.#watch,
      fleet: () => this.#fleet,
      onAnswered: () => this.#settle(),
      onResults: (batch) => {
        for (const row of batch.rows) this.#threadOf[row] = 0
        this.#listener!.results(batch)
        if (this.#threads.length > this.#wanted) this.#settle()
      },
      onLost: (words) => this.#lost(number, words),
    })
  }

  /** Gives checks to threads that have become ready, and ends those that have left. */
  #settle(): void {
    while (this.#active < this.#wanted && this.#threads[this.#active]!.isReady) this.#active++
    while (this.#threads.length > this.#wanted && this.#threads.at(-1)!.isIdle)
      void this.#threads.pop()!.end()
    this.#keepLooking()
  }

  /** Polls only while a thread owes an answer: polling would wake up an idle process. */
  #keepLooking(): void {
    if (this.#looks !== undefined || this.#stopped) return
    if (!this.#threads.some((thread) => thread.owes)) return
    this.#looks = setInterval(() => this.#look(), this.#watch.everyMs).unref()
  }

  #look(): void {
    for (const thread of [...this.#threads]) thread.look()
    if (this.#threads.some((thread) => thread.owes)) return
    clearInterval(this.#looks)
    this.#looks = undefined
  }

  #lost(number: number, words: string): void {
    if (this.#stopped) return
    const lost: number[] = []
    this.#threadOf.forEach((thread, row) => {
      if (thread === number + 1) lost.push(row)
    })
    for (const row of lost) this.#threadOf[row] = 0
    // Before the callback, which may add checks or throw, and must not prevent the restart.
    if (number < this.#wanted) this.#threads[number]!.startAgainSoon()
    else this.#settle()
    this.#listener!.lost(Uint32Array.from(lost), words)
  }
}
