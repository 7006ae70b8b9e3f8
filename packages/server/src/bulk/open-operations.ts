// bulk/open-operations.ts: the bulk operations that have not ended, as this process knows them: their records
// in the store, and how long their clients have been idle. It does not decide what happens to them.
import { v2 } from '@pulseward/contract'
import type { Engine } from '../engine/engine.ts'
import type { Clock } from '../platform/clock.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import type { OutcomeChunk, StoredBulk } from '../store/bulk.ts'
import type { Store } from '../store/store.ts'
import type { OperationRun } from './apply-operation.ts'
import { type State, waitsForClient } from './operation-state.ts'
import type { BulkWork } from './work.ts'

export interface OpenOperationsOptions {
  readonly engine: Pick<Engine, 'request'>
  readonly store: Pick<Store, 'readBulk'>
  readonly work: Pick<BulkWork, 'drop' | 'touch'>
  readonly clock: Clock
  readonly wait: (ms: number) => Promise<void>
}

/** An operation that has not ended. */
export interface OpenOperation {
  operation: StoredBulk
  uploaded: number
  /** The client's last call: by the wall clock, and by the monotonic clock since this process knows of it. */
  touchedAt: number
  touchedMs: number | null
  /** The last call or progress, by the wall clock. */
  updatedAt: number
  /** The last change when validation began; null if no longer known. */
  validatedAt: number | null
  run: OperationRun | null
  /** Its work in progress. */
  doing: Promise<void> | null
}

/** The present state, including what is not in its record. */
export interface KnownOperation {
  readonly operation: StoredBulk
  readonly uploaded: number
  readonly updatedAt: number
}

export const longestIdleMs = v2.limits.stagingIdleHours * 3_600_000
const keptMs = v2.limits.operationRetentionDays * 86_400_000
/** The delay before a failed commit is retried. */
export const tryAgainMs = 500
export const idleReason = `Nothing was done with the operation for ${v2.limits.stagingIdleHours} hours, so what was staged is gone; create another one.`

export class OpenOperations {
  readonly #options: OpenOperationsOptions
  readonly #open = new Map<number, OpenOperation>()
  #isStopped = false

  constructor(options: OpenOperationsOptions) {
    this.#options = options
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Resolves when each has stopped its work; the next process continues. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const { run } of this.#open.values()) run?.stop()
    await Promise.allSettled(Array.from(this.#open.values(), ({ doing }) => doing))
  }

  has(open: OpenOperation): boolean {
    return this.#open.get(open.operation.id) === open
  }

  add(operation: StoredBulk, staged: Pick<OpenOperation, 'uploaded' | 'touchedAt'>): OpenOperation {
    const open: OpenOperation = {
      ...staged,
      operation,
      updatedAt: staged.touchedAt,
      touchedMs: this.#options.clock.monotonicMs(),
      validatedAt: null,
      run: null,
      doing: null,
    }
    this.#open.set(operation.id, open)
    return open
  }

  /** Throws a problem for an operation that is no longer kept. */
  async find(number: number): Promise<OpenOperation | KnownOperation> {
    const open = this.#open.get(number)
    if (open !== undefined) {
      if ((this.idleMs(open) ?? 0) > longestIdleMs) await this.end(open, 'expired', idleReason)
      else return open
    }
    const operation = await this.#options.store.readBulk(number)
    const isOld = operation?.endedAt != null && this.#options.clock.wallMs() - operation.endedAt > keptMs
    if (operation === null || isOld)
      throw expired(`The outcomes of an operation are kept for ${v2.limits.operationRetentionDays} days.`)
    if (operation.state === 'expired') throw expired(operation.reason ?? idleReason)
    return endedOperation(operation)
  }

  all(): OpenOperation[] {
    return [...this.#open.values()]
  }

  /** A record of the store, with what this process knows beyond it. */
  known(operation: StoredBulk): KnownOperation {
    return this.#open.get(operation.id) ?? endedOperation(operation)
  }

  async end(
    open: OpenOperation,
    state: State,
    reason: string | null,
    outcomes: OutcomeChunk | null = null,
    counts = open.operation.counts,
  ): Promise<void> {
    const endedAt = this.#options.clock.wallMs()
    await this.keepNow({ ...open.operation, state, reason, endedAt, counts }, outcomes)
    await this.forget(open.operation.id)
  }

  /** Also removes what is staged for it; if that fails now, the next start removes it. */
  async forget(number: number): Promise<void> {
    this.#open.delete(number)
    await this.#options.work.drop(number).catch(() => {})
  }

  /** Retries until it is stored. */
  async keep(operation: StoredBulk): Promise<void> {
    while (!(await this.#store(operation, null))) {
      if (this.#isStopped) throw unavailable()
      await this.#options.wait(tryAgainMs)
    }
  }

  /** Throws a problem if it cannot be stored now. */
  async keepNow(operation: StoredBulk, outcomes: OutcomeChunk | null = null): Promise<void> {
    if (!(await this.#store(operation, outcomes))) throw unavailable()
  }

  /** To be called when its client calls. */
  async touch(open: OpenOperation): Promise<void> {
    await this.#options.work.touch(open.operation.id, this.called(open))
  }

  /** Returns the time, which is also kept with what is staged. */
  called(open: OpenOperation): number {
    const { clock } = this.#options
    open.touchedAt = clock.wallMs()
    open.touchedMs = clock.monotonicMs()
    open.updatedAt = open.touchedAt
    return open.touchedAt
  }

  progressed(open: OpenOperation, operation: StoredBulk): void {
    open.operation = operation
    // The next process only knows the time of the end.
    open.updatedAt = operation.endedAt ?? this.#options.clock.wallMs()
  }

  async #store(operation: StoredBulk, outcomes: OutcomeChunk | null): Promise<boolean> {
    const { engine } = this.#options
    const end = await engine.request('withdrawn', (turn) => turn.keep({ operation, outcomes }))
    const isStored = end === 'stored'
    const open = this.#open.get(operation.id)
    if (isStored && open !== undefined && open.operation !== operation) this.progressed(open, operation)
    return isStored
  }

  /**
   * How long it has waited for its client; null if it is not waiting. By the clock that shows less: one of
   * them may have been set, or have stopped.
   */
  idleMs({ operation, touchedAt, touchedMs }: OpenOperation): number | null {
    const { clock } = this.#options
    if (!waitsForClient(operation.state as State)) return null
    const idle = clock.wallMs() - touchedAt
    return touchedMs === null ? idle : Math.min(idle, clock.monotonicMs() - touchedMs)
  }
}

function endedOperation(operation: StoredBulk): KnownOperation {
  const { itemCount, endedAt, openedAt } = operation
  return { operation, uploaded: itemCount, updatedAt: endedAt ?? openedAt }
}

export function isOpen(known: OpenOperation | KnownOperation): known is OpenOperation {
  return 'run' in known
}

function expired(message: string): V2Problem {
  return new V2Problem('operationExpired', message)
}

function unavailable(): V2Problem {
  return new V2Problem('unavailable', 'The operation could not be stored; nothing of this call was done.', {
    retryAfterSeconds: 1,
  })
}
