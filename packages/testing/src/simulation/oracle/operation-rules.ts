// simulation/oracle/operation-rules.ts: what must hold of operations of many items. Each item gets its
// outcome once, in the order of dependencies, on the version that existed when the collection was validated.
// An operation that was answered exists after every restart and ends. Cancelling stops what remains and
// undoes nothing; an invalid collection changes nothing.
import { V2Problem } from '@pulseward/server/internal/requests/v2-problem.ts'
import type { BulkWrite, StoredBulk } from '@pulseward/server/internal/store/bulk.ts'
import { type CommitBatch, StoreError } from '@pulseward/server/internal/store/store.ts'
import { isCollection, type OperationRequest } from '../operations/operation-requests.ts'
import { count, type Tally } from '../tally.ts'
import type { WriteRequest } from '../writes/requests.ts'
import { keyOf, referencesOf, type Wanted } from '../writes/wanted.ts'
import type { ControlRules } from './control-rules.ts'
import type { Findings } from './findings.ts'
import { isAsked } from './model-controls.ts'
import type { ResourceModel } from './resource-model.ts'

const nextStates: Readonly<Record<string, readonly string[]>> = {
  none: ['staging', 'validated'],
  staging: ['validating', 'cancelled', 'expired'],
  validating: ['validated', 'rejected', 'cancelled'],
  validated: ['applying', 'cancelled', 'expired'],
  applying: ['applying', 'completed', 'partial', 'failed', 'cancelled'],
  cancelled: ['cancelled'],
  partial: ['partial'],
  failed: ['failed'],
}

interface Operation {
  readonly state: string
  readonly settled: number
  readonly hasEnded: boolean
}

interface Decided {
  readonly batch: CommitBatch
  readonly number: number
  readonly operation: Operation
  readonly outcomes: readonly string[]
}

interface Known {
  readonly request: OperationRequest
  /** Versions that its items had while it was validated, by the key of the resource. */
  readonly seen: Map<string, Set<number | null>>
  isCreated: boolean
  isActivated: boolean
}

export interface OperationRulesOptions {
  readonly findings: Findings
  readonly tally: Tally
  readonly resources: ResourceModel
  readonly controls: ControlRules
}

export class OperationRules {
  readonly #options: OperationRulesOptions
  readonly #known = new Map<number, Known>()
  /** Requested, and without an end on disk. */
  readonly #unfinished = new Set<number>()
  readonly #durable = new Map<number, Operation>()
  /** Items with an outcome on disk, by operation. */
  readonly #outcomes = new Map<number, Set<string>>()
  #pending: Decided[] = []

  constructor(options: OperationRulesOptions) {
    this.#options = options
  }

  called(request: OperationRequest, call: string): void {
    if (call === 'create') {
      this.#known.set(request.number, { request, seen: new Map(), isCreated: false, isActivated: false })
      this.#unfinished.add(request.number)
    }
    if (call === 'validate') this.#noteVersions(request.number)
  }

  answered({ number }: OperationRequest, call: string): void {
    count(this.#options.tally.operations, call)
    const known = this.#known.get(number)
    if (known === undefined) return
    if (call === 'create') known.isCreated = true
    if (call === 'activate') known.isActivated = true
    if (call === 'create' && !this.#durable.has(number))
      this.#note('operations are answered after the commit', `operation ${number} is not on disk`)
  }

  refused({ number }: OperationRequest, call: string, error: unknown, mayBeUnavailable: boolean): void {
    // Over HTTP the answer is "unavailable".
    if (error instanceof StoreError && error.recovers && mayBeUnavailable) return
    if (!(error instanceof V2Problem))
      return this.#note('the service goes on', `${call} of operation ${number}: ${(error as Error).stack}`)
    count(this.#options.tally.operations, error.code)
    const isThere = this.#known.get(number)?.isCreated === true
    if (error.code === 'unavailable' && !mayBeUnavailable)
      this.#note('refused operations', `${call} of operation ${number} is unavailable without a reason`)
    if (error.code === 'operationExpired' && isThere)
      this.#note('operations are kept', `operation ${number} was answered, and is gone: ${error.message}`)
    const state = this.#decided(number)?.state ?? 'none'
    const isConflict = error.code === 'operationConflict' && call === 'activate'
    if (isConflict && (state === 'validated' || state === 'applying'))
      this.#note('refused operations', `operation ${number} is ${state}, and cannot be activated`)
  }

  /** Called before its effects on resources and monitors are checked. */
  handedOver(batch: CommitBatch): void {
    for (const write of batch.bulk) this.#decide(batch, write)
  }

  /** What a client requested for a resource that an operation writes; null if no client did. */
  requestFor(batch: CommitBatch, kind: string, id: string): WriteRequest | null {
    for (const { operation } of batch.bulk) {
      const request = this.#known.get(operation.id)?.request
      if (request === undefined || !isCollection(request)) continue
      const wanted = [...request.items.values()].find((one) => one.kind === kind && one.id === id)
      if (wanted === undefined) continue
      const before = this.#options.resources.decided(keyOf(wanted))
      return {
        operation: operation.id,
        principal: operation.activatedBy ?? operation.principal,
        verb: before === undefined ? 'create' : 'replace',
        kind: wanted.kind,
        id,
        version: before?.change ?? null,
        wanted,
      }
    }
    return null
  }

  written(batch: CommitBatch): void {
    for (const { number, operation, outcomes } of this.#pending.filter((one) => one.batch === batch)) {
      this.#durable.set(number, operation)
      if (operation.hasEnded) this.#unfinished.delete(number)
      const settled = this.#outcomes.get(number) ?? new Set()
      for (const id of outcomes) settled.add(id)
      this.#outcomes.set(number, settled)
    }
    this.withdrawn(batch)
    for (const number of this.#unfinished)
      if (this.#decided(number)?.state === 'validating') this.#noteVersions(number)
  }

  withdrawn(batch: CommitBatch): void {
    this.#pending = this.#pending.filter((one) => one.batch !== batch)
  }

  processEnded(): void {
    this.#pending = []
  }

  /** Called long after everything has recovered. */
  ended(): void {
    for (const [number, { isActivated }] of this.#known) {
      const operation = this.#durable.get(number)
      if (isActivated && operation?.hasEnded !== true)
        this.#note('operations end', `operation ${number} is ${operation?.state} with ${operation?.settled}`)
    }
  }

  #decide(batch: CommitBatch, { operation, outcomes }: BulkWrite): void {
    const { id: number, state, settled, endedAt } = operation
    const known = this.#known.get(number)
    if (known === undefined) return this.#note('answers', `nobody has asked for operation ${number}`)
    const before = this.#decided(number)
    const [from, settledBefore] = [before?.state ?? 'none', before?.settled ?? 0]
    if (!nextStates[from]?.includes(state))
      this.#note('states of operations', `operation ${number} was ${from} and becomes ${state}`)
    if (state === 'validated') this.#noteVersions(number)
    const ids = state === 'rejected' ? [] : (outcomes?.outcomes ?? []).map(({ id }) => id)
    if (ids.length > 0 && outcomes?.first !== settledBefore)
      this.#note('each item once', `operation ${number} goes on at ${outcomes?.first} after ${settledBefore}`)
    for (const id of ids)
      if (this.#hasOutcome(number, id))
        this.#note('each item once', `${id} of operation ${number} is applied again`)
    if (settled !== settledBefore + ids.length)
      this.#note('each item once', `operation ${number} has ${settled} outcomes after ${settledBefore}`)
    if (endedAt !== null && state !== 'rejected' && state !== 'expired') this.#judgeEnd(operation, from)
    this.#judgeChanges(batch, { operation, outcomes }, known)
    const hasEnded = endedAt !== null
    this.#pending.push({ batch, number, operation: { state, settled, hasEnded }, outcomes: ids })
  }

  /** If it was cancelled before it was activated, its items have no outcomes. */
  #judgeEnd({ id, settled, itemCount }: StoredBulk, from: string): void {
    const isUnbegun = from !== 'applying' && from !== 'cancelled'
    if (settled !== itemCount && !isUnbegun)
      this.#note('operations end', `operation ${id} ends with ${settled} of ${itemCount} outcomes`)
  }

  #judgeChanges(batch: CommitBatch, { operation, outcomes }: BulkWrite, { request, seen }: Known): void {
    const { id: number, state } = operation
    const made = (outcomes?.outcomes ?? []).filter(
      ({ outcome }) => outcome === 'created' || outcome === 'updated',
    )
    const asked = batch.events.filter(({ type }) => isAsked(type))
    if (state !== 'applying' && batch.resources.length + asked.length > 0)
      this.#note(
        'cancel and rejection change nothing',
        `operation ${number} is ${state}, and changes something`,
      )
    if (!isCollection(request)) {
      const monitors = asked.map(({ monitorId }) => monitorId)
      if (made.map(({ id }) => id).join() !== monitors.join())
        this.#note(
          'each item once',
          `operation ${number} says ${made.length} items and asks ${monitors.join()}`,
        )
      for (const event of asked) this.#options.controls.askedOfMany(event, operation)
      return
    }
    const keys = made.flatMap(({ id }) => {
      const wanted = request.items.get(id)
      return wanted === undefined ? [] : [keyOf(wanted)]
    })
    const written = batch.resources.map(({ kind, id }) => `${kind} ${id}`)
    if (keys.join() !== written.join())
      this.#note('each item once', `operation ${number} says ${keys.join()} and writes ${written.join()}`)
    const settled = new Set((outcomes?.outcomes ?? []).map(({ id }) => id))
    for (const { id } of made) this.#judgeItem(number, request.items.get(id), { seen, settled })
  }

  #judgeItem(
    number: number,
    wanted: Wanted | undefined,
    { seen, settled }: Pick<Known, 'seen'> & { readonly settled: ReadonlySet<string> },
  ): void {
    if (wanted === undefined) return
    const key = keyOf(wanted)
    const present = this.#options.resources.decided(key)?.change ?? null
    if (seen.get(key)?.has(present) !== true)
      this.#note(
        'operations compare and swap',
        `operation ${number} writes ${key}, which changed since validation`,
      )
    const request = this.#known.get(number)?.request
    if (request === undefined || !isCollection(request)) return
    for (const reference of referencesOf(wanted)) {
      const itemId = `item ${reference}`
      const isLater = request.items.has(itemId) && !settled.has(itemId) && !this.#hasOutcome(number, itemId)
      if (isLater && reference !== key)
        this.#note('operations in order', `operation ${number} writes ${key} before ${reference}`)
    }
  }

  #noteVersions(number: number): void {
    const known = this.#known.get(number)
    if (known === undefined || !isCollection(known.request)) return
    for (const wanted of known.request.items.values()) {
      const key = keyOf(wanted)
      const versions = known.seen.get(key) ?? new Set()
      versions.add(this.#options.resources.durable.get(key)?.change ?? null)
      known.seen.set(key, versions)
    }
  }

  #hasOutcome(number: number, itemId: string): boolean {
    const isPending = this.#pending.some((one) => one.number === number && one.outcomes.includes(itemId))
    return isPending || this.#outcomes.get(number)?.has(itemId) === true
  }

  #decided(number: number): Operation | undefined {
    return this.#pending.findLast((one) => one.number === number)?.operation ?? this.#durable.get(number)
  }

  #note(rule: string, words: string): void {
    this.#options.findings.note(rule, words)
  }
}
