// bulk/threaded-work.ts: the work on collections in a separate thread, which is started on first use and ends
// when nothing has been staged for a minute: a service without operations pays nothing for it. After a crash
// the next call starts the thread again, and reopens what it needs from disk.
import type { Worker } from 'node:worker_threads'
import { answeredBy, callsTo, type ThreadCalls } from '../platform/thread-calls.ts'
import { StoreError } from '../store/store.ts'
import { storeErrorForm } from '../store/store-errors.ts'
import type { AroundWork, BulkWork } from './work.ts'

const restsAfterMs = 60_000

interface Running {
  readonly worker: Worker
  readonly calls: ThreadCalls
}

type Method = keyof BulkWork

export class ThreadedWork implements AsyncDisposable {
  readonly #startThread: () => Worker
  readonly #around: AroundWork
  /** Operations with staged items. */
  readonly #opened = new Set<number>()
  #running: Running | null = null
  #rest: NodeJS.Timeout | null = null
  #isOver = false
  /** The work, as its callers see it. */
  readonly work: BulkWork

  constructor(startThread: () => Worker, around: AroundWork) {
    this.#startThread = startThread
    this.#around = around
    const call =
      <Name extends Method>(name: Name) =>
      (...given: Parameters<BulkWork[Name]>) =>
        this.#call(name, given) as ReturnType<BulkWork[Name]>
    this.work = {
      create: async (head) => {
        const staged = await call('create')(head)
        this.#opened.add(head.number)
        return staged
      },
      resume: async (number) => {
        const staged = await call('resume')(number)
        if (staged !== null) this.#opened.add(number)
        return staged
      },
      drop: async (number) => {
        this.#opened.delete(number)
        await call('drop')(number)
      },
      upload: call('upload'),
      freeze: call('freeze'),
      freezeRevisions: call('freezeRevisions'),
      settle: call('settle'),
      frozen: call('frozen'),
      touch: call('touch'),
      incomplete: call('incomplete'),
      validate: call('validate'),
      foresee: call('foresee'),
      prepare: call('prepare'),
      itemIds: call('itemIds'),
      resourcesOf: call('resourcesOf'),
      stillToCome: call('stillToCome'),
      preflight: call('preflight'),
      dropAllBut: call('dropAllBut'),
    }
  }

  get threads(): number {
    return this.#running === null ? 0 : 1
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    if (this.#rest !== null) clearTimeout(this.#rest)
    await this.#running?.worker.terminate()
  }

  async #call(method: Method, given: readonly unknown[]): Promise<unknown> {
    if (this.#isOver) throw closed()
    if (this.#rest !== null) clearTimeout(this.#rest)
    this.#rest = null
    this.#running ??= this.#start()
    const { calls } = this.#running
    try {
      return await calls.call(method, given, transferable(given))
    } finally {
      if (this.#opened.size === 0 && calls.pending === 0) this.#restLater()
    }
  }

  #start(): Running {
    const worker = this.#startThread()
    const lost = (crash: Error | null) => {
      if (this.#running?.worker === worker) this.#running = null
      const words = crash === null ? 'has ended' : `crashed (${crash.message})`
      return new StoreError('closed', `The thread that works on operations ${words}; it is started again.`)
    }
    const calls = callsTo(worker, lost, { answer: answeredBy(this.#around), errors: storeErrorForm })
    return { worker, calls }
  }

  #restLater(): void {
    if (this.#rest !== null || this.#isOver) return
    this.#rest = setTimeout(() => {
      this.#rest = null
      const running = this.#running
      if (running === null || this.#opened.size > 0 || running.calls.pending > 0) return
      this.#running = null
      void running.worker.terminate()
    }, restsAfterMs).unref()
  }
}

function closed(): StoreError {
  return new StoreError('closed', 'The service stops.')
}

/** Buffers without another user are transferred instead of copied. */
function transferable(given: readonly unknown[]): ArrayBuffer[] {
  return given.flatMap((value) =>
    value instanceof Uint8Array &&
    value.buffer instanceof ArrayBuffer &&
    value.byteLength === value.buffer.byteLength &&
    value.byteLength > 0
      ? [value.buffer]
      : [],
  )
}
