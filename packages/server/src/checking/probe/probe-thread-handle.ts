// checking/probe/probe-thread-handle.ts: one probe thread as the pool sees it: what was sent to it and is
// still outstanding, how busy it is, and whether it still answers. A thread that ended may be started again
// under the same number; checks added in the meantime wait for it.
import type { EventLoopUtilization } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { durationInWords } from '../../platform/wording.ts'
import { OutgoingChecks } from './outgoing-checks.ts'
import type { FromProbe, ProbeSetup, ResultBatch, ToProbe } from './probe-protocol.ts'

/**
 * A thread that owes an answer is pinged at an interval, and given up after too many missed pings in a row. Counting
 * pings instead of time means that a suspended or starved process, which sends none, holds nothing against a thread.
 */
export interface Watch {
  readonly everyMs: number
  readonly missedLooks: number
  /** The same for a thread that is starting: it loads every driver before it can answer. */
  readonly missedAtStart: number
}

/** Limits how fast a thread that keeps ending at once is restarted. */
const restartAfterMs = 250

/** Checks leave only short-lived garbage; a small young generation keeps it in the cache and the thread small. */
const probeMemory = { maxYoungGenerationSizeMb: 6 }

export interface ProbeThreadOptions {
  readonly number: number
  readonly program: URL
  readonly setup: ProbeSetup
  readonly watch: Watch
  /** What the thread has to know before its first check; null before there is a fleet. */
  readonly fleet: () => ToProbe | null
  readonly onAnswered: () => void
  readonly onResults: (batch: ResultBatch) => void
  /** The thread crashed, was given up or ended by itself. Not called after end(). */
  readonly onLost: (words: string) => void
}

const newWorker = { missed: 0, isPinged: false, wasHeard: false, hasAnswered: false }

export class ProbeThreadHandle {
  readonly number: number
  readonly #options: ProbeThreadOptions
  /** Null after the thread ended, until it is started again. */
  #worker: Worker | null = null
  #restart: NodeJS.Timeout | undefined
  readonly #outgoing = new OutgoingChecks()
  #inFlight = 0
  /** The event loop times when the load was last taken. */
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

  /** Whether it owes an answer, so that it has to be watched. */
  get owes(): boolean {
    return (
      this.#worker !== null && (this.#inFlight > 0 || !this.#watched.hasAnswered || this.#watched.isPinged)
    )
  }

  /** Does nothing if the thread is running. */
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

  /** Sends the checks that were added, in one message. */
  flush(): void {
    const worker = this.#worker
    // Without a running thread, checks wait for its successor.
    const batch = worker === null ? null : this.#outgoing.take()
    if (batch === null) return
    const message: ToProbe = { kind: 'checks', ...batch }
    worker?.postMessage(message, [batch.rows.buffer, batch.generations.buffer])
  }

  /** The fraction of time since the last call in which it was busy, from 0 to 1. */
  takeLoad(): number {
    if (this.#worker === null) return 0
    const { idle, active } = this.#worker.performance.eventLoopUtilization()
    const activeMs = active - this.#loop.active
    const passedMs = activeMs + idle - this.#loop.idle
    this.#loop = { idle, active }
    // A thread that is starting has no times yet.
    return passedMs > 0 ? activeMs / passedMs : 0
  }

  /** Called at the watch interval: gives up the thread if it has been silent for too long. */
  look(): void {
    const worker = this.#worker
    if (worker === null || !this.owes) return
    const { missedLooks, missedAtStart, everyMs } = this.#options.watch
    const watched = this.#watched
    // A thread that sends results is alive, and need not be woken up to prove it.
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

  /** The thread is no longer needed. None of its callbacks is called after this. */
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
      // The checks of a thread that was given up have already been reported as lost.
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
