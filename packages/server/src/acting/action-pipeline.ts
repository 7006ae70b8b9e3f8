// acting/action-pipeline.ts: observes and sizes the queue and the pool of one kind of action. The actions
// themselves are in the ledger, which is the queue and drops nothing.
import { DEFAULT_BOUNDS } from '../checking/pool/sizing.ts'
import { type PoolObservation, WorkerPool } from '../checking/pool/worker-pool.ts'
import { type QueueObservation, QueueObserver } from '../checking/queue/queue-observer.ts'

/** People wait for these: with a healthy provider, an action should spend at most a second in the queue. */
const waitTargetMs = 1_000

/** An action costs a socket and a message: a few hundred at once are plenty. */
const bounds = { ...DEFAULT_BOUNDS, min: 16, max: 512 }

/** The ledger keeps its open actions in one Map, and this is the most entries a Map can hold. */
const ledgerCapacity = 2 ** 24

/** What the ledger says about its queue. */
export interface LedgerQueue {
  readonly depth: number
  readonly oldestQueuedMs: number | null
}

export class ActionPipeline {
  readonly pool: WorkerPool
  readonly #observer: QueueObserver

  constructor(nowMs: number) {
    this.pool = new WorkerPool({ bounds, waitTargetMs }, nowMs)
    this.#observer = new QueueObserver(nowMs)
  }

  get free(): number {
    return this.pool.free
  }

  noteQueued(nowMs: number): void {
    this.#observer.noteEnqueued(nowMs)
  }

  noteStarted(queuedMs: number, nowMs: number): void {
    this.#observer.noteDequeued(queuedMs, nowMs)
  }

  adapt(nowMs: number): void {
    const { enqueueRate, arrivalCv } = this.#observer.arrivals(nowMs)
    this.pool.adapt(enqueueRate, arrivalCv, nowMs)
  }

  observeQueue({ depth, oldestQueuedMs }: LedgerQueue, nowMs: number, wallMs: number): QueueObservation {
    const contents = { depth, capacity: ledgerCapacity, oldestEnqueuedMs: oldestQueuedMs }
    return this.#observer.observe(contents, nowMs, wallMs)
  }

  observePool(depth: number, nowMs: number, wallMs: number): PoolObservation {
    return this.pool.observe(depth, nowMs, wallMs)
  }
}
