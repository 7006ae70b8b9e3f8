// simulation/operations/operation-sender.ts: people who write and control many things at once: they open an
// operation, upload, validate, activate and poll it step by step, and continue with the next process when one
// dies. Sometimes they cancel. When the calm phase begins they finish what they have started.

import type { BulkOperations } from '@pulseward/server/internal/bulk/operations.ts'
import { V2Problem } from '@pulseward/server/internal/requests/v2-problem.ts'
import type { Random } from '../../random.ts'
import { service } from '../model/monitor-state.ts'
import type { Oracle } from '../oracle/oracle.ts'
import { type Kind, keyOf, sentOf, type Wanted } from '../writes/wanted.ts'
import { isCollection, type ManyVerb, type OperationRequest } from './operation-requests.ts'

const principals = ['ann', 'ben', 'cem']
const openAtMost = 4

type Call = 'create' | 'upload' | 'validate' | 'activate' | 'read' | 'cancel'

export interface OperatedProcess {
  /** Null if there are no operations of many items. */
  readonly operations: BulkOperations | null
  readonly isAlive: boolean
  readonly isStopping: boolean
  readonly isPaused: boolean
  readonly hasKeys: boolean
}

export interface OperationSenderOptions {
  readonly random: Random
  readonly oracle: Oracle
  readonly process: () => OperatedProcess | null
  readonly nextOperation: () => number
  /** A random wanted state of a resource of this kind. */
  readonly someWanted: (kind: Kind) => Wanted
  /** Whether they write routes, too. */
  readonly hasRoutes: boolean
}

interface Begun {
  readonly request: OperationRequest
  next: Call
  /** The operation was answered once, so it is known to exist. */
  isKnown: boolean
  isAsked: boolean
}

export class OperationSender {
  readonly #options: OperationSenderOptions
  #begun: Begun[] = []

  constructor(options: OperationSenderOptions) {
    this.#options = options
  }

  /** The next step of one operation, or a new one. */
  act(): void {
    const { random } = this.#options
    if (this.#begun.length < openAtMost && random.chance(0.3)) this.#begin()
    const waiting = this.#begun.filter(({ isAsked }) => !isAsked)
    if (waiting.length === 0) return
    const begun = random.pick(waiting)
    this.#call(begun, begun.isKnown && random.chance(0.06) ? 'cancel' : begun.next)
  }

  settle(): void {
    const waiting = this.#begun.find(({ isAsked }) => !isAsked)
    if (waiting === undefined) return
    const isActive = waiting.next === 'read' || waiting.next === 'create'
    this.#call(waiting, isActive ? waiting.next : 'cancel')
    // A failing operation is not retried for ever.
    this.#begun = [...this.#begun.filter((one) => one !== waiting), waiting]
  }

  #begin(): void {
    const { random, nextOperation } = this.#options
    const author = { number: nextOperation(), principal: random.pick(principals) }
    const request = random.chance(0.6) ? { ...author, items: this.#someItems() } : this.#someControl(author)
    this.#begun.push({ request, next: 'create', isKnown: false, isAsked: false })
  }

  #someItems(): ReadonlyMap<string, Wanted> {
    const { random, someWanted, hasRoutes } = this.#options
    const items = new Map<string, Wanted>()
    const wanted = Array.from({ length: random.whole(1, 6) }, () =>
      someWanted(
        random.weighted<Kind>({
          Monitor: 6,
          NotificationEndpoint: 2,
          NotificationGroup: 1.5,
          Credential: 3,
          Route: hasRoutes ? 2 : 0,
        }),
      ),
    )
    for (const one of wanted) items.set(`item ${keyOf(one)}`, one)
    return items
  }

  #someControl(author: { readonly number: number; readonly principal: string }): OperationRequest {
    const { random, oracle } = this.#options
    const verb = random.pick<ManyVerb>(['acknowledge', 'dismiss', 'reopen', 'snooze', 'unsnooze', 'recover'])
    const monitors = [...oracle.known.model.monitors()].flatMap(({ plan, isRemoved }) =>
      isRemoved || plan.id === service ? [] : [plan.id],
    )
    const some = monitors.filter(() => random.chance(0.3))
    const ids = some.length > 0 && random.chance(0.7) ? some : null
    return { ...author, verb, reason: `because ${author.number}`, ids }
  }

  #call(begun: Begun, call: Call): void {
    const { process, oracle } = this.#options
    const asked = process()
    const operations = asked?.operations ?? null
    if (asked === null || operations === null) return
    const { request } = begun
    begun.isAsked = true
    oracle.operationCalled(request, call)
    // A crash loses the answer, and the person asks again.
    const answered = (answer: () => void) => {
      begun.isAsked = false
      if (asked.isAlive) answer()
    }
    this.#ask(operations, request, call).then(
      (next) =>
        answered(() => {
          begun.isKnown = true
          oracle.operationAnswered(request, call)
          this.#goOn(begun, next)
        }),
      (error: unknown) =>
        answered(() => {
          const { isPaused, isStopping, hasKeys } = asked
          oracle.operationRefused(request, call, error, isPaused || isStopping || !hasKeys)
          this.#refused(begun, call, error)
        }),
    )
    if (begun.next === 'create') begun.next = nextAfterCreate(request)
  }

  /** The process is gone, and every pending answer with it. */
  processEnded(): void {
    for (const begun of this.#begun) begun.isAsked = false
  }

  /** Returns the next call; null if the operation has ended. */
  async #ask(operations: BulkOperations, request: OperationRequest, call: Call): Promise<Call | null> {
    const { number, principal } = request
    switch (call) {
      case 'create':
        await this.#create(operations, request)
        return nextAfterCreate(request)
      case 'upload':
        await operations.upload(number, 'application/json', uploadOf(request))
        return 'validate'
      case 'validate': {
        const { isValid } = await operations.validate(number)
        if (isValid === null) return 'validate'
        return isValid ? 'activate' : null
      }
      case 'activate': {
        await operations.activate(number, principal)
        return 'read'
      }
      case 'cancel':
        await operations.cancel(number)
        return 'read'
      case 'read': {
        const { operation } = await operations.read(number)
        return operation.endedAt === null ? 'read' : null
      }
    }
  }

  async #create(operations: BulkOperations, request: OperationRequest): Promise<void> {
    const { number, principal } = request
    if (isCollection(request))
      await operations.create(number, principal, {
        contentDigest: `collection ${number}`,
        itemCount: request.items.size,
      })
    else {
      const { verb, reason, ids } = request
      const chosen = ids === null ? { selector: '' } : { ids: [...ids] }
      const words = verb === 'snooze' ? { duration: '5m' } : {}
      await operations.createControl(number, principal, { control: { verb, reason, ...chosen, ...words } })
    }
  }

  #goOn(begun: Begun, next: Call | null): void {
    if (next === null) this.#begun = this.#begun.filter((one) => one !== begun)
    else begun.next = next
  }

  #refused(begun: Begun, call: Call, error: unknown): void {
    const code = error instanceof V2Problem ? error.code : null
    const isOver = code === 'operationExpired' || code === 'invalidResource'
    if (isOver || (code === 'operationConflict' && call !== 'cancel')) this.#goOn(begun, null)
    // An operation that has ended meanwhile is only read.
    else if (code === 'operationConflict') begun.next = 'read'
    else if (call === 'create') this.#goOn(begun, null)
  }
}

function nextAfterCreate(request: OperationRequest): Call {
  return isCollection(request) ? 'upload' : 'activate'
}

function uploadOf(request: OperationRequest): Uint8Array {
  const items = isCollection(request) ? [...request.items] : []
  const sent = items.map(([id, wanted]) => ({
    id,
    contentDigest: `content of ${id}`,
    source: 'fleet.yaml',
    resource: { apiVersion: 'pulseward/v2', kind: wanted.kind, ...sentOf(wanted) },
  }))
  return Buffer.from(JSON.stringify({ items: sent }))
}
