// controls/control-desk.ts: where people control an incident, a monitor or an action. A control is one turn
// of the engine: it is decided on the state that earlier turns left, committed together with its event and
// its operation, and only then answered. The actor comes from the credential, never from the request.
import { isUnknown, type ReviewResolution, reviewRevisionOf } from '../deciding/actions/action.ts'
import {
  type Control,
  type ControlRefusalCode,
  type ControlResult,
  type IncidentControl,
  refuse,
  stale,
} from '../deciding/control.ts'
import type { Asked } from '../deciding/health/input.ts'
import type { Engine } from '../engine/engine.ts'
import type { StoredOperation } from '../store/resource.ts'
import type { Store } from '../store/store.ts'
import { type RevisedKind, revisionIn, revisionText } from './revision-text.ts'

/** Why a control was not carried out. Only after `uncertain` may it have taken effect, or still do so. */
export class ControlError extends Error {
  readonly code: ControlRefusalCode | 'unavailable' | 'uncertain'
  readonly retryAfterMs: number | null

  constructor(code: ControlError['code'], message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'ControlError'
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** The caller, and the operation that records the control. */
export interface ControlAuthor {
  readonly principal: string
  readonly operation: number
}

/** The members that all controls have. */
export interface ControlWords {
  /** As the client sent it. */
  readonly revision: string
  readonly reason: string | null
  readonly note: string | null
}

export type MonitorRequest =
  | { readonly verb: 'snooze'; readonly forMs: number }
  | { readonly verb: 'unsnooze' }
  | { readonly verb: 'recover'; readonly incidentId: string | null }

export interface ReviewRequest {
  readonly resolution: ReviewResolution
  readonly evidenceRefs: readonly string[]
}

export interface ControlDeskOptions {
  readonly engine: Pick<Engine, 'request' | 'applyControl'>
  readonly store: Pick<Store, 'readIncident' | 'readAction' | 'readExecution'>
  /** Deadlines that people give are wall clock times. */
  readonly wallMs: () => number
  /** Whether an external worker may still be carrying out an action that ended as unknown; if absent, none is. */
  readonly mayStillRun?: (actionId: string) => boolean
}

interface Subject {
  readonly kind: RevisedKind
  readonly id: string
}

const noSuchIncident = 'There is no open incident with this id, nor one that is still kept.'

const unfenced = refuse(
  'executorUnfenced',
  'Its worker may still be carrying it out. Review it when the worker has reported, or in a minute.',
)

const contradicted = refuse(
  'evidenceConflict',
  'Its worker has reported otherwise since. Review it as the worker says, or as inconclusive.',
)

export class ControlDesk {
  readonly #options: ControlDeskOptions

  constructor(options: ControlDeskOptions) {
    this.#options = options
  }

  /** Acknowledges, dismisses or reopens an incident. */
  async handle(
    verb: IncidentControl['verb'],
    incidentId: string,
    words: ControlWords,
    by: ControlAuthor,
  ): Promise<StoredOperation> {
    const incident = await this.#options.store.readIncident(incidentId)
    if (incident === null) throw new ControlError('notFound', noSuchIncident)
    const subject = { kind: 'Incident', id: incidentId } as const
    const revision = revisionOf(words, subject)
    const { monitorId, closed, handling } = incident
    // A closed incident has no state for a turn to decide on.
    if (closed !== null && revision !== handling.revision) throw errorOf(stale)
    if (closed !== null) throw errorOf(refuse('incidentNotActive', 'The incident is closed.'))
    const asked = askedBy(by, words)
    return this.#carryOut({ verb, monitorId, incidentId, revision, asked }, subject, by)
  }

  /** Adds a note to the record of an incident, open or closed. */
  async note(incidentId: string, text: string, by: ControlAuthor): Promise<StoredOperation> {
    const incident = await this.#options.store.readIncident(incidentId)
    if (incident === null) throw new ControlError('notFound', noSuchIncident)
    const { monitorId, handling } = incident
    const asked = { actor: by.principal, reason: null, note: text }
    const control = { verb: 'note', monitorId, incidentId, revision: handling.revision, asked } as const
    return this.#carryOut(control, { kind: 'Incident', id: incidentId }, by)
  }

  async monitor(
    monitorId: string,
    request: MonitorRequest,
    words: ControlWords,
    by: ControlAuthor,
  ): Promise<StoredOperation> {
    const subject = { kind: 'Monitor', id: monitorId } as const
    const base = { monitorId, revision: revisionOf(words, subject), asked: askedBy(by, words) }
    if (request.verb !== 'snooze') return this.#carryOut({ ...base, ...request }, subject, by)
    const untilWallMs = Math.round(this.#options.wallMs()) + request.forMs
    return this.#carryOut({ ...base, verb: 'snooze', untilWallMs }, subject, by)
  }

  async review(
    actionId: string,
    request: ReviewRequest,
    words: ControlWords,
    by: ControlAuthor,
  ): Promise<StoredOperation> {
    const action = await this.#options.store.readAction(actionId)
    if (action === null)
      throw new ControlError('notFound', 'There is no action with this id, or it is no longer kept.')
    const subject = { kind: 'Action', id: actionId } as const
    const revision = revisionOf(words, subject)
    // The ledger keeps only actions with an unknown outcome in memory.
    if (!isUnknown(action) && revision !== reviewRevisionOf(action)) throw errorOf(stale)
    if (request.resolution !== 'inconclusive' && this.#options.mayStillRun?.(actionId))
      throw errorOf(unfenced)
    if (await this.#isContradicted(actionId, request)) throw errorOf(contradicted)
    const control = { verb: 'review', actionId, revision, asked: askedBy(by, words), ...request } as const
    return this.#carryOut(control, subject, by)
  }

  /** Whether the worker of the action has reported otherwise, after its deadline. */
  async #isContradicted(actionId: string, { resolution }: ReviewRequest): Promise<boolean> {
    if (resolution === 'inconclusive') return false
    const { late = [] } = (await this.#options.store.readExecution(actionId)) ?? {}
    const reported = late.findLast(({ status }) => status !== null && status !== 'unknown')?.status ?? null
    return reported !== null && (reported === 'rejected') !== (resolution === 'rejected')
  }

  async #carryOut(control: Control, subject: Subject, by: ControlAuthor): Promise<StoredOperation> {
    const { engine } = this.#options
    const made: { result?: ControlResult; operation?: StoredOperation } = {}
    const end = await engine.request('told', (turn) => {
      const result = engine.applyControl(turn, control)
      made.result = result
      if (!result.done) return
      made.operation = operationOf(control, result, subject, by, turn.now)
      turn.keep(made.operation)
    })
    const { result, operation } = made
    if (result?.done === false) throw errorOf(result.refusal)
    if (operation === undefined)
      throw new ControlError(
        'unavailable',
        'Nothing can be stored now, and nothing was done. Try again later.',
      )
    if (end !== 'stored')
      throw new ControlError(
        'uncertain',
        'It was decided, and writing failed before it was stored. Read the subject again before you repeat it.',
      )
    return operation
  }
}

/** A text that is not a revision of the subject becomes 0, which no subject has. */
function revisionOf({ revision }: ControlWords, { kind, id }: Subject): number {
  return revisionIn(revision, kind, id) ?? 0
}

function askedBy({ principal }: ControlAuthor, { reason, note }: ControlWords): Asked {
  return { actor: principal, reason, note }
}

function errorOf({ code, message, retryAfterMs }: ReturnType<typeof refuse>): ControlError {
  return new ControlError(code, message, retryAfterMs ?? null)
}

/** The record that a control leaves; a bulk operation writes its own. */
function operationOf(
  { verb }: Control,
  { before, after }: Extract<ControlResult, { done: true }>,
  { kind, id }: Subject,
  { principal, operation }: ControlAuthor,
  at: number,
): StoredOperation {
  const versions = {
    oldVersion: revisionText(kind, id, before),
    newVersion: revisionText(kind, id, after),
  }
  return {
    id: operation,
    at,
    principal,
    state: 'completed',
    write: { verb, kind, id, ...versions },
    outcome: 'updated',
    reason: null,
  }
}
