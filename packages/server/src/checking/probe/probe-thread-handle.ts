// checking/probe/probe-thread-handle.ts: one probe thread as the pool sees it: what was sent to it and has not come back, how
// busy it is, and whether it still answers. A thread that ended may be started again under the same number; checks that are
// added until then wait for it.
import type { EventLoopUtilization } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { durationInWords } from '../../platform/wording.ts'
import { OutgoingChecks } from './outgoing-checks.ts'
import type { FromProbe, ProbeSetup, ResultBatch, ToProbe } from './probe-protocol.ts'

/**
 * A thread that owes an answer is pinged at an interval; one that misses too many pings in a row is given up. Pings are
 * counted instead of time: while this process itself is suspended or starved it sends none, and nothing counts against a
 * thread.
 */
export interface Watch {
  readonly everyMs: number
  readonly missedLooks: number
  /** The same for a thread that is starting: it loads every driver before it can answer. */
  readonly missedAtStart: number
}

/** A thread that ends again at once is not started again faster than this. */
const restartAfterMs = 250

/** Checks leave only short-lived garbage; a small young generation keeps it in the cache and the thread small. */
const probeMemory = { maxYoungGenerationSizeMb: 6 }

export interface ProbeThreadOptions {
  readonly number: number
  readonly program: URL
  readonly setup: ProbeSetup
  readonly watch: Watch
  /** What it has to know before its first check; null before there is a fleet. */
  readonly fleet: () => ToProbe | null
  readonly onAnswered: () => void
  readonly onResults: (batch: ResultBatch) => void
  /** It has crashed, was given up or has ended by itself; not after end. */
  readonly onLost: (words: string) => void
}

const newWorker = { missed: 0, isPinged: false, wasHeard: false, hasAnswered: false }

export class ProbeThreadHandle {
  readonly number: number
  readonly #options: ProbeThreadOptions
  /** Null after its end, until it is started again. */
  #worker: Worker | null = null
  #restart: NodeJS.Timeout | undefined
  readonly #outgoing = new OutgoingChecks()
  #inFlight = 0
  /** The times of its event loop when the load was last taken. */
  #loop: Pick<EventLoopUtilization, 'idle' | 'active'> = { idle: 0, active: 0 }
  #watched = { ...newWorker }

  constructor(options: ProbeThreadOptions) {
    this.number = options.number
    this.#options = options
    this.#start()
  }

  /** It has loaded everything, and takes checks without delay. */
  get isReady(): boolean {
    return this.#watched.hasAnswered
  }

  get isIdle(): boolean {
    return this.#inFlight === 0
  }

  /** It has to be looked at, because it owes an answer. */
  get owes(): boolean {
    return (
      this.#worker !== null && (this.#inFlight > 0 || !this.#watched.hasAnswered || this.#watched.isPinged)
    )
  }

  /** Unless it runs. */
  startAgainSoon(): void {
    if (this.#worker === null) this.#restart ??= setTimeout(() => this.#start(), restartAfterMs)
  }

  post(message: ToProbe): void {
    this.#worker?.postMessage(message)
  }

  add(row: number, generation: number): void {
    this.#inFlight++
    this.#outgoing.add(row, generation)
  }

  /** Sends what was added, in one message. */
  flush(): void {
    const worker = this.#worker
    // What waits for a thread that has ended waits for its successor.
    const batch = worker === null ? null : this.#outgoing.take()
    if (batch === null) return
    const message: ToProbe = { kind: 'checks', ...batch }
    worker?.postMessage(message, [batch.rows.buffer, batch.generations.buffer])
  }

  /** The share of time since the last call in which it was busy, from 0 to 1. */
  takeLoad(): number {
    if (this.#worker === null) return 0
    const { idle, active } = this.#worker.performance.eventLoopUtilization()
    const activeMs = active - this.#loop.active
    const passedMs = activeMs + idle - this.#loop.idle
    this.#loop = { idle, active }
    // A thread that is starting has no times yet.
    return passedMs > 0 ? activeMs / passedMs : 0
  }

  /** At the interval of the watch: gives it up when it has not answered for too long. */
  look(): void {
    const worker = this.#worker
    if (worker === null || !this.owes) return
    const { missedLooks, missedAtStart, everyMs } = this.#options.watch
    const watched = this.#watched
    // A thread that sends results shows that it lives, and need not be woken up for it.
    if (watched.wasHeard) {
      watched.wasHeard = false
      return
    }
    if (!watched.isPinged) this.#ping()
    const allowed = watched.hasAnswered ? missedLooks : missedAtStart
    if (watched.missed++ < allowed) return
    // Not awaited: a thread that hangs in a system call ends later, or never.
    void worker.terminate()
    this.#lost(`the probe thread has not answered for ${durationInWords(allowed * everyMs)}`)
  }

  /** It is not needed any more; nothing is heard of it after this. */
  async end(): Promise<void> {
    clearTimeout(this.#restart)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #start(): void {
    this.#restart = undefined
    const { number, program, setup, fleet } = this.#options
    const worker = new Worker(program, {
      workerData: setup,
      resourceLimits: probeMemory,
      name: `probe-${number + 1}`,
    })
    this.#worker = worker
    this.#loop = { idle: 0, active: 0 }
    this.#watched = { ...newWorker }
    let words = 'the probe thread ended'
    worker.on('message', (message: FromProbe) => {
      // What a thread was doing that was given up is reported as lost already.
      if (this.#worker === worker) this.#hear(message)
    })
    worker.on('error', (error: Error) => {
      words = `the probe thread crashed: ${error.message}`
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lost(words)
    })
    const known = fleet()
    if (known !== null) worker.postMessage(known)
    this.#ping()
    this.flush()
  }

  #ping(): void {
    this.#watched.isPinged = true
    this.post({ kind: 'ping' })
  }

  #hear(message: FromProbe): void {
    const isFirst = !this.#watched.hasAnswered
    const isPong = 'kind' in message
    const isPinged = isPong ? false : this.#watched.isPinged
    this.#watched = { missed: 0, isPinged, wasHeard: true, hasAnswered: true }
    if (isFirst) this.#options.onAnswered()
    if (isPong) return
    this.#inFlight -= message.rows.length
    this.#options.onResults(message)
  }

  #lost(words: string): void {
    this.#worker = null
    this.#outgoing.clear()
    this.#inFlight = 0
    this.#watched = { ...newWorker }
    this.#options.onLost(words)
  }
}
