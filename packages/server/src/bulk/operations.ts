// bulk/operations.ts: the operations of many items: opened, filled, validated, activated, cancelled and asked about. What each
// call does in each state is said in operation-state.ts. The record of an operation is in the store, and so is what was
// applied; what is only staged lies beside it. Operations are applied one after the other.
import { v2 } from '@pulseward/contract'
import { V2Problem } from '../api/v2/v2-problem.ts'
import { KeyedLock } from '../managing/keyed-lock.ts'
import type { Clock } from '../platform/clock.ts'
import type { StoredBulk, StoredOutcome } from '../store/bulk.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { ApplyOptions } from './apply-chunk.ts'
import { noWrites, OperationRun } from './apply-operation.ts'
import type { ControllerSide } from './around-work.ts'
import { changesResources, requireWords } from './control-verbs.ts'
import { freezeControl } from './freeze-control.ts'
import { freezeRevisions, type RevisionsOptions } from './freeze-revisions.ts'
import { type Call, hasEnded, reactionTo, type State, waitsForClient } from './operation-state.ts'
import { failedMessage } from './operation-views.ts'
import { secretPart } from './stage-items.ts'
import type { BulkWork, Foreseen, Preflighted, PreparedChunk, Refusal, Validation } from './work.ts'

export interface BulkOperationsOptions extends Omit<ApplyOptions, 'nextChange'>, RevisionsOptions {
  readonly work: BulkWork
  readonly side: ControllerSide
  readonly store: Store
  /** The last change that is committed. */
  readonly lastChange: () => number
  /** Which life of which store it is. */
  readonly storeName: string
  readonly clock: Clock
  /** Items of one turn. */
  readonly itemsAtOnce: number
  readonly wait: (ms: number) => Promise<void>
  readonly log: Log
}

/** An operation that has not ended. */
interface Open {
  operation: StoredBulk
  uploaded: number
  /** By the wall clock, and by the other one since this process was told. */
  touchedAt: number
  touchedMs: number | null
  /** Writes of others when validation began; null when that is not known any more. */
  foreignWrites: number | null
  run: OperationRun | null
  /** What it does by itself now. */
  doing: Promise<void> | null
}

/** As it is known now, with what is not in its record. */
export interface KnownOperation {
  readonly operation: StoredBulk
  readonly uploaded: number
}

export interface KnownValidation extends KnownOperation {
  /** Null while it runs. */
  readonly isValid: boolean | null
  readonly foreseen: readonly Foreseen[]
  readonly failed: readonly StoredOutcome[]
}

const openAtMost = 16
const uploadsAtOnce = 16
const idleMs = v2.limits.stagingIdleHours * 3_600_000
const keptMs = v2.limits.operationRetentionDays * 86_400_000
const lookEveryMs = 60_000
/** Small operations are done by then, and need not be asked about again. */
const answerWithinMs = 300
/** The chunk that is being written is finished by then, unless the disk is in trouble. */
const cancelledWithinMs = 5_000

export class BulkOperations implements AsyncDisposable {
  readonly #options: BulkOperationsOptions
  readonly #open = new Map<number, Open>()
  /** Calls that change the state of an operation, one after the other. */
  readonly #calls = new KeyedLock()
  readonly #started = Promise.withResolvers<void>()
  #applying: Promise<void> = Promise.resolve()
  #ownWrites = 0
  #uploads = 0
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(options: BulkOperationsOptions) {
    this.#options = options
    this.#started.promise.catch(() => {})
  }

  /** Goes on with what the previous process left. */
  start(): void {
    this.#timer = setInterval(() => void this.#expireIdle(), lookEveryMs).unref()
    this.#takeUp().then(this.#started.resolve, (error) => {
      this.#options.log.error({ error }, 'operations that the previous process left cannot be read')
      this.#started.reject(error)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true
    if (this.#timer !== null) clearInterval(this.#timer)
    for (const { run } of this.#open.values()) run?.stop()
    await Promise.allSettled(Array.from(this.#open.values(), ({ doing }) => doing))
  }

  async preflight(contentType: string | undefined, bytes: Uint8Array): Promise<Preflighted> {
    const answer = await this.#uploading(() => this.#options.work.preflight(contentType, bytes))
    if ('refusal' in answer) throw problemOf(answer.refusal)
    return answer
  }

  async create(
    number: number,
    principal: string,
    { contentDigest, itemCount }: v2.CollectionOperation,
  ): Promise<KnownOperation> {
    await this.#started.promise
    this.#requireRoom()
    const { work, clock, storeName } = this.#options
    const operation: StoredBulk = {
      ...newOperation,
      id: number,
      principal,
      openedAt: clock.wallMs(),
      contentDigest,
      itemCount,
    }
    const touchedAt = clock.wallMs()
    // Before its record: a file that belongs to none is removed at the next start.
    await work.create({ number, store: storeName, itemCount, contentDigest, touchedAt })
    const open = this.#opened(operation, { uploaded: 0, touchedAt })
    try {
      await this.#keepNow(operation)
    } catch (error) {
      this.#open.delete(number)
      await work.drop(number)
      throw error
    }
    return open
  }

  /** A control of many monitors begins validated: what it applies to is frozen. */
  async createControl(
    number: number,
    principal: string,
    { control }: v2.ControlOperation,
  ): Promise<KnownOperation> {
    requireWords(control)
    await this.#started.promise
    this.#requireRoom()
    const { work, clock, storeName } = this.#options
    const { verb, reason = null, note = null, duration = null } = control
    const touchedAt = clock.wallMs()
    await work.create({ number, store: storeName, itemCount: 0, contentDigest: null, touchedAt })
    try {
      const itemCount = await this.#freeze(number, control, touchedAt)
      await work.settle(number)
      const operation: StoredBulk = {
        ...newOperation,
        id: number,
        principal,
        openedAt: clock.wallMs(),
        state: 'validated',
        contentDigest: null,
        itemCount,
        control: { verb, reason, note, duration },
      }
      const open = this.#opened(operation, { uploaded: itemCount, touchedAt })
      await this.#keepNow(operation)
      return open
    } catch (error) {
      this.#open.delete(number)
      await work.drop(number)
      throw error
    }
  }

  /** Answers with the number of items. */
  async #freeze(number: number, control: v2.ControlOperation['control'], touchedAt: number): Promise<number> {
    const { work } = this.#options
    const { verb } = control
    let itemCount = 0
    if (changesResources(verb))
      for await (const items of freezeControl(control, verb === 'enable', this.#options))
        itemCount = (await work.freeze(number, items, touchedAt)).uploaded
    else
      for (const items of freezeRevisions(control, this.#options))
        itemCount = (await work.freezeRevisions(number, items, touchedAt)).uploaded
    return itemCount
  }

  async upload(number: number, contentType: string | undefined, bytes: Uint8Array): Promise<KnownOperation> {
    const { work, clock } = this.#options
    const open = await this.#openFor('upload', number)
    const now = clock.wallMs()
    const answer = await this.#uploading(() => work.upload(number, contentType, bytes, now))
    if ('refusal' in answer) throw problemOf(answer.refusal)
    open.uploaded = answer.uploaded
    open.touchedAt = answer.touchedAt
    open.touchedMs = clock.monotonicMs()
    return open
  }

  async validate(number: number): Promise<KnownValidation> {
    const known = await this.#inTurn(number, async (open) => {
      if (this.#reactionTo('validate', open.operation) === null || !isOpen(open)) return open
      const problem = await this.#options.work.incomplete(number)
      if (problem !== null) throw conflict(problem)
      await this.#touch(open)
      await this.#keepNow({ ...open.operation, state: 'validating' })
      this.#validate(open)
      return open
    })
    if (isOpen(known) && known.operation.state === 'validating') await this.#soon(known.doing)
    return await this.#validation(await this.#known(number))
  }

  async activate(number: number, principal: string): Promise<KnownOperation> {
    const known = await this.#inTurn(number, async (open) => {
      if (this.#reactionTo('activate', open.operation) === null || !isOpen(open)) return open
      await this.#touch(open)
      await this.#keepNow({ ...open.operation, state: 'applying', activatedBy: principal })
      this.#apply(open)
      return open
    })
    if (isOpen(known)) await this.#soon(known.doing)
    return await this.#known(number)
  }

  async cancel(number: number): Promise<KnownOperation> {
    await this.#inTurn(number, async (open) => {
      if (this.#reactionTo('cancel', open.operation) === null || !isOpen(open)) return
      if (open.run === null) await this.#ended(open, 'cancelled', notActivated)
      else {
        open.run.cancel()
        await this.#soon(open.doing, cancelledWithinMs)
      }
    })
    return await this.#known(number)
  }

  /** A while, or until it is done. */
  async #soon(doing: Promise<void> | null, withinMs = answerWithinMs): Promise<void> {
    await Promise.race([doing, this.#options.wait(withinMs)])
  }

  async #inTurn<Result>(
    number: number,
    work: (known: Open | KnownOperation) => Promise<Result>,
  ): Promise<Result> {
    using _ = await this.#calls.take(String(number))
    return await work(await this.#known(number))
  }

  read(number: number): Promise<KnownOperation> {
    return this.#known(number)
  }

  /** Throws a problem for one that is not kept any more. */
  async #known(number: number): Promise<Open | KnownOperation> {
    await this.#started.promise
    const open = this.#open.get(number)
    if (open !== undefined) {
      if (this.#isIdle(open)) await this.#ended(open, 'expired', null)
      else return open
    }
    const operation = await this.#options.store.readBulk(number)
    const isOld = operation?.endedAt != null && this.#options.clock.wallMs() - operation.endedAt > keptMs
    if (operation === null || isOld)
      throw expired(`The outcomes of an operation are kept for ${v2.limits.operationRetentionDays} days.`)
    if (operation.state === 'expired') throw expired(operation.reason ?? idleReason)
    return { operation, uploaded: operation.itemCount }
  }

  async #openFor(call: Call, number: number): Promise<Open> {
    const known = await this.#known(number)
    this.#reactionTo(call, known.operation)
    if (!isOpen(known)) throw new Error(`operation ${number} has ended in a state in which it takes calls`)
    return known
  }

  /** Throws a problem for a call that the state refuses; null when nothing is to be done. */
  #reactionTo(call: Call, { state }: StoredBulk): State | null {
    const reaction = reactionTo(call, state as State)
    if (reaction.to !== null) return reaction.to
    if (reaction.refusal !== null) throw conflict(reaction.refusal)
    return null
  }

  async #takeUp(): Promise<void> {
    const { store, work } = this.#options
    const operations = await store.openBulk()
    // Without any, no thread is started.
    if (operations.length === 0) return
    await work.dropAllBut(operations.map(({ id }) => id))
    for (const operation of operations) {
      const staged = await work.resume(operation.id)
      const open = this.#opened(operation, staged ?? { uploaded: 0, touchedAt: operation.openedAt })
      open.touchedMs = null
      if (staged === null) await this.#lost(open)
      else if (operation.state === 'validating') this.#validate(open)
      else if (operation.state === 'applying') this.#apply(open)
      else if (operation.state === 'cancelled') this.#apply(open)
    }
  }

  /** What was staged is gone: it is not in a backup, and somebody may have removed it. */
  async #lost(open: Open): Promise<void> {
    const { settled, itemCount, counts } = open.operation
    if (!hasEnded(open.operation.state as State) && settled === 0)
      return this.#ended(
        open,
        'expired',
        'What was staged for it is gone: a backup does not hold it. Create another one.',
      )
    const isEnded = open.operation.state === 'cancelled'
    const reason = `What was staged for it is gone; ${itemCount - settled} items were not attempted.`
    const done = (counts['created'] ?? 0) + (counts['updated'] ?? 0) + (counts['unchanged'] ?? 0)
    await this.#ended(open, isEnded ? 'cancelled' : done === 0 ? 'failed' : 'partial', reason)
  }

  #opened(operation: StoredBulk, staged: Pick<Open, 'uploaded' | 'touchedAt'>): Open {
    const { clock } = this.#options
    const open: Open = {
      ...staged,
      operation,
      touchedMs: clock.monotonicMs(),
      foreignWrites: null,
      run: null,
      doing: null,
    }
    this.#open.set(operation.id, open)
    return open
  }

  #validate(open: Open): void {
    const { work } = this.#options
    const { id } = open.operation
    open.foreignWrites = this.#foreignWrites
    open.doing = this.#trying(async () => {
      const validation = await work.validate(id)
      using _ = await this.#calls.take(String(id))
      if (open.operation.state !== 'validating') return
      if (validation.failedCount > 0) await this.#rejected(open, validation)
      else await this.#keep({ ...open.operation, state: 'validated' })
    }, open)
  }

  async #rejected(open: Open, { failed, failedCount }: Validation): Promise<void> {
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
    await this.#ended(open, 'rejected', reason, { first: 0, outcomes }, { failed: failedCount })
  }

  #apply(open: Open): void {
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
      changed: (operation) => {
        open.operation = operation
      },
    })
    open.run = run
    const before = this.#applying
    open.doing = this.#trying(async () => {
      await before
      if (open.operation.state === 'cancelled') await run.listUnattempted()
      else await run.run()
      if (open.operation.endedAt !== null) await this.#forget(open)
    }, open)
    this.#applying = open.doing
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
  async #trying(work: () => Promise<void>, open: Open): Promise<void> {
    const { log } = this.#options
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (this.#isStopped || this.#open.get(open.operation.id) !== open) return
        log.error({ error }, `operation ${open.operation.id} cannot go on; it is tried again`)
        await this.#options.wait(tryAgainMs)
      }
    }
  }

  get #foreignWrites(): number {
    return this.#options.registry.lastChange - this.#ownWrites
  }

  async #ended(
    open: Open,
    state: State,
    reason: string | null,
    outcomes: { first: number; outcomes: StoredOutcome[] } | null = null,
    counts = open.operation.counts,
  ): Promise<void> {
    const endedAt = this.#options.clock.wallMs()
    await this.#keepNow({ ...open.operation, state, reason, endedAt, counts }, outcomes)
    await this.#forget(open)
  }

  async #forget({ operation: { id } }: Open): Promise<void> {
    this.#open.delete(id)
    await this.#options.work.drop(id)
  }

  async #keep(operation: StoredBulk): Promise<void> {
    while (!(await this.#store(operation, null))) {
      if (this.#isStopped) throw unavailable()
      await this.#options.wait(tryAgainMs)
    }
  }

  /** Throws a problem when it cannot be stored now. */
  async #keepNow(
    operation: StoredBulk,
    outcomes: { first: number; outcomes: StoredOutcome[] } | null = null,
  ): Promise<void> {
    if (!(await this.#store(operation, outcomes))) throw unavailable()
  }

  async #store(
    operation: StoredBulk,
    outcomes: { first: number; outcomes: StoredOutcome[] } | null,
  ): Promise<boolean> {
    const isStored = await this.#options.engine.write((turn) =>
      turn.keepBulk(noWrites, { operation, outcomes }),
    )
    const open = this.#open.get(operation.id)
    if (isStored && open !== undefined) open.operation = operation
    return isStored
  }

  async #validation(known: Open | KnownOperation): Promise<KnownValidation> {
    const { work, store } = this.#options
    const { operation, uploaded } = known
    const state = operation.state as State
    const nothing = { operation, uploaded, foreseen: [], failed: [] }
    if (state === 'validating') return { ...nothing, isValid: null }
    const count = v2.limits.preflightItems
    if (state === 'rejected')
      return {
        ...nothing,
        isValid: false,
        failed: (await store.readOutcomes(operation.id, 0, count)).outcomes,
      }
    const foreseen = state === 'validated' ? await work.foresee(operation.id, count) : []
    const isAsked = operation.control !== null && !changesResources(operation.control.verb)
    // Revisions are of another kind than the versions of resources.
    return {
      ...nothing,
      isValid: true,
      foreseen: isAsked ? foreseen.map((item) => ({ ...item, oldChange: null })) : foreseen,
    }
  }

  async #touch(open: Open): Promise<void> {
    const { work, clock } = this.#options
    open.touchedAt = clock.wallMs()
    open.touchedMs = clock.monotonicMs()
    await work.touch(open.operation.id, open.touchedAt)
  }

  /** By the clock that says less: one of them may have been set, or have stood still. */
  #isIdle({ operation, touchedAt, touchedMs }: Open): boolean {
    const { clock } = this.#options
    if (!waitsForClient(operation.state as State)) return false
    const idle = clock.wallMs() - touchedAt
    return (touchedMs === null ? idle : Math.min(idle, clock.monotonicMs() - touchedMs)) > idleMs
  }

  async #expireIdle(): Promise<void> {
    for (const open of this.#open.values()) {
      if (!this.#isIdle(open)) continue
      // Tried again in a minute.
      await this.#ended(open, 'expired', idleReason).catch(() => {})
    }
  }

  #requireRoom(): void {
    if (this.#open.size >= openAtMost)
      throw new V2Problem(
        'tooBusy',
        `${openAtMost} operations are open already; activate or cancel one of them, or wait.`,
      )
  }

  async #uploading<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#uploads >= uploadsAtOnce)
      throw new V2Problem('tooBusy', 'Too many uploads are being worked on; try again in a moment.')
    this.#uploads++
    try {
      return await work()
    } finally {
      this.#uploads--
    }
  }
}

const tryAgainMs = 500
const notActivated = 'It was cancelled before it was activated; nothing was applied.'
const idleReason = `Nothing was done with the operation for ${v2.limits.stagingIdleHours} hours, so what was staged is gone; create another one.`

const newOperation = {
  activatedBy: null,
  endedAt: null,
  state: 'staging',
  control: null,
  settled: 0,
  counts: {},
  reason: null,
} as const

function isOpen(known: Open | KnownOperation): known is Open {
  return 'run' in known
}

function conflict(message: string): V2Problem {
  return new V2Problem('operationConflict', message)
}

function expired(message: string): V2Problem {
  return new V2Problem('operationExpired', message)
}

function unavailable(): V2Problem {
  return new V2Problem('unavailable', 'The operation could not be stored; nothing of this call was done.', {
    retryAfterSeconds: 1,
  })
}

function problemOf({ code, message, errors }: Refusal): V2Problem {
  return new V2Problem(code, message, { errors })
}
