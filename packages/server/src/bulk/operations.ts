// bulk/operations.ts: the calls of bulk operations: open, upload, validate, activate, cancel and read.
// operation-state.ts defines what each call does in each state. The store has the record of an operation and
// what was applied; staged items are kept separately.
import { v2 } from '@pulseward/contract'
import { changesResources, requireWords } from '../controls/control-verbs.ts'
import { freezeControl } from '../controls/freeze-enabled.ts'
import { freezeRevisions, type RevisionsOptions } from '../controls/freeze-revisions.ts'
import { KeyedLock } from '../managing/keyed-lock.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import type { BulkQuery, StoredBulk, StoredOutcome } from '../store/bulk.ts'
import { isOpen, type KnownOperation, type OpenOperation, OpenOperations } from './open-operations.ts'
import { OperationPlaces } from './operation-places.ts'
import { type Call, reactionTo, type State } from './operation-state.ts'
import { OperationSteps, type OperationStepsOptions } from './operation-steps.ts'
import { lossOf } from './staging-loss.ts'
import type { Foreseen, Preflighted, Refusal } from './work.ts'

export interface BulkOperationsOptions extends OperationStepsOptions, RevisionsOptions {
  /** The last committed change. */
  readonly lastChange: () => number
  /** The name of the store and its epoch. */
  readonly storeName: string
}

export interface KnownValidation extends KnownOperation {
  /** Null while validation runs. */
  readonly isValid: boolean | null
  readonly foreseen: readonly Foreseen[]
  readonly failed: readonly StoredOutcome[]
}

export interface KnownOperationPage {
  readonly operations: readonly KnownOperation[]
  readonly more: boolean
}

const uploadsAtOnce = 16
const lookEveryMs = 60_000
/** Small operations are done by then, and need no polling. */
const answerWithinMs = 300
/** The chunk being written is finished by then, unless the disk fails. */
const cancelledWithinMs = 5_000

export class BulkOperations implements AsyncDisposable {
  readonly #options: BulkOperationsOptions
  readonly #open: OpenOperations
  readonly #places: OperationPlaces
  readonly #steps: OperationSteps
  /** Serializes calls that change the state of an operation. */
  readonly #calls = new KeyedLock()
  readonly #started = Promise.withResolvers<void>()
  #uploads = 0
  #timer: NodeJS.Timeout | null = null

  constructor(options: BulkOperationsOptions) {
    this.#options = options
    this.#open = new OpenOperations(options)
    this.#places = new OperationPlaces(this.#open, this.#calls)
    this.#steps = new OperationSteps(options, this.#open, this.#calls)
    this.#started.promise.catch(() => {})
  }

  /** Continues what the previous process left. */
  start(): void {
    this.#timer = setInterval(() => void this.#places.expireIdle(), lookEveryMs).unref()
    this.#steps.takeUp().then(this.#started.resolve, (error) => {
      this.#options.log.error({ error }, 'operations that the previous process left cannot be read')
      this.#started.reject(error)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#open.stop()
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
    using _ = await this.#places.take(principal)
    const { work, clock, storeName } = this.#options
    const touchedAt = clock.wallMs()
    const operation: StoredBulk = {
      ...newOperation,
      id: number,
      principal,
      openedAt: touchedAt,
      contentDigest,
      itemCount,
    }
    // Before its record: a file without a record is removed at the next start.
    await work.create({ number, store: storeName, itemCount, contentDigest, touchedAt })
    const open = this.#open.add(operation, { uploaded: 0, touchedAt })
    try {
      await this.#open.keepNow(operation)
    } catch (error) {
      await this.#open.forget(number)
      throw error
    }
    return open
  }

  /** A bulk control starts as validated: its subjects are frozen. */
  async createControl(
    number: number,
    principal: string,
    { control }: v2.ControlOperation,
  ): Promise<KnownOperation> {
    requireWords(control)
    await this.#started.promise
    using _ = await this.#places.take(principal)
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
        openedAt: touchedAt,
        state: 'validated',
        contentDigest: null,
        itemCount,
        control: { verb, reason, note, duration },
      }
      const open = this.#open.add(operation, { uploaded: itemCount, touchedAt })
      await this.#open.keepNow(operation)
      return open
    } catch (error) {
      await this.#open.forget(number)
      throw error
    }
  }

  /** Returns the number of items. */
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
    const open = await this.#openFor('upload', number)
    const now = this.#open.called(open)
    const { work } = this.#options
    const answer = await this.#uploading(() =>
      this.#staged(open, () => work.upload(number, contentType, bytes, now)),
    )
    if ('refusal' in answer) throw problemOf(answer.refusal)
    open.uploaded = answer.uploaded
    return open
  }

  async validate(number: number): Promise<KnownValidation> {
    const known = await this.#inTurn(number, async (open) => {
      if (this.#reactionTo('validate', open.operation) === null || !isOpen(open)) return open
      const problem = await this.#options.work.incomplete(number)
      if (problem !== null) throw conflict(problem)
      await this.#open.touch(open)
      await this.#open.keepNow({ ...open.operation, state: 'validating' })
      this.#steps.validate(open)
      return open
    })
    if (isOpen(known) && known.operation.state === 'validating') await this.#soon(known.doing)
    return await this.#validation(await this.#known(number))
  }

  async activate(number: number, principal: string): Promise<KnownOperation> {
    const known = await this.#inTurn(number, async (open) => {
      if (this.#reactionTo('activate', open.operation) === null || !isOpen(open)) return open
      await this.#open.touch(open)
      await this.#open.keepNow({ ...open.operation, state: 'applying', activatedBy: principal })
      this.#steps.apply(open)
      return open
    })
    if (isOpen(known)) await this.#soon(known.doing)
    return await this.#known(number)
  }

  async cancel(number: number): Promise<KnownOperation> {
    await this.#inTurn(number, async (open) => {
      if (this.#reactionTo('cancel', open.operation) === null || !isOpen(open)) return
      if (open.run === null) await this.#open.end(open, 'cancelled', notActivated)
      else {
        open.run.cancel()
        await this.#soon(open.doing, cancelledWithinMs)
      }
    })
    return await this.#known(number)
  }

  /** Waits a while, or until it is done. */
  async #soon(doing: Promise<void> | null, withinMs = answerWithinMs): Promise<void> {
    await Promise.race([doing, this.#options.wait(withinMs)])
  }

  async #inTurn<Result>(
    number: number,
    work: (known: OpenOperation | KnownOperation) => Promise<Result>,
  ): Promise<Result> {
    using _ = await this.#calls.take(String(number))
    const known = await this.#known(number)
    return isOpen(known) ? await this.#staged(known, () => work(known)) : await work(known)
  }

  /** If the staged items are lost, the operation ends, and the caller is told how. */
  async #staged<Result>(open: OpenOperation, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const loss = lossOf(error)
      if (loss === null) throw error
      if (this.#open.has(open)) await this.#steps.lose(open, loss)
      const { reason } = (await this.#known(open.operation.id)).operation
      throw conflict(`The operation has ended: ${reason ?? 'it was dropped.'}`)
    }
  }

  read(number: number): Promise<KnownOperation> {
    return this.#known(number)
  }

  /** Newest first, including expired ones: people want to know what became of them. */
  async list(query: Omit<BulkQuery, 'endedAfter'>): Promise<KnownOperationPage> {
    await this.#started.promise
    await this.#places.expireIdle()
    const { store, clock } = this.#options
    const endedAfter = clock.wallMs() - v2.limits.operationRetentionDays * 86_400_000
    const { operations, more } = await store.listBulk({ ...query, endedAfter })
    return { operations: operations.map((operation) => this.#open.known(operation)), more }
  }

  async #known(number: number): Promise<OpenOperation | KnownOperation> {
    await this.#started.promise
    return await this.#open.find(number)
  }

  async #openFor(call: Call, number: number): Promise<OpenOperation> {
    const known = await this.#known(number)
    this.#reactionTo(call, known.operation)
    if (!isOpen(known)) throw new Error(`operation ${number} has ended in a state in which it takes calls`)
    return known
  }

  /** Throws a problem if the state refuses the call; null if there is nothing to do. */
  #reactionTo(call: Call, { state }: StoredBulk): State | null {
    const reaction = reactionTo(call, state as State)
    if (reaction.to !== null) return reaction.to
    if (reaction.refusal !== null) throw conflict(reaction.refusal)
    return null
  }

  async #validation(known: OpenOperation | KnownOperation): Promise<KnownValidation> {
    const { work, store } = this.#options
    const { operation, uploaded, updatedAt } = known
    const state = operation.state as State
    const nothing = { operation, uploaded, updatedAt, foreseen: [], failed: [] }
    if (state === 'validating') return { ...nothing, isValid: null }
    const count = v2.limits.preflightItems
    const isUnvalidated = state === 'failed' && operation.activatedBy === null
    if (state === 'rejected' || isUnvalidated)
      return {
        ...nothing,
        isValid: false,
        failed: (await store.readOutcomes(operation.id, 0, count)).outcomes,
      }
    const foresee = () => work.foresee(operation.id, count)
    const foreseen = state === 'validated' && isOpen(known) ? await this.#staged(known, foresee) : []
    const isAsked = operation.control !== null && !changesResources(operation.control.verb)
    // Revisions are not comparable with versions of resources.
    return {
      ...nothing,
      isValid: true,
      foreseen: isAsked ? foreseen.map((item) => ({ ...item, oldChange: null })) : foreseen,
    }
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

const notActivated = 'It was cancelled before it was activated; nothing was applied.'
const newOperation = {
  activatedBy: null,
  endedAt: null,
  state: 'staging',
  control: null,
  settled: 0,
  counts: {},
  reason: null,
} as const

function conflict(message: string): V2Problem {
  return new V2Problem('operationConflict', message)
}

function problemOf({ code, message, errors }: Refusal): V2Problem {
  return new V2Problem(code, message, { errors })
}
