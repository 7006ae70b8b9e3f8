// bulk/operation-steps.ts: what operations of many items do by themselves once they were asked to: they are validated, and
// applied one after the other. What cannot be done now is tried again, and what a process leaves the next one takes up.
import type { KeyedLock } from '../managing/keyed-lock.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { ApplyOptions } from './apply-chunk.ts'
import { OperationRun } from './apply-operation.ts'
import type { ControllerSide } from './around-work.ts'
import { type OpenOperation, type OpenOperations, tryAgainMs } from './open-operations.ts'
import { hasEnded, type State } from './operation-state.ts'
import { failedMessage } from './operation-views.ts'
import { secretPart } from './stage-items.ts'
import type { BulkWork, PreparedChunk, Validation } from './work.ts'

export interface OperationStepsOptions extends Omit<ApplyOptions, 'nextChange'> {
  readonly work: BulkWork
  readonly side: ControllerSide
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Items of one turn. */
  readonly itemsAtOnce: number
  readonly wait: (ms: number) => Promise<void>
}

export class OperationSteps {
  readonly #options: OperationStepsOptions
  readonly #open: OpenOperations
  /** Held by calls that change the state of an operation. */
  readonly #calls: KeyedLock
  #applying: Promise<void> = Promise.resolve()
  #ownWrites = 0

  constructor(options: OperationStepsOptions, open: OpenOperations, calls: KeyedLock) {
    this.#options = options
    this.#open = open
    this.#calls = calls
  }

  validate(open: OpenOperation): void {
    const { work } = this.#options
    const { id } = open.operation
    open.foreignWrites = this.#foreignWrites
    open.doing = this.#trying(async () => {
      const validation = await work.validate(id)
      using _ = await this.#calls.take(String(id))
      if (open.operation.state !== 'validating') return
      if (validation.failedCount > 0) await this.#rejected(open, validation)
      else await this.#open.keep({ ...open.operation, state: 'validated' })
    }, open)
  }

  apply(open: OpenOperation): void {
    const { store, side, work, clock } = this.#options
    const run = new OperationRun(open.operation, open.foreignWrites, {
      ...this.#options,
      work,
      store,
      clock,
      nextChange: () => {
        this.#ownWrites++
        return this.#options.registry.nextChange()
      },
      openValues: (number, chunk) => this.#openValues(number, chunk),
      unlock: side.unlock,
      unlockAll: side.unlockAll,
      foreignWrites: () => this.#foreignWrites,
      changed: (operation) => this.#open.progressed(open, operation),
    })
    open.run = run
    const before = this.#applying
    open.doing = this.#trying(async () => {
      await before
      if (open.operation.state === 'cancelled') await run.listUnattempted()
      else await run.run()
      if (open.operation.endedAt !== null) await this.#open.forget(open.operation.id)
    }, open)
    this.#applying = open.doing
  }

  /** Goes on with what the previous process left. */
  async takeUp(): Promise<void> {
    const { store, work } = this.#options
    const operations = await store.openBulk()
    // Without any, no thread is started.
    if (operations.length === 0) return
    await work.dropAllBut(operations.map(({ id }) => id))
    for (const operation of operations) {
      const staged = await work.resume(operation.id)
      const open = this.#open.add(operation, staged ?? { uploaded: 0, touchedAt: operation.openedAt })
      open.touchedMs = null
      if (staged === null) await this.#lost(open)
      else if (operation.state === 'validating') this.validate(open)
      else if (operation.state === 'applying') this.apply(open)
      else if (operation.state === 'cancelled') this.apply(open)
    }
  }

  /** What was staged is gone: it is not in a backup, and somebody may have removed it. */
  async #lost(open: OpenOperation): Promise<void> {
    const { settled, itemCount, counts } = open.operation
    if (!hasEnded(open.operation.state as State) && settled === 0)
      return this.#open.end(
        open,
        'expired',
        'What was staged for it is gone: a backup does not hold it. Create another one.',
      )
    const isEnded = open.operation.state === 'cancelled'
    const reason = `What was staged for it is gone; ${itemCount - settled} items were not attempted.`
    const done = (counts['created'] ?? 0) + (counts['updated'] ?? 0) + (counts['unchanged'] ?? 0)
    await this.#open.end(open, isEnded ? 'cancelled' : done === 0 ? 'failed' : 'partial', reason)
  }

  async #rejected(open: OpenOperation, { failed, failedCount }: Validation): Promise<void> {
    const { itemCount } = open.operation
    const outcomes = failed.map((item) => ({
      id: item.itemId,
      outcome: 'failed',
      oldVersion: null,
      newVersion: null,
      message: failedMessage(item),
    }))
    const named = failedCount > failed.length ? ` The first ${failed.length} are named.` : ''
    const reason = `${failedCount} of ${itemCount} items are wrong; nothing was changed.${named}`
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

  /** Work that fails for a reason that may pass is done again. */
  async #trying(work: () => Promise<void>, open: OpenOperation): Promise<void> {
    const { log } = this.#options
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (this.#open.isStopped || !this.#open.has(open)) return
        log.error({ error }, `operation ${open.operation.id} cannot go on; it is tried again`)
        await this.#options.wait(tryAgainMs)
      }
    }
  }

  get #foreignWrites(): number {
    return this.#options.registry.lastChange - this.#ownWrites
  }
}
