// checking/probe/probe-pool.ts: the probe threads as the engine sees them: checks go out in batches, results come back
// in batches. A thread that crashes or hangs is replaced, and its checks are reported as lost, never silently. Checks
// that are added until its successor runs wait for it.
import { availableParallelism } from 'node:os'
import type { EventLoopUtilization } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { grown } from '../../platform/column.ts'
import { durationInWords } from '../../platform/wording.ts'
import type {
  FromProbe,
  MoreOfFleet,
  ProbeAmendment,
  ProbeFleet,
  ProbeSetup,
  ResultBatch,
  ToProbe,
} from './probe-protocol.ts'

export interface ProbePoolOptions {
  readonly threads: number
  readonly setup: ProbeSetup
  readonly onResults: (batch: ResultBatch) => void
  /** The thread that ran these checks ended: nothing can be said about them. */
  readonly onLost: (rows: Uint32Array, words: string) => void
  /** What a thread runs; tests bring a program that can be made to hang. */
  readonly program?: URL
  readonly watch?: Watch
}

/**
 * A thread is pinged at an interval; one that misses too many pings in a row is replaced. Pings are counted instead of
 * time: while this process itself is suspended or starved it sends none, and nothing counts against a thread.
 */
export interface Watch {
  readonly everyMs: number
  readonly missedLooks: number
  /** The same for a thread that is starting: it loads every driver before it can answer. */
  readonly missedAtStart: number
}

const patientWatch: Watch = { everyMs: 1_000, missedLooks: 10, missedAtStart: 60 }

/** A thread that ends again at once is not replaced faster than this. */
const replaceAfterMs = 250

/** Checks leave only short-lived garbage; a small young generation keeps it in the cache and the thread small. */
const probeMemory = { maxYoungGenerationSizeMb: 12 }

const smallFleet = 1_000

/** A small fleet stays on one thread. A large one uses every core: a check costs more in the probe than anywhere else. */
export function probeThreadsFor(monitors: number, configured: number | null): number {
  return configured ?? (monitors < smallFleet ? 1 : availableParallelism())
}

const newThread = { loop: { idle: 0, active: 0 }, missed: 0, hasAnswered: false }

interface Thread {
  /** Null between the end of one worker and the start of the next. */
  worker: Worker | null
  outgoing: number[]
  /** The times of its event loop when the load was last taken. */
  loop: Pick<EventLoopUtilization, 'idle' | 'active'>
  /** Pings in a row that it has not answered yet. */
  missed: number
  hasAnswered: boolean
}

export class ProbePool {
  readonly #options: ProbePoolOptions
  readonly #threads: Thread[] = []
  /** Which thread runs a row's check: its number plus one; 0 when no check is in flight. */
  #threadOf = new Uint8Array(1024)
  #fleet: Extract<ToProbe, { kind: 'fleet' }> | null = null
  /** How much of the fleet the threads were sent. */
  #sent: Extent | null = null
  #stopped = false
  readonly #watch: Watch
  readonly #looks: NodeJS.Timeout

  constructor(options: ProbePoolOptions) {
    this.#options = options
    for (let number = 0; number < options.threads; number++)
      this.#threads.push({ worker: this.#start(number), outgoing: [], ...newThread })
    this.#watch = options.watch ?? patientWatch
    this.#looks = setInterval(() => this.#look(), this.#watch.everyMs).unref()
  }

  get threads(): number {
    return this.#threads.length
  }

  /** The share of time since the last call in which the threads were busy, from 0 to 1. */
  takeLoad(): number {
    let busy = 0
    for (const thread of this.#threads) {
      if (thread.worker === null) continue
      const { idle, active } = thread.worker.performance.eventLoopUtilization()
      const activeMs = active - thread.loop.active
      const passedMs = activeMs + idle - thread.loop.idle
      // A thread that is starting has no times yet.
      if (passedMs > 0) busy += activeMs / passedMs
      thread.loop = { idle, active }
    }
    return busy / this.#threads.length
  }

  /** Every thread reads this fleet from the next batch on. */
  setFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>, rows: number): void {
    if (rows > this.#threadOf.length) this.#threadOf = grown(this.#threadOf, rows * 2)
    this.#fleet = { kind: 'fleet', fleet: { configs: fleet.configs, policies: fleet.policies }, credentials }
    this.#sent = extentOf(fleet)
    for (const { worker } of this.#threads) worker?.postMessage(this.#fleet)
  }

  /** Single monitors changed. What threads share with the engine they see already; they are sent only what is new. */
  amendFleet(fleet: ProbeFleet, { rows, credentials, capacity }: ProbeAmendment): void {
    if (capacity > this.#threadOf.length) this.#threadOf = grown(this.#threadOf, capacity * 2)
    const known = this.#fleet
    if (known === null) throw new Error('the fleet has not been loaded yet')
    const { configs, policies } = fleet
    this.#fleet = { ...known, fleet: { configs, policies }, credentials: credentials ?? known.credentials }
    const more = moreOf(fleet, this.#sent)
    this.#sent = extentOf(fleet)
    const message: ToProbe = { kind: 'amended', more, rows, credentials }
    for (const { worker } of this.#threads) worker?.postMessage(message)
  }

  /** Adds a check to the next batch of its thread. A monitor stays on one thread, whose caches know its target. */
  add(row: number, generation: number): void {
    const number = row % this.#threads.length
    this.#threadOf[row] = number + 1
    this.#threads[number]!.outgoing.push(row, generation)
  }

  /** Sends what was added. */
  flush(): void {
    for (const thread of this.#threads) {
      if (thread.worker !== null && thread.outgoing.length > 0) send(thread.worker, thread.outgoing)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearInterval(this.#looks)
    await Promise.all(this.#threads.map(({ worker }) => worker?.terminate()))
  }

  #start(number: number): Worker {
    const worker = new Worker(this.#options.program ?? new URL('probe-thread.ts', import.meta.url), {
      workerData: this.#options.setup,
      resourceLimits: probeMemory,
      name: `probe-${number + 1}`,
    })
    let words = 'the probe thread ended'
    worker.on('message', (message: FromProbe) => {
      const thread = this.#threads[number]!
      // The checks of a thread that was given up are reported as lost already.
      if (thread.worker !== worker) return
      thread.missed = 0
      thread.hasAnswered = true
      if ('kind' in message) return
      for (const row of message.rows) this.#threadOf[row] = 0
      this.#options.onResults(message)
    })
    worker.on('error', (error: Error) => {
      words = `the probe thread crashed: ${error.message}`
    })
    worker.on('exit', () => {
      if (this.#threads[number]!.worker === worker) this.#ended(number, words)
    })
    return worker
  }

  #look(): void {
    const { missedLooks, missedAtStart, everyMs } = this.#watch
    this.#threads.forEach((thread, number) => {
      const { worker } = thread
      if (worker === null) return
      if (thread.missed === 0) worker.postMessage({ kind: 'ping' } satisfies ToProbe)
      const allowed = thread.hasAnswered ? missedLooks : missedAtStart
      if (thread.missed++ < allowed) return
      // Not awaited: a thread that hangs in a system call ends later, or never.
      void worker.terminate()
      this.#ended(number, `the probe thread has not answered for ${durationInWords(allowed * everyMs)}`)
    })
  }

  #ended(number: number, words: string): void {
    if (this.#stopped) return
    const lost: number[] = []
    this.#threadOf.forEach((thread, row) => {
      if (thread === number + 1) lost.push(row)
    })
    for (const row of lost) this.#threadOf[row] = 0
    const thread = this.#threads[number]!
    thread.worker = null
    thread.outgoing.length = 0
    // Before the callback, which may add checks or throw, and must not prevent the successor.
    setTimeout(() => this.#replace(number), replaceAfterMs)
    this.#options.onLost(Uint32Array.from(lost), words)
  }

  #replace(number: number): void {
    if (this.#stopped) return
    const worker = this.#start(number)
    const thread = this.#threads[number]!
    thread.worker = worker
    Object.assign(thread, newThread)
    if (this.#fleet !== null) worker.postMessage(this.#fleet)
    this.flush()
  }
}

interface Extent {
  readonly starts: Uint32Array
  readonly chunks: number
  readonly policiesOf: Uint32Array
  readonly policies: number
}

function extentOf({ configs, policies }: ProbeFleet): Extent {
  const { starts, chunks } = configs
  return { starts, chunks: chunks.length, policiesOf: policies.of, policies: policies.values.length }
}

function moreOf({ configs, policies }: ProbeFleet, sent: Extent | null): MoreOfFleet {
  const hasConfigs = sent?.starts === configs.starts && sent.chunks === configs.chunks.length
  return {
    configs: hasConfigs ? null : configs,
    policiesOf: sent?.policiesOf === policies.of ? null : policies.of,
    policies: policies.values.slice(sent?.policies ?? 0),
  }
}

/** Sends alternating rows and generations as two columns, and empties outgoing. */
function send(worker: Worker, outgoing: number[]): void {
  const count = outgoing.length / 2
  const rows = new Uint32Array(count)
  const generations = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    rows[index] = outgoing[index * 2]!
    generations[index] = outgoing[index * 2 + 1]!
  }
  outgoing.length = 0
  const message: ToProbe = { kind: 'checks', rows, generations }
  worker.postMessage(message, [rows.buffer, generations.buffer])
}
