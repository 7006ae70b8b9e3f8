// projection/query/thread-runner.ts: the query thread as the controller sees it. Bounded: queries beyond the limit are
// refused at once. A thread that ends is replaced, and its pending queries are answered as unavailable. For a fleet that
// the thread can load in a moment, the first query starts it, and it is stopped after a time without queries. For a
// larger fleet it is started shortly after the fleet, since the first checks need the whole machine, and stays. The
// thread learns of fleet changes before the next query, and otherwise a few times per second however often the fleet
// changes: a change message names every column of the fleet, and takes longer to send than a monitor takes to write.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../platform/clock.ts'
import { callsTo, type ThreadCalls } from '../../platform/thread-calls.ts'
import type { AnswerTo, KnownOrder, Query } from './query.ts'
import type { QueryAnswer, QueryRunner } from './query-runner.ts'
import type { QueryView } from './query-view.ts'

export interface ThreadRunnerOptions {
  /** Queries in flight or queued; further ones get `busy`. */
  readonly waitingLimit: number
  readonly onThreadLost: (words: string) => void
  readonly clock: Clock
  /** The time without queries after which the thread is stopped; a minute by default. */
  readonly restAfterMs?: number
  /** When the thread of a large fleet is started if no query comes first. */
  readonly wakesAfterMs?: number
}

const defaultRestAfterMs = 60_000

/** With more rows, the first query after a rest would wait too long for the names to load. */
const restsUpToRows = 50_000

/** By then the code that runs checks is compiled, and some CPU time is left. */
const defaultWakesAfterMs = 5_000

/** A thread that ends right after its start is not replaced faster than this. */
const replaceAfterMs = 250

/** While the fleet keeps changing and no queries come. */
const toldEveryMs = 200

/** Queries use typed arrays outside the heap and leave next to no garbage. */
const threadMemory = { maxYoungGenerationSizeMb: 4 }

interface Running {
  readonly worker: Worker
  readonly calls: ThreadCalls
}

interface Waiting {
  readonly sinceMs: number
}

export class ThreadRunner implements QueryRunner {
  readonly #options: ThreadRunnerOptions
  /** Both sets are ordered oldest first. */
  readonly #waiting = new Set<Waiting>()
  readonly #unseenViews = new Set<Waiting>()
  /** Null while it rests, and between the end of one thread and the start of the next. */
  #running: Running | null = null
  #isResting = true
  #rest: NodeJS.Timeout | undefined
  #waking: NodeJS.Timeout | undefined
  #askedMs: number
  /** From the end of one thread until the next has loaded the fleet. */
  #isLost = false
  #view: QueryView | null = null
  #order: KnownOrder | null = null
  #replacement: NodeJS.Timeout | undefined
  /** The rows of each change not yet sent to the thread; null for a change of the whole fleet. */
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
      // The next thread loads the whole fleet, however often it has changed by then.
      this.#untold = [null]
      if (view.present.length > restsUpToRows) this.#wakeSoon()
      return
    }
    this.#untold.push(amended)
    if (amended === null || this.#telling === undefined) this.#tell()
  }

  get behindMs(): number {
    if (this.#isLost) return Number.POSITIVE_INFINITY
    const oldest = [this.#unseenViews, this.#waiting].flatMap(([first]) => first?.sinceMs ?? [])
    return Math.max(0, this.#options.clock.monotonicMs() - Math.min(...oldest))
  }

  get order(): KnownOrder | null {
    if (this.#isResting && this.#untold.length > 0) this.#wake()
    this.#tell()
    return this.#order
  }

  run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>> {
    this.#askedMs = this.#options.clock.monotonicMs()
    if (this.#isResting) this.#wake()
    if (this.#running === null) return Promise.resolve(lost)
    if (this.#waiting.size >= this.#options.waitingLimit) return Promise.resolve({ kind: 'busy' })
    this.#tell()
    return this.#call<QueryAnswer<AnswerTo<Asked>>>(
      this.#waiting,
      'answer',
      [query],
      (value) => ({ kind: 'answered', value: value as AnswerTo<Asked> }),
      () => lost,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#replacement)
    clearTimeout(this.#telling)
    clearTimeout(this.#rest)
    clearTimeout(this.#waking)
    this.#isResting = false
    await this.#running?.worker.terminate()
  }

  /** Sends all changes since the last time, as one. */
  #tell(): void {
    const untold = this.#untold
    if (this.#view === null || untold.length === 0) return
    this.#untold = []
    this.#show(this.#view, untold.includes(null) ? null : rowsOf(untold as Uint32Array[]))
    clearTimeout(this.#telling)
    this.#telling = setTimeout(() => {
      this.#telling = undefined
      this.#tell()
    }, toldEveryMs).unref()
  }

  #show(view: QueryView, amended: Uint32Array | null): void {
    if (this.#running === null) return
    const seen = (order: unknown) => {
      this.#order = order as KnownOrder
      this.#isLost = false
    }
    // If the thread ends, its successor starts with the view that is current then.
    void this.#call<void>(this.#unseenViews, 'take', [view, amended], seen, () => {})
  }

  #call<Result>(
    line: Set<Waiting>,
    method: string,
    given: readonly unknown[],
    answered: (value: unknown) => Result,
    ended: () => Result,
  ): Promise<Result> {
    const waiting = { sinceMs: this.#options.clock.monotonicMs() }
    line.add(waiting)
    const leaving =
      (next: (value: unknown) => Result) =>
      (value: unknown): Result => {
        line.delete(waiting)
        return next(value)
      }
    return this.#running!.calls.call(method, given).then(leaving(answered), leaving(ended))
  }

  #start(): Running {
    const worker = new Worker(new URL('query-thread.ts', import.meta.url), {
      resourceLimits: threadMemory,
      name: 'query',
    })
    const calls = callsTo(worker, (crash) => new Error(wordsForLost(crash)))
    worker.on('exit', () => {
      if (this.#running?.worker === worker) this.#ended(calls.ended!.message)
    })
    return { worker, calls }
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
    const running = this.#running
    this.#running = null
    this.#isResting = true
    void running?.worker.terminate()
  }

  #wakeSoon(): void {
    const inMs = this.#options.wakesAfterMs ?? defaultWakesAfterMs
    this.#waking ??= setTimeout(() => this.#wake(), inMs).unref()
  }

  #wake(): void {
    clearTimeout(this.#waking)
    this.#waking = undefined
    this.#isResting = false
    // The order that the thread left lacks changes that it was not sent.
    if (this.#untold.length > 0) this.#order = null
    this.#askedMs = this.#options.clock.monotonicMs()
    this.#replace()
    this.#planRest()
  }

  #ended(words: string): void {
    this.#running = null
    this.#isLost = true
    if (this.#stopped) return
    this.#replacement = setTimeout(() => this.#replace(), replaceAfterMs)
    this.#options.onThreadLost(words)
  }

  #replace(): void {
    this.#running = this.#start()
    this.#untold = []
    if (this.#view !== null) this.#show(this.#view, null)
  }
}

function wordsForLost(crash: Error | null): string {
  return crash === null ? 'the query thread ended' : `the query thread crashed: ${crash.message}`
}

function rowsOf(changes: readonly Uint32Array[]): Uint32Array {
  return new Uint32Array(new Set(changes.flatMap((rows) => [...rows])))
}

const lost = { kind: 'unavailable', reason: 'the query thread ended and is being replaced' } as const
