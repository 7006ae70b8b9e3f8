// checking/probe/probe-pool.ts: the probe threads as the engine sees them: checks go out in batches, results come back in
// batches. A thread that crashes or hangs is replaced, and its checks are reported as lost, never silently.
//
// There are as many threads as the load needs; for the few checks of a small fleet there is none, and they run here until the
// fleet grows out of it. A new thread gets checks when it has answered. The last one leaves by getting no more, and ends when
// all that it has came back; until then it may be taken back. A monitor has at most one check in flight, so its next check
// may go to another thread without running beside the one before.
import { checks } from '../../checks/registry.ts'
import { grown } from '../../platform/column.ts'
import type { CheckSource } from '../check-source.ts'
import { LocalProbe } from './local-probe.ts'
import type { ProbeAmendment, ProbeFleet, ProbeSetup, ResultBatch, ToProbe } from './probe-protocol.ts'
import { ProbeThreadHandle, type Watch } from './probe-thread-handle.ts'
import { moreOf, type SentFleet, sentFleet } from './sent-fleet.ts'
import { needsNoThread, type ThreadBounds, ThreadDemand } from './thread-demand.ts'

export interface ProbePoolOptions {
  /** How many there are at the start; 0: checks run in this thread. */
  readonly threads: number
  /** How many there may be; absent: as many as at the start. */
  readonly bounds?: ThreadBounds
  readonly setup: ProbeSetup
  /** What a thread runs; tests bring a program that can be made to hang. */
  readonly program?: URL
  readonly watch?: Watch
}

/** Hears of results, in batches. */
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
  /** Only where there are no threads at the start. */
  readonly #local: LocalProbe | null
  /** Those that leave come last, those that are starting before them. */
  readonly #threads: ProbeThreadHandle[] = []
  /** How many there should be, and how many of them get checks. */
  #wanted = 0
  #active = 0
  /** Which thread runs a row's check: its number plus one; 0 when no check is in flight. */
  #threadOf = new Uint8Array(1024)
  #fleet: Extract<ToProbe, { kind: 'fleet' }> | null = null
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

  /** Before any check is offered. */
  tell(listener: ProbeListener): void {
    this.#listener = listener
  }

  /** Those that get checks. */
  get threads(): number {
    return this.#active
  }

  /** The share of time since the last call in which the threads were busy, from 0 to 1. Their number follows it. */
  takeLoad(): number {
    // This thread's load is the engine's.
    if (this.#active === 0) return 0
    let busy = 0
    for (const thread of this.#threads.slice(0, this.#active)) busy += thread.takeLoad()
    const load = busy / this.#active
    // While a thread starts or leaves, the load is not that of the wanted number.
    if (this.#active !== this.#wanted || this.#threads.length !== this.#wanted) return load
    const wanted = this.#demand.look(this.#wanted, load, performance.now())
    if (wanted !== this.#wanted) this.resize(wanted)
    return load
  }

  /** So many threads are wanted from now on. */
  resize(wanted: number): void {
    this.#wanted = wanted
    this.#active = Math.min(this.#active, wanted)
    for (const thread of this.#threads.slice(0, wanted)) thread.startAgainSoon()
    while (this.#threads.length < wanted) this.#threads.push(this.#newThread(this.#threads.length))
    this.#settle()
  }

  /** Every thread reads this fleet from the next batch on. */
  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void {
    if (rows > this.#threadOf.length) this.#threadOf = grown(this.#threadOf, rows * 2)
    this.#fleet = { kind: 'fleet', fleet: { configs: fleet.configs, policies: fleet.policies }, credentials }
    this.#sent = sentFleet(fleet)
    this.#tell(fleet, this.#fleet)
  }

  /** Single monitors changed. */
  amendFleet(fleet: ProbeFleet, { rows, credentials, capacity }: ProbeAmendment): void {
    if (capacity > this.#threadOf.length) this.#threadOf = grown(this.#threadOf, capacity * 2)
    const known = this.#fleet
    if (known === null) throw new Error('the fleet has not been loaded yet')
    const { configs, policies } = fleet
    this.#fleet = { ...known, fleet: { configs, policies }, credentials: credentials ?? known.credentials }
    const more = moreOf(fleet, this.#sent)
    this.#sent = sentFleet(fleet)
    this.#tell(fleet, { kind: 'amended', more, rows, credentials })
  }

  /** Adds a check to the next batch of its thread. A monitor stays on one thread, whose caches know its target. */
  offer(row: number, generation: number): void {
    if (this.#active === 0) {
      this.#local!.add(row, generation)
      return
    }
    const number = row % this.#active
    this.#threadOf[row] = number + 1
    this.#threads[number]!.add(row, generation)
  }

  /** A check that runs is not called back: its result comes, and is ignored. */
  cancel(): boolean {
    return false
  }

  /** Sends what was added. */
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

  /** Nothing else could take the first checks: they wait for their threads. */
  #startWith(threads: number): void {
    this.resize(threads)
    this.#active = threads
  }

  #tell(fleet: ProbeFleet, message: Extract<ToProbe, { kind: 'fleet' | 'amended' }>): void {
    if (this.#active > 0) for (const thread of this.#threads) thread.post(message)
    else if (needsNoThread(fleet)) this.#local!.tell(message)
    // A thread is told of the whole fleet when it starts, and what is in flight here needs no fleet to end.
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

  /** Gives checks to those that have become ready, and ends those that have left. */
  #settle(): void {
    while (this.#active < this.#wanted && this.#threads[this.#active]!.isReady) this.#active++
    while (this.#threads.length > this.#wanted && this.#threads.at(-1)!.isIdle)
      void this.#threads.pop()!.end()
    this.#keepLooking()
  }

  /** Only while a thread owes something: looking would wake up an idle process. */
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
    // Before the callback, which may add checks or throw, and must not prevent the successor.
    if (number < this.#wanted) this.#threads[number]!.startAgainSoon()
    else this.#settle()
    this.#listener!.lost(Uint32Array.from(lost), words)
  }
}
