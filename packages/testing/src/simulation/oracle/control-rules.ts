// simulation/oracle/control-rules.ts: what must hold of every control. It is carried out on the revision that the person
// has seen, and only if v2.md §5 allows it; it is answered when it is on disk, and refused only for a reason. It leaves
// one event with its actor, and one record. What was snoozed or dismissed stays silent.
import { ControlError } from '@pulseward/server/internal/controls/control-desk.ts'
import type { ControlRefusalCode } from '@pulseward/server/internal/deciding/control.ts'
import type { StoredBulk } from '@pulseward/server/internal/store/bulk.ts'
import type { StoredOperation } from '@pulseward/server/internal/store/resource.ts'
import type { CommitBatch, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import type { ControlRequest } from '../controls/control-requests.ts'
import { recoverableFrom, unknownOf, whyNotRecoverable } from '../model/control-model.ts'
import { type ModelMonitor, service } from '../model/monitor-state.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import { count, type Tally } from '../tally.ts'
import { actionIn } from './expectations.ts'
import type { Findings } from './findings.ts'
import { isAsked } from './model-controls.ts'
import type { Identities } from './model-identities.ts'
import type { Scene } from './scene.ts'

const eventTypes: Readonly<Record<ControlRequest['verb'], string>> = {
  acknowledge: 'control_acknowledged',
  dismiss: 'control_dismissed',
  reopen: 'control_reopened',
  note: 'control_noted',
  snooze: 'control_snoozed',
  unsnooze: 'control_unsnoozed',
  recover: 'control_recover_requested',
  review: 'action_reviewed',
}

/** Whether it is the record of a control, and not of a write. */
export function isOfControl({ write }: StoredOperation): boolean {
  return Object.hasOwn(eventTypes, write.verb)
}

/** Why a control cannot be carried out, by the error code of its answer. */
type Reasons = Partial<Record<ControlRefusalCode, string>>

export interface ControlRulesOptions {
  readonly scene: Scene
  readonly findings: Findings
  readonly tally: Tally
  readonly model: ReferenceModel
  readonly ids: Identities
  /** Whether an external worker was granted the action. */
  readonly wasGranted: (actionId: string) => boolean
}

export class ControlRules {
  readonly #options: ControlRulesOptions
  readonly #requests = new Map<number, ControlRequest>()
  /** Unanswered controls, with every reason for which each could have been refused since it was sent. */
  readonly #open = new Map<number, Set<string>>()
  readonly #durable = new Set<number>()
  readonly #refused = new Set<number>()

  constructor(options: ControlRulesOptions) {
    this.#options = options
  }

  requested(request: ControlRequest): void {
    this.#requests.set(request.operation, request)
    this.#open.set(request.operation, new Set())
    this.decided()
  }

  /** Called before the model gets the batch. */
  handedOver(batch: CommitBatch): void {
    for (const event of batch.events) this.#judgeSilence(event, batch)
    const told = batch.events.filter(({ type }) => isAsked(type))
    const records = batch.operations.filter(isOfControl)
    const isOfMany = batch.bulk.length > 0
    if (!isOfMany && told.length !== records.length)
      this.#note(
        'one event a control',
        `a turn has ${records.length} records of controls and ${told.length} events`,
      )
    for (const [index, { id }] of records.entries()) {
      const request = this.#requests.get(id)
      const event = told[index]
      if (request === undefined || event === undefined)
        this.#note('one event a control', `nobody has asked for ${event?.type}`)
      else this.#decide(request, event)
    }
  }

  /** The model has taken what was decided. */
  decided(): void {
    for (const [operation, reasons] of this.#open) {
      const request = this.#requests.get(operation)
      if (request !== undefined) for (const reason of Object.keys(this.#against(request))) reasons.add(reason)
    }
  }

  written({ operations }: CommitBatch): void {
    for (const record of operations) {
      if (!isOfControl(record)) continue
      this.#durable.add(record.id)
      if (this.#refused.has(record.id))
        this.#note('refused controls', `${record.write.verb} was refused, and is on disk all the same`)
    }
  }

  answered(request: ControlRequest): void {
    this.#open.delete(request.operation)
    count(this.#tally.controls, request.verb)
    if (!this.#durable.has(request.operation))
      this.#note('controls are answered after the commit', `${request.verb} was answered too early`)
  }

  /** mayBeUnavailable: nothing can be stored, or the service stops. */
  refused(request: ControlRequest, error: unknown, mayBeUnavailable: boolean): void {
    this.decided()
    const reasons = this.#open.get(request.operation)
    this.#open.delete(request.operation)
    if (!(error instanceof ControlError))
      return this.#note('the service goes on', `${request.verb}: ${(error as Error).stack}`)
    count(this.#tally.controls, error.code)
    // The change is there when writing works again, or never.
    const isUncertain = error.code === 'uncertain'
    if (!isUncertain) this.#refused.add(request.operation)
    if (!isUncertain && this.#durable.has(request.operation))
      this.#note('refused controls', `${request.verb} is on disk, and was refused: ${error.code}`)
    const isOfWorker = error.code === 'executorUnfenced' || error.code === 'evidenceConflict'
    const isRight =
      isUncertain || error.code === 'unavailable'
        ? mayBeUnavailable
        : reasons?.has(error.code) === true || (isOfWorker && this.#mayWorkerDiffer(request))
    if (!isRight)
      this.#note('refused controls', `${inWords(request)} was refused without a reason: ${error.code}`)
  }

  /** A worker may still be running the reviewed action, or has reported something else. */
  #mayWorkerDiffer(request: ControlRequest): boolean {
    const { wasGranted } = this.#options
    return request.verb === 'review' && request.resolution !== 'inconclusive' && wasGranted(request.actionId)
  }

  /** One control of an operation, on the revision that the operation has frozen. */
  askedOfMany(event: StoredEvent, { id, activatedBy, principal, control }: StoredBulk): void {
    const actor = activatedBy ?? principal
    const { reason } = event.detail as { reason: string | null }
    const verb = (control?.verb ?? '') as Exclude<ControlRequest['verb'], 'review' | 'note'>
    const { monitorId, incidentId } = event
    if (event.actor !== actor || event.type !== eventTypes[verb] || reason !== control?.reason)
      this.#note('one event a control', `operation ${id} by ${actor} left ${event.type} by ${event.actor}`)
    const base = {
      operation: id,
      principal: actor,
      reason: reason ?? '',
      revision: 0,
      verb,
      monitorId,
      forMs: 0,
    }
    const isOfIncident = verb === 'acknowledge' || verb === 'dismiss' || verb === 'reopen'
    const request = (isOfIncident ? { ...base, incidentId } : base) as ControlRequest
    // Which revision the operation has frozen is not known here.
    for (const [code, why] of Object.entries(this.#against(request)))
      if (code !== 'versionConflict')
        this.#note(ruleOf(code), `operation ${id}: ${inWords(request)}, and ${why}`)
  }

  checkStarted({ monitorId }: CheckInFlight): void {
    if (this.#options.scene.isSnoozed(monitorId))
      this.#note('snoozed is quiet', `${monitorId} is checked while it is snoozed`)
  }

  processEnded(): void {
    count(this.#tally.controls, 'unanswered', this.#open.size)
    this.#open.clear()
  }

  /** Called long after everything has recovered. */
  ended(): void {
    const [operation] = this.#open.keys()
    const request = operation === undefined ? undefined : this.#requests.get(operation)
    if (request !== undefined) this.#note('answers', `${inWords(request)} was never answered`)
  }

  #decide(request: ControlRequest, event: StoredEvent): void {
    const { reason, note } = event.detail as { reason: string | null; note: string | null }
    if (
      event.type !== eventTypes[request.verb] ||
      event.actor !== request.principal ||
      (request.verb === 'note' ? note : reason) !== request.reason ||
      event.monitorId !== request.monitorId
    )
      this.#note(
        'one event a control',
        `${inWords(request)} by ${request.principal} left ${event.type} of ${event.monitorId} by ${event.actor}`,
      )
    for (const [code, why] of Object.entries(this.#against(request)))
      this.#note(ruleOf(code), `${inWords(request)} is carried out, and ${why}`)
  }

  /** Nothing is queued or started for a snoozed monitor or a dismissed incident. */
  #judgeSilence(
    { type, monitorId, incidentId, actionId, kind, color, endpoint }: StoredEvent,
    batch: CommitBatch,
  ): void {
    if (type !== 'action_queued' && type !== 'action_started') return
    const { model, ids } = this.#options
    const monitor = model.monitor(monitorId ?? service)
    const isIn = (types: readonly string[]) =>
      batch.events.some((one) => one.monitorId === monitorId && types.includes(one.type))
    const what = `${color ?? kind} ${actionId} of ${monitorId} to ${endpoint} is ${type.slice('action_'.length)}`
    if (monitor?.snooze && !isIn(['control_unsnoozed', 'snooze_expired']))
      this.#note('snoozed is quiet', `${what}, and the monitor is snoozed`)
    const incident = monitor?.episode?.incident ?? null
    const isOfOpen = incident !== null && incidentId === ids.incidentId(incident.number)
    if (isOfOpen && kind === 'code') {
      if (incident.isDismissed && !isIn(['control_reopened']))
        this.#note('dismissed is silent', `${what}, and ${incidentId} is dismissed`)
      const action = actionIn(batch, actionId)
      // A repeat that was decided before the acknowledgement is sent, and says who acknowledged.
      const isRepeat = type === 'action_queued' && action?.cause === 'repeat' && action.attempt === 1
      if (incident.acknowledgedBy !== null && isRepeat)
        this.#note('acknowledged is not repeated', `${what}, and ${incidentId} is acknowledged`)
    }
    const isReplay = (one: StoredEvent) =>
      one.type === 'action_reviewed' &&
      one.monitorId === monitorId &&
      one.kind === kind &&
      one.color === color &&
      one.endpoint === endpoint
    if (type === 'action_queued' && batch.events.some(isReplay))
      this.#note('reviewed is not replayed', `${what} by a review`)
  }

  #against(request: ControlRequest): Reasons {
    const { model, ids } = this.#options
    // A note depends on nothing but its incident, which is on disk.
    if (request.verb === 'note') return {}
    const monitor = model.monitor(request.monitorId ?? service)
    if (request.verb === 'review') {
      const unknown = unknownOf(monitor, ids.actionKey(request.actionId))
      if (unknown === undefined)
        return { actionNotUnknown: 'its outcome is known', versionConflict: 'its outcome is known' }
      return againstRevision(request.revision, unknown.revision)
    }
    if (monitor === undefined || monitor.isRemoved)
      return {
        notFound: 'the monitor is not there',
        incidentNotActive: 'the incident is closed',
        versionConflict: 'the incident is closed',
      }
    return 'incidentId' in request
      ? this.#againstHandling(request, monitor)
      : this.#againstMonitor(request, monitor)
  }

  #againstHandling(
    { verb, revision, incidentId }: Extract<ControlRequest, { incidentId: string }>,
    { episode }: ModelMonitor,
  ): Reasons {
    const incident = episode?.incident ?? null
    if (incident === null || this.#options.ids.incidentId(incident.number) !== incidentId)
      return { incidentNotActive: 'the incident is closed', versionConflict: 'the incident is closed' }
    const stale = againstRevision(revision, incident.revision)
    if (verb === 'acknowledge' || incident.isDismissed === (verb === 'reopen')) return stale
    return { ...stale, incidentNotActive: `the incident is ${verb === 'reopen' ? 'not ' : ''}dismissed` }
  }

  #againstMonitor({ verb, revision }: ControlRequest, monitor: ModelMonitor): Reasons {
    const stale = againstRevision(revision, monitor.controlRevision)
    if (verb === 'unsnooze' && monitor.snooze === null)
      return { ...stale, monitorNotSnoozed: 'it is not snoozed' }
    if (verb !== 'recover') return stale
    const ineligible = whyNotRecoverable(monitor)
    const waitMs = recoverableFrom(monitor) - this.#options.scene.running.parts.time.now()
    return {
      ...stale,
      ...(ineligible === null ? {} : { recoveryIneligible: ineligible }),
      ...(waitMs > 0 ? { rateLimited: `it may be recovered by hand in ${waitMs} ms` } : {}),
    }
  }

  get #tally(): Tally {
    return this.#options.tally
  }

  #note(rule: string, words: string): void {
    this.#options.findings.note(rule, words)
  }
}

function againstRevision(seen: number, present: number): Reasons {
  return seen === present ? {} : { versionConflict: `its revision is ${present}, not ${seen}` }
}

function ruleOf(code: string): string {
  if (code === 'versionConflict') return 'controls compare and swap'
  return code === 'rateLimited' ? 'recovered by hand' : 'possible controls'
}

function inWords({ verb, monitorId, revision }: ControlRequest): string {
  return `${verb} of ${monitorId ?? 'a digest'} at ${revision}`
}
