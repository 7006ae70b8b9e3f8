// simulation/oracle/model-action-rules.ts: compares the actions that the service starts and ends, and the digests that it
// queues, with the model. The service chooses when to start an action; the model follows, and checks that it was allowed.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { ModelAction } from '../model/monitor-state.ts'
import { service } from '../model/monitor-state.ts'
import type { Ending } from '../model/on-call/escalation-model.ts'
import { type ModelReason, reason } from '../model/reason.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import type { Expectations } from './expectations.ts'
import type { Findings } from './findings.ts'
import { isForDigest, ratesOf } from './liveness-rules.ts'
import type { MessageRules } from './message-rules.ts'
import type { Identities } from './model-identities.ts'
import { reasonDifference, reasons } from './reason-rules.ts'
import type { Scene } from './scene.ts'

const givenUpWaitMs = 300_000

const endings: Readonly<Record<ActionOutcome['kind'], string>> = {
  accepted: 'action_succeeded',
  rejected: 'action_failed',
  retry: 'action_failed',
  'not-sent': 'action_failed',
  gone: 'action_failed',
  unknown: 'action_unknown',
}

const answers = {
  rejected: 'rejected',
  retry: 'retry',
  'not-sent': 'not_sent',
  gone: 'gone',
  unknown: 'lost',
} as const

/** What an answer means for the page of its notification; null if it is tried again. */
const pageEndings: Readonly<Record<ActionOutcome['kind'], Ending | null>> = {
  accepted: 'delivered',
  rejected: 'failed',
  gone: 'failed',
  unknown: 'unknown',
  retry: null,
  'not-sent': null,
}

export interface ModelActionRulesOptions {
  readonly scene: Scene
  readonly model: ReferenceModel
  readonly ids: Identities
  readonly expectations: Expectations
  readonly messages: MessageRules
  readonly findings: Findings
  readonly cooldownMs: number
  /** A notification of a page is not tried again. */
  readonly pageEnded: (action: ModelAction, how: Ending) => void
}

export class ModelActionRules {
  readonly #scene: Scene
  readonly #model: ReferenceModel
  readonly #ids: Identities
  readonly #expectations: Expectations
  readonly #messages: MessageRules
  readonly #findings: Findings
  readonly #cooldownMs: number
  readonly #pageEnded: ModelActionRulesOptions['pageEnded']
  readonly #answers = new Map<string, ActionOutcome>()
  /** Actions whose provider was called in this process. */
  readonly #called = new Set<string>()

  constructor(options: ModelActionRulesOptions) {
    this.#scene = options.scene
    this.#model = options.model
    this.#ids = options.ids
    this.#expectations = options.expectations
    this.#messages = options.messages
    this.#findings = options.findings
    this.#cooldownMs = options.cooldownMs
    this.#pageEnded = options.pageEnded
  }

  processStarted(): void {
    this.#answers.clear()
    this.#called.clear()
  }

  called(actionId: string): void {
    this.#called.add(actionId)
  }

  answered(actionId: string, answer: ActionOutcome): void {
    this.#answers.set(actionId, answer)
  }

  openAction(monitorId: string, actionId: string): ModelAction | null {
    const key = this.#ids.actionKey(actionId)
    return this.#model.monitor(monitorId)?.actions.find((one) => one.key === key) ?? null
  }

  started({ monitorId: named, actionId, at }: StoredEvent): void {
    const monitorId = named ?? service
    const action = this.openAction(monitorId, actionId!)
    if (action === null || action.state !== 'queued')
      return this.#note(
        `${monitorId}: ${actionId} starts, the model says ${action?.state ?? 'there is no such action'}`,
      )
    this.#checkStart(monitorId, action, at)
    this.#messages.started(action, this.#model.monitor(monitorId)!)
    this.#expectations.add(monitorId, this.#model.started(monitorId, action.key, at))
  }

  /** shown: all events of the same batch. */
  ended(event: StoredEvent, shown: readonly StoredEvent[]): void {
    const { monitorId: named, actionId, at, type } = event
    const monitorId = named ?? service
    const action = this.openAction(monitorId, actionId!)!
    const answer = this.#answers.get(actionId!)
    this.#answers.delete(actionId!)
    const kind = answer?.kind ?? this.#withoutAnswer(action, actionId!, type)
    if (endings[kind] !== type)
      return this.#note(
        `${monitorId}: ${actionId} is ${type} after the answer ${answer?.kind ?? 'that was not heard'}`,
      )
    this.#compareReason(event, kind, answer !== undefined)
    if (action.kind === 'intervention') {
      const outcome = kind === 'accepted' || kind === 'unknown' ? kind : 'rejected'
      return this.#expectations.add(
        monitorId,
        this.#model.interventionEnded(monitorId, action.key, outcome, at),
      )
    }
    // How long the destination is left alone after an abandoned start is not specified.
    const outcome = (answer ?? { kind, reason: '', retryAfterMs: givenUpWaitMs }) as ActionOutcome
    // An action that was abandoned before it was sent, or is unknown since a restart, says nothing about the destination.
    if (answer !== undefined) {
      this.#expectations.add(monitorId, this.#model.answered(action.endpoint!, outcome, at, action.isProbe))
      this.#noticeAiling(action.endpoint!, shown)
    }
    this.#expectations.add(monitorId, this.#model.codeEnded(monitorId, action.key, outcome, at))
    if (action.cause === 'digest') {
      if (outcome.kind === 'accepted') this.#compareReported(action, event, shown)
      this.#expectations.add(monitorId, this.#model.digestEnded(action, outcome))
    }
    const how = pageEndings[outcome.kind]
    if (how !== null) this.#pageEnded(action, how)
  }

  /** The answer, or its absence: the process was gone, or gave up before it had sent anything. */
  #compareReason(event: StoredEvent, kind: ActionOutcome['kind'], isAnswered: boolean): void {
    const expected: ModelReason | null =
      kind === 'accepted'
        ? null
        : isAnswered
          ? reason('answer', { answer: answers[kind] })
          : { kind: ['answer', 'interrupted'] }
    const difference = reasonDifference(event.because, expected, this.#ids)
    if (difference !== null) this.#findings.note(reasons, `${event.actionId}: ${event.type} ${difference}`)
  }

  /** The log names each incident that a delivered digest told of, once. */
  #compareReported(
    { endpoint, startedAt }: ModelAction,
    { actionId }: StoredEvent,
    shown: readonly StoredEvent[],
  ): void {
    const reported = shown.filter((one) => one.type === 'incident_reported' && one.actionId === actionId)
    const named = new Set(reported.map(({ incidentId }) => incidentId))
    const sent = shown.find((one) => one.type === 'digest_sent' && one.actionId === actionId)
    // Its destination has left the fleet meanwhile.
    if (sent === undefined) return
    const { incidents } = sent.detail as { readonly incidents: number }
    if (named.size !== reported.length || named.size !== incidents)
      this.#findings.note(
        'stories',
        `${actionId} tells of ${incidents} incidents, and ${named.size} are named`,
      )
    const known = this.#model.untoldAt(endpoint!)
    const idOf = (incident: number) => this.#ids.incidentId(incident)
    const ids = new Set(known.map(({ untold }) => idOf(untold.incident)))
    for (const id of named)
      if (!ids.has(id)) this.#findings.note('stories', `${actionId} is said to tell of ${id}`)
    for (const { monitor, untold } of known)
      if (isForDigest(monitor, untold) && untold.since! < startedAt! && !named.has(idOf(untold.incident)))
        this.#findings.note('stories', `${actionId} is not said to tell of ${idOf(untold.incident)}`)
  }

  /** A digest is cancelled if all of it was reported before it started. */
  cancelDigest({ actionId, endpoint }: StoredEvent): void {
    const action = this.openAction(service, actionId!)
    if (action === null) return
    const isThere = this.#model.plan.endpoints.has(endpoint!)
    if (!isThere)
      return this.#expectations.add(service, this.#model.cancelDigest(action, 'configuration_changed'))
    const left = this.#model.untoldAt(endpoint!).filter(({ monitor, untold }) => isForDigest(monitor, untold))
    if (left.length > 0)
      this.#note(`a digest to ${endpoint} is cancelled, and ${left.length} incidents are untold`)
    this.#expectations.add(service, this.#model.cancelDigest(action, 'superseded'))
  }

  /** One message for everything untold, a cooldown after the oldest of it became untold. */
  queueDigest(endpoint: string): void {
    const now = this.#scene.running.parts.time.now()
    const isDue = this.#model
      .untoldAt(endpoint)
      .some(({ untold }) => untold.since! + this.#cooldownMs <= now + 1_000)
    if (!isDue) this.#note(`a digest to ${endpoint} is queued, and nothing has been untold for a cooldown`)
    this.#expectations.add(service, this.#model.queueDigest(endpoint))
  }

  #checkStart(
    monitorId: string,
    { key, process, color, endpoint, notBefore }: ModelAction,
    at: number,
  ): void {
    const what = `${monitorId}: ${this.#ids.actionId(key)}, ${color ?? 'a recovery'} to ${endpoint}, starts`
    const isOurs = process === this.#scene.running.number
    if (isOurs && at < notBefore.from - 1) this.#note(`${what} ${notBefore.from - at} ms too early`)
    if (endpoint === null) return
    let inFlight = 0
    for (const { actions } of this.#model.monitors())
      inFlight += actions.filter((one) => one.endpoint === endpoint && one.state === 'started').length
    if (inFlight >= ratesOf(endpoint, this.#model.plan).maxInFlight)
      this.#note(`${what} beside ${inFlight} others`)
    const destination = this.#model.destination(endpoint)
    if (destination.isAiling && inFlight > 0) this.#note(`${what} beside another to an ailing destination`)
    if (at < destination.notBefore - 1)
      this.#note(`${what} ${destination.notBefore - at} ms before the destination is to be tried`)
    if (destination.isDead) this.#note(`${what} although the destination is gone`)
  }

  /** Failures before a restart count too, as far as the service knows them: it reports ailing with the third. */
  #noticeAiling(endpoint: string, shown: readonly StoredEvent[]): void {
    const isSaid = shown.some((one) => one.type === 'destination_ailing' && one.endpoint === endpoint)
    if (isSaid) this.#model.mayAil(endpoint)
  }

  /** A start that cannot be stored in time is abandoned before anything was sent. */
  #withoutAnswer(action: ModelAction, actionId: string, type: string): ActionOutcome['kind'] {
    const isGivenUp = type === 'action_failed' && !this.#called.has(actionId)
    if (!isGivenUp) return 'unknown'
    return action.kind === 'code' ? 'retry' : 'rejected'
  }

  #note(text: string): void {
    this.#findings.note('model', text)
  }
}
