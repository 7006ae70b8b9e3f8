// bulk/operation-steps.ts: what bulk operations do on their own once requested: they are validated, and
// applied one after another. Work that fails for now is retried, and the next process takes up what this one
// leaves. An operation that cannot continue ends with a reason, so that those behind it can start.
import { v2 } from '@pulseward/contract'
import type { KeyedLock } from '../managing/keyed-lock.ts'
import type { Clock } from '../platform/clock.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import { type Store, StoreError } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { ApplyOptions } from './apply-chunk.ts'
import { OperationRun } from './apply-operation.ts'
import type { ControllerSide } from './around-work.ts'
import { type OpenOperation, type OpenOperations, tryAgainMs } from './open-operations.ts'
import { earlyState, hasEnded, type State, waitsForClient } from './operation-state.ts'
import { secretPart } from './stage-items.ts'
import { type Loss, lossOf } from './staging-loss.ts'
import type { BulkWork, PreparedChunk, Validation } from './work.ts'

export interface OperationStepsOptions extends Omit<ApplyOptions, 'nextChange'> {
  readonly work: BulkWork
  readonly side: ControllerSide
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Items per turn. */
  readonly itemsAtOnce: number
  readonly wait: (ms: number) => Promise<void>
}

export class OperationSteps {
  readonly #options: OperationStepsOptions
  readonly #open: OpenOperations
  /** Held by calls that change the state of an operation. */
  readonly #calls: KeyedLock
  #applying: Promise<void> = Promise.resolve()

  constructor(options: OperationStepsOptions, open: OpenOperations, calls: KeyedLock) {
    this.#options = options
    this.#open = open
    this.#calls = calls
  }

  validate(open: OpenOperation): void {
    const { work } = this.#options
    const { id } = open.operation
    open.validatedAt = this.#options.registry.lastChange
    open.doing = this.#trying(async () => {
      const validation = await work.validate(id)
      using _ = await this.#calls.take(String(id))
      if (open.operation.state !== 'validating') return
      if (validation.failedCount > 0) await this.#rejected(open, validation)
      else await this.#open.keep({ ...open.operation, state: 'validated' })
    }, open)
  }

  apply(open: OpenOperation): void {
    const { side, registry } = this.#options
    // Writes of other operations count as writes by others.
    let ownWrites = 0
    const run = new OperationRun(open.operation, open.validatedAt, {
      ...this.#options,
      nextChange: () => {
        ownWrites++
        return registry.nextChange()
      },
      openValues: (number, chunk) => this.#openValues(number, chunk),
      unlock: side.unlock,
      unlockAll: side.unlockAll,
      foreignWrites: () => registry.lastChange - ownWrites,
      changed: (operation) => this.#open.progressed(open, operation),
    })
    open.run = run
    const before = this.#applying
    open.doing = this.#trying(async () => {
      await before
      if (hasEnded(open.operation.state as State)) await run.listUnattempted()
      else await run.run()
      if (open.operation.endedAt !== null) await this.#open.forget(open.operation.id)
    }, open)
    this.#applying = open.doing
  }

  /** Continues what the previous process left. */
  async takeUp(): Promise<void> {
    const { store, work, clock, log } = this.#options
    const operations = await store.openBulk()
    // Without any, no thread is started.
    if (operations.length === 0) return
    const warn = (error: unknown) => log.warn({ error }, 'what was staged for operations cannot be looked at')
    await work.dropAllBut(operations.map(({ id }) => id)).catch(warn)
    for (const operation of operations) {
      const staged = await work.resume(operation.id).catch((error) => {
        warn(error)
        // The error may be transient; if not, the next step of the operation finds out.
        return { uploaded: 0, touchedAt: clock.wallMs() }
      })
      const open = this.#open.add(operation, staged ?? { uploaded: 0, touchedAt: operation.openedAt })
      open.touchedMs = null
      const state = operation.state as State
      if (staged === null) await this.lose(open, 'gone')
      else if (state === 'validating') this.validate(open)
      else if (!waitsForClient(state)) this.apply(open)
    }
  }

  /** Ends an operation whose staged items are lost. */
  async lose(open: OpenOperation, loss: Loss): Promise<void> {
    const lost = `What was staged for it is ${loss}`
    if (!waitsForClient(open.operation.state as State))
      return await this.#endEarly(open, `${lost}; ${leftOf(open)} items were not attempted.`)
    const why = loss === 'gone' ? `${lost}: a backup does not hold it` : lost
    await this.#open.end(open, 'expired', `${why}. Create another one.`)
  }

  /** A permanent mistake of ours. */
  async #giveUp(open: OpenOperation): Promise<void> {
    const reason = `An error inside the service stopped it; the log has the details. ${leftOf(open)} items were not attempted.`
    try {
      await open.run?.giveUp(reason)
    } catch (error) {
      if (mayPass(error)) throw error
    }
    if (open.operation.endedAt === null) await this.#endEarly(open, reason)
    else await this.#open.forget(open.operation.id)
  }

  /** Ends without an outcome for every item. */
  async #endEarly(open: OpenOperation, reason: string): Promise<void> {
    await this.#open.end(open, earlyState(open.operation), reason)
  }

  async #rejected(open: OpenOperation, { failed, failedCount }: Validation): Promise<void> {
    const { itemCount } = open.operation
    const outcomes = failed.map((item) => ({
      id: item.itemId,
      outcome: 'failed',
      oldVersion: null,
      newVersion: null,
      message: v2.itemMessage(item.source, item.errors),
    }))
    const named = failedCount > failed.length ? ` The first ${failed.length} are named.` : ''
    const reason = `${failedCount} of ${itemCount} items ${failedCount === 1 ? 'is' : 'are'} wrong; nothing was changed.${named}`
    await this.#open.end(open, 'rejected', reason, { first: 0, outcomes }, { failed: failedCount })
  }

  #openValues(number: number, { itemIds, extras }: PreparedChunk): Map<string, string | null> {
    const { side } = this.#options
    const values = new Map<string, string | null>()
    for (const [index, { sealed }] of extras) {
      const itemId = itemIds[index]
      if (sealed === undefined || itemId === undefined) continue
      const text = side.openOne(number, { itemId, sealed })
      if (text !== null) values.set(itemId, secretPart(text).value)
    }
    return values
  }

  /** Work that fails with a transient error is retried, and any other error a few times. */
  async #trying(work: () => Promise<void>, open: OpenOperation): Promise<void> {
    const { log, wait } = this.#options
    let next = work
    let failures = 0
    let settled = open.operation.settled
    for (;;) {
      try {
        return await next()
      } catch (error) {
        if (this.#open.isStopped || !this.#open.has(open)) return
        if (open.operation.settled > settled) failures = 0
        settled = open.operation.settled
        const loss = lossOf(error)
        if (!mayPass(error)) failures++
        if (loss !== null) next = () => this.#inTurn(open, () => this.lose(open, loss))
        else if (failures >= triesAtMost) next = () => this.#inTurn(open, () => this.#giveUp(open))
        const then = next === work ? 'it is tried again' : 'it ends'
        log.error({ error }, `operation ${open.operation.id} cannot go on; ${then}`)
        await wait(tryAgainMs)
      }
    }
  }

  async #inTurn(open: OpenOperation, work: () => Promise<void>): Promise<void> {
    using _ = await this.#calls.take(String(open.operation.id))
    if (this.#open.has(open)) await work()
  }
}

/** Consecutive tries without a settled item. */
const triesAtMost = 5

function mayPass(error: unknown): boolean {
  if (error instanceof V2Problem) return error.code === 'unavailable'
  return error instanceof StoreError && error.recovers
}

function leftOf({ operation }: OpenOperation): number {
  return operation.itemCount - operation.settled
}
