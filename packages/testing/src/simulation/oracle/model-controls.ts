// simulation/oracle/model-controls.ts: passes controls of monitors, incidents and actions to the model. The
// service chooses when it decides them, and the tick at which a snooze ends; both are taken from its events.
import type { Action, ReviewResolution } from '@pulseward/server/internal/deciding/actions/action.ts'
import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import {
  onAcknowledged,
  onAwake,
  onContradicted,
  onDismissed,
  onRecoverAsked,
  onReopened,
  onReviewed,
  onSnoozed,
  unknownOf,
} from '../model/control-model.ts'
import { type ModelMonitor, service } from '../model/monitor-state.ts'
import { ofControl, reason } from '../model/reason.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import type { Step } from '../model/step.ts'
import type { Expectations } from './expectations.ts'
import type { Findings } from './findings.ts'
import type { Identities } from './model-identities.ts'
import { reasonDifference, reasons } from './reason-rules.ts'
import type { Scene } from './scene.ts'

export interface ModelControlsOptions {
  readonly scene: Scene
  readonly model: ReferenceModel
  readonly ids: Identities
  readonly expectations: Expectations
  readonly findings: Findings
  /** A monitor was snoozed, or its snooze has ended. */
  readonly silenced: (monitorId: string, isSnoozed: boolean) => void
  /** Somebody takes care of the open incident of a monitor. */
  readonly acknowledged: (monitorId: string, by: string) => void
}

interface Detail {
  readonly revision: number
  readonly untilWallMs?: number
  readonly resolution?: ReviewResolution
}

/** Whether an event of the log is a control. */
export function isAsked(type: string): boolean {
  return type.startsWith('control_') || type === 'action_reviewed'
}

export function isControl(type: string): boolean {
  return isAsked(type) || type === 'snooze_expired'
}

function isOfSnooze(type: string): boolean {
  return type === 'control_snoozed' || type === 'control_unsnoozed' || type === 'snooze_expired'
}

const verbs: Readonly<Record<string, string>> = {
  control_acknowledged: 'acknowledge',
  control_dismissed: 'dismiss',
  control_reopened: 'reopen',
  control_noted: 'note',
  control_snoozed: 'snooze',
  control_unsnoozed: 'unsnooze',
  control_recover_requested: 'recover',
  action_reviewed: 'review',
}

export class ModelControls {
  readonly #options: ModelControlsOptions

  constructor(options: ModelControlsOptions) {
    this.#options = options
  }

  take(event: StoredEvent): void {
    const { model, findings } = this.#options
    // It changes nothing but the log.
    if (event.type === 'control_noted') return this.#compareReason(event, undefined)
    const monitorId = event.monitorId ?? service
    const monitor = model.monitor(monitorId)
    const { revision } = event.detail as Detail
    const follows = monitor === undefined ? null : this.#meaningOf(event, monitor)
    if (follows === null)
      return findings.note('model', `${monitorId}: the service has ${event.type}, of what the model has not`)
    if (revision !== follows.revision + 1)
      findings.note('model', `${monitorId}: ${event.type} is revision ${revision} after ${follows.revision}`)
    this.#compareReason(event, monitor?.snooze?.untilWallMs)
    if (monitor !== undefined && isOfSnooze(event.type)) this.#compareIncident(event, monitor)
    const wasSnoozed = monitor?.snooze !== null
    this.#options.expectations.add(monitorId, model.asked(monitorId, follows.happen))
    if (event.type === 'control_acknowledged') this.#options.acknowledged(monitorId, event.actor ?? '')
    const isSnoozed = model.monitor(monitorId)?.snooze !== null
    if (isSnoozed !== wasSnoozed) this.#options.silenced(monitorId, isSnoozed)
  }

  /** Its worker contradicts the review, so the outcome is unknown again. */
  takeConflict({ id, monitorId, review, kind, color, endpoint }: Action): void {
    const { model, ids } = this.#options
    const key = ids.actionKey(id)
    const monitor = model.monitor(monitorId ?? service)
    if (review?.conflict === undefined || key === null || monitor === undefined) return
    if (unknownOf(monitor, key) !== undefined) return
    const again = { key, color, endpoint, incident: null, revision: review.revision }
    const happen = (step: Step) => onContradicted(step, again, kind === 'intervention')
    this.#options.expectations.add(monitorId ?? service, model.asked(monitorId ?? service, happen))
  }

  #compareReason(event: StoredEvent, until: number | undefined): void {
    const { ids, findings } = this.#options
    const { type, actor, because } = event
    const verb = verbs[type]
    const expected = verb === undefined ? reason('snooze_expired', { until }) : ofControl(verb, actor)
    const difference = reasonDifference(because, expected, ids)
    if (difference !== null) findings.note(reasons, `${event.monitorId}: ${type} ${difference}`)
  }

  /** A snooze is told in the story of the incident that is open then. */
  #compareIncident({ type, incidentId }: StoredEvent, { plan, episode }: ModelMonitor): void {
    const { ids, findings } = this.#options
    const incident = episode?.incident ?? null
    const expected = incident === null ? null : ids.incidentId(incident.number)
    if (incidentId !== expected)
      findings.note(
        'stories',
        `${plan.id}: ${type} names the incident ${incidentId}, and ${expected} is open`,
      )
  }

  /** Null if there is no subject that it could be about. */
  #meaningOf(
    { type, incidentId, actionId, actor, detail }: StoredEvent,
    monitor: ModelMonitor,
  ): { readonly revision: number; readonly happen: (step: Step) => void } | null {
    const { ids } = this.#options
    const { untilWallMs = 0, resolution = 'inconclusive' } = detail as Detail
    const incident = monitor.episode?.incident ?? null
    const isOpen = incident !== null && ids.incidentId(incident.number) === incidentId
    switch (type) {
      case 'control_acknowledged':
        return isOpen
          ? { revision: incident.revision, happen: (step) => onAcknowledged(step, actor ?? '') }
          : null
      case 'control_dismissed':
        return isOpen ? { revision: incident.revision, happen: (step) => onDismissed(step, actor) } : null
      case 'control_reopened':
        return isOpen ? { revision: incident.revision, happen: onReopened } : null
      case 'control_snoozed':
        return { revision: monitor.controlRevision, happen: (step) => onSnoozed(step, untilWallMs, actor) }
      case 'snooze_expired':
        this.#judgeEnd(monitor)
        return monitor.snooze && { revision: monitor.controlRevision, happen: onAwake }
      case 'control_unsnoozed':
        return monitor.snooze && { revision: monitor.controlRevision, happen: onAwake }
      case 'control_recover_requested':
        return (
          monitor.episode && {
            revision: monitor.controlRevision,
            happen: (step) => onRecoverAsked(step, actor),
          }
        )
      case 'action_reviewed': {
        const key = actionId === null ? null : ids.actionKey(actionId)
        const unknown = unknownOf(monitor, key)
        if (unknown === undefined) return null
        return { revision: unknown.revision, happen: (step) => onReviewed(step, unknown.key, resolution) }
      }
      default:
        return null
    }
  }

  /** Ends at its deadline by the wall clock, even if that was set. */
  #judgeEnd({ plan, snooze }: ModelMonitor): void {
    const { scene, findings } = this.#options
    const earlyMs = (snooze?.untilWallMs ?? 0) - scene.clock.wallMs()
    if (earlyMs > 0)
      findings.note('snooze deadlines', `the snooze of ${plan.id} ends ${earlyMs} ms too early`)
  }
}
