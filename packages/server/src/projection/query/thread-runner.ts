// projection/query/thread-runner.ts: the query thread as the controller sees it. Bounded: queries beyond the limit are
// refused at once. A thread that ends is replaced; what waited for it is answered as unavailable, never forgotten. The
// thread of a fleet that it takes in within a moment is started by the first question, and ended when nobody has asked for a
// while. That of a larger one is started a little after the fleet, since the first checks need all of the machine, and
// stays. It is told of a changed fleet before the next query, and otherwise some times a second however often it changes:
// what it is told names every column of the fleet, and takes longer to send than a monitor takes to write.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../platform/clock.ts'
import type { AnswerTo, KnownOrder, Query } from './query.ts'
import type { FromQueryThread, ToQueryThread } from './query-protocol.ts'
import type { QueryAnswer, QueryRunner } from './query-runner.ts'
import type { QueryView } from './query-view.ts'

export interface ThreadRunnerOptions {
  /** Queries in flight or queued; more than that are busy. */
  readonly waitingLimit: number
  readonly onThreadLost: (words: string) => void
  readonly clock: Clock
  /** How long nobody has to ask before the thread is ended; a minute unless given. */
  readonly restAfterMs?: number
  /** When the thread of a large fleet is started, if nobody has asked before. */
  readonly wakesAfterMs?: number
}

const defaultRestAfterMs = 60_000

/** With more rows, a question after a rest would wait too long for the names to be taken in. */
const restsUpToRows = 50_000

/** By then the code that runs checks is compiled, and some of the machine's time is left. */
const defaultWakesAfterMs = 5_000

/** A thread that ends again at once is not replaced faster than this. */
const replaceAfterMs = 250

/** While the fleet keeps changing and nobody asks. */
const toldEveryMs = 200

/** Queries work in typed arrays outside the heap and leave next to no garbage. */
const threadMemory = { maxYoungGenerationSizeMb: 4 }

type Resolve = (answer: QueryAnswer<AnswerTo<Query>>) => void

interface Waiting {
  readonly sinceMs: number
  readonly resolve: Resolve
}

export class ThreadRunner implements QueryRunner {
  readonly #options: ThreadRunnerOptions
  /** Oldest first, both of them. */
  readonly #waiting = new Map<number, Waiting>()
  readonly #unseenViews = new Map<number, number>()
  /** Null while it rests, and between the end of one and the start of the next. */
  #worker: Worker | null = null
  #isResting = true
  #rest: NodeJS.Timeout | undefined
  #waking: NodeJS.Timeout | undefined
  #askedMs: number
  /** From the end of one until the next has seen the fleet. */
  #isLost = false
  #view: QueryView | null = null
  #order: KnownOrder | null = null
  #nextTicket = 0
  #replacement: NodeJS.Timeout | undefined
  /** The rows of each change that the thread was not told of; null for one of the whole fleet. */
  #untold: (Uint32Array | null)[] = []
  #telling: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: ThreadRunnerOptions) {
    this.#options = options
    this.#askedMs = options.clock.monotonicMs()
  }

  get threads(): number {
    return this.#isResting ? 0 : 1
  }

  take(view: QueryView, amended: Uint32Array | null): void {
    this.#view = view
    if (this.#isResting) {
      // The next one begins with all of it, however often it has changed by then.
      this.#untold = [null]
      if (view.present.length > restsUpToRows) this.#wakeSoon()
      return
    }
    this.#untold.push(amended)
    if (amended === null || this.#telling === undefined) this.#tell()
  }

  get behindMs(): number {
    if (this.#isLost) return Number.POSITIVE_INFINITY
    const [view = Number.POSITIVE_INFINITY] = this.#unseenViews.values()
    const [query] = this.#waiting.values()
    const oldestMs = Math.min(view, query?.sinceMs ?? Number.POSITIVE_INFINITY)
    return Math.max(0, this.#options.clock.monotonicMs() - oldestMs)
  }

  get order(): KnownOrder | null {
    if (this.#isResting && this.#untold.length > 0) this.#wake()
    this.#tell()
    return this.#order
  }

  run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>> {
    this.#askedMs = this.#options.clock.monotonicMs()
    if (this.#isResting) this.#wake()
    if (this.#worker === null) return Promise.resolve(lost)
    if (this.#waiting.size >= this.#options.waitingLimit) return Promise.resolve({ kind: 'busy' })
    this.#tell()
    const ticket = this.#nextTicket++
    return new Promise((resolve) => {
      const sinceMs = this.#options.clock.monotonicMs()
      this.#waiting.set(ticket, { sinceMs, resolve: resolve as Resolve })
      this.#post({ kind: 'query', ticket, query })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#replacement)
    clearTimeout(this.#telling)
    clearTimeout(this.#rest)
    clearTimeout(this.#waking)
    this.#isResting = false
    await this.#worker?.terminate()
  }

  /** All that has changed since the last time, together. */
  #tell(): void {
    const untold = this.#untold
    if (this.#view === null || untold.length === 0) return
    this.#untold = []
    this.#postView(this.#view, untold.includes(null) ? null : rowsOf(untold as Uint32Array[]))
    clearTimeout(this.#telling)
    this.#telling = setTimeout(() => {
      this.#telling = undefined
      this.#tell()
    }, toldEveryMs).unref()
  }

  #postView(view: QueryView, amended: Uint32Array | null): void {
    this.#unseenViews.set(view.number, this.#options.clock.monotonicMs())
    this.#post({ kind: 'view', view, amended })
  }

  #post(message: ToQueryThread): void {
    this.#worker?.postMessage(message)
  }

  #start(): Worker {
    const worker = new Worker(new URL('query-thread.ts', import.meta.url), {
      resourceLimits: threadMemory,
      name: 'query',
    })
    let words = 'the query thread ended'
    worker.on('message', (message: FromQueryThread) => this.#hear(message))
    worker.on('error', (error: Error) => {
      words = `the query thread crashed: ${error.message}`
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#ended(words)
    })
    return worker
  }

  get #restAfterMs(): number {
    return this.#options.restAfterMs ?? defaultRestAfterMs
  }

  #planRest(): void {
    const untilMs = this.#askedMs + this.#restAfterMs
    const inMs = Math.max(1, untilMs - this.#options.clock.monotonicMs())
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#restIfNobodyAsks(), inMs).unref()
  }

  #restIfNobodyAsks(): void {
    const { clock } = this.#options
    const isAsked = this.#waiting.size > 0 || clock.monotonicMs() - this.#askedMs < this.#restAfterMs
    const isBehind = this.#isLost || this.#unseenViews.size > 0
    const rows = this.#view?.present.length ?? 0
    if (isAsked) return this.#planRest()
    if (isBehind || rows > restsUpToRows) {
      this.#askedMs = clock.monotonicMs()
      return this.#planRest()
    }
    const worker = this.#worker
    this.#worker = null
    this.#isResting = true
    void worker?.terminate()
  }

  #wakeSoon(): void {
    const inMs = this.#options.wakesAfterMs ?? defaultWakesAfterMs
    this.#waking ??= setTimeout(() => this.#wake(), inMs).unref()
  }

  #wake(): void {
    clearTimeout(this.#waking)
    this.#waking = undefined
    this.#isResting = false
    // Amendments that the thread was not told of are not in the order that it left.
    if (this.#untold.length > 0) this.#order = null
    this.#askedMs = this.#options.clock.monotonicMs()
    this.#replace()
    this.#planRest()
  }

  #hear(message: FromQueryThread): void {
    if (message.kind === 'viewed') {
      this.#isLost = false
      this.#order = message.order
      for (const number of this.#unseenViews.keys())
        if (number <= message.number) this.#unseenViews.delete(number)
      return
    }
    this.#waiting.get(message.ticket)?.resolve({ kind: 'answered', value: message.found })
    this.#waiting.delete(message.ticket)
  }

  #ended(words: string): void {
    this.#worker = null
    this.#isLost = true
    for (const { resolve } of this.#waiting.values()) resolve(lost)
    this.#waiting.clear()
    this.#unseenViews.clear()
    if (this.#stopped) return
    this.#replacement = setTimeout(() => this.#replace(), replaceAfterMs)
    this.#options.onThreadLost(words)
  }

  #replace(): void {
    this.#worker = this.#start()
    this.#untold = []
    if (this.#view !== null) this.#postView(this.#view, null)
  }
}

function rowsOf(changes: readonly Uint32Array[]): Uint32Array {
  return new Uint32Array(new Set(changes.flatMap((rows) => [...rows])))
}

const lost = { kind: 'unavailable', reason: 'the query thread ended and is being replaced' } as const
