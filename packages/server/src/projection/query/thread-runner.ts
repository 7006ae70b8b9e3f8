// projection/query/thread-runner.ts: the query thread as the controller sees it. Bounded: queries beyond the limit are
// refused at once. A thread that ends is replaced; what waited for it is answered as unavailable, never forgotten.
import { Worker } from 'node:worker_threads'
import type { AnswerTo, Query } from './query.ts'
import type { QueryReply, ToQueryThread } from './query-protocol.ts'
import type { QueryAnswer, QueryRunner } from './query-runner.ts'
import type { QueryView } from './query-view.ts'

export interface ThreadRunnerOptions {
  /** Queries under way or waiting; more than that are busy. */
  readonly waitingLimit: number
  readonly onThreadLost: (words: string) => void
}

/** A thread that ends again at once is not replaced faster than this. */
const replaceAfterMs = 250

/** Queries work in typed arrays outside the heap and leave next to no garbage. */
const threadMemory = { maxYoungGenerationSizeMb: 4 }

type Resolve = (answer: QueryAnswer<never> | { kind: 'answered'; value: QueryReply['found'] }) => void

export class ThreadRunner implements QueryRunner {
  readonly #options: ThreadRunnerOptions
  readonly #waiting = new Map<number, Resolve>()
  /** Null between the end of one and the start of the next. */
  #worker: Worker | null
  #view: QueryView | null = null
  #nextTicket = 0
  #replacement: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: ThreadRunnerOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  take(view: QueryView): void {
    this.#view = view
    this.#post({ kind: 'view', view })
  }

  run<Asked extends Query>(query: Asked): Promise<QueryAnswer<AnswerTo<Asked>>> {
    if (this.#worker === null) return Promise.resolve(lost)
    if (this.#waiting.size >= this.#options.waitingLimit) return Promise.resolve({ kind: 'busy' })
    const ticket = this.#nextTicket++
    return new Promise((resolve) => {
      this.#waiting.set(ticket, resolve as Resolve)
      this.#post({ kind: 'query', ticket, query })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#replacement)
    await this.#worker?.terminate()
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
    worker.on('message', ({ ticket, found }: QueryReply) => {
      this.#waiting.get(ticket)?.({ kind: 'answered', value: found })
      this.#waiting.delete(ticket)
    })
    worker.on('error', (error: Error) => {
      words = `the query thread crashed: ${error.message}`
    })
    worker.on('exit', () => this.#ended(words))
    return worker
  }

  #ended(words: string): void {
    this.#worker = null
    for (const resolve of this.#waiting.values()) resolve(lost)
    this.#waiting.clear()
    if (this.#stopped) return
    this.#replacement = setTimeout(() => this.#replace(), replaceAfterMs)
    this.#options.onThreadLost(words)
  }

  #replace(): void {
    this.#worker = this.#start()
    if (this.#view !== null) this.#post({ kind: 'view', view: this.#view })
  }
}

const lost = { kind: 'unavailable', reason: 'the query thread ended and is being replaced' } as const
