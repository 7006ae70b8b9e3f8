// simulation/model/control-model.ts: v2.md §5 and behaviour.md §3.11: which controls a monitor, its incident
// and its actions allow, and what follows from them.
import type { ReviewResolution } from '@pulseward/server/internal/deciding/actions/action.ts'
import { cancelAll, cancelOfEpisode, queueIntervention } from './ledger-model.ts'
import {
  type Instant,
  type ModelIncident,
  type ModelMonitor,
  type ModelUnknown,
  statusOf,
} from './monitor-state.ts'
import { ofControl } from './reason.ts'
import type { Step } from './step.ts'
import { doubtUntold, hushUntold, redArrived, redRejected, reopenUntold } from './untold-model.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const perHour = 3

export function onAcknowledged(step: Step, by: string): void {
  inIncident(step, { acknowledgedBy: by })
}

/** Unsent notifications are cancelled, and none follow. */
export function onDismissed(step: Step, by: string | null): void {
  const { number, incident } = step.episode!
  inIncident(step, { isDismissed: true })
  hushUntold(step, incident!.number)
  cancelOfEpisode(step, number, ofControl('dismiss', by))
}

/** Nothing is sent again; what was cancelled counts as untold. */
export function onReopened(step: Step): void {
  inIncident(step, { isDismissed: false })
  reopenUntold(step, step.episode!.incident!.number)
}

function inIncident(step: Step, changes: Partial<ModelIncident>): void {
  const incident = step.episode!.incident!
  step.inEpisode({ incident: { ...incident, ...changes, revision: incident.revision + 1 } })
}

/** Snoozing again only sets another deadline. */
export function onSnoozed(step: Step, untilWallMs: number, by: string | null): void {
  const { monitor } = step
  monitor.controlRevision++
  const wasSnoozed = monitor.snooze !== null
  monitor.snooze = { untilWallMs }
  if (wasSnoozed) return
  cancelAll(step, 'snoozed', ofControl('snooze', by))
  monitor.untold = doubtUntold(monitor, null)
  monitor.isKnown = false
  monitor.lastOutcome = null
  if (monitor.hold !== null) monitor.hold = 0
  const incident = step.episode?.incident ?? null
  step.inEpisode({
    failures: 0,
    streak: 0,
    verification: null,
    withheld: null,
    dueSince: null,
    incident: incident === null ? null : { ...incident, retell: true },
  })
}

/** By hand, or because the deadline has passed. */
export function onAwake({ monitor }: Step): void {
  monitor.controlRevision++
  monitor.snooze = null
}

export function onRecoverAsked(step: Step, by: string | null): void {
  const { monitor, around } = step
  monitor.controlRevision++
  monitor.recoveriesAt = [...monitor.recoveriesAt, around.now].slice(-perHour)
  queueIntervention(step, ofControl('recover', by))
}

/** Whatever the review says, nothing is carried out again. */
export function onReviewed(step: Step, key: number, resolution: ReviewResolution): void {
  const { monitor, around } = step
  const reviewed = monitor.unknown.find((one) => one.key === key)!
  const isConclusive = resolution !== 'inconclusive'
  monitor.unknown = isConclusive
    ? monitor.unknown.filter((one) => one !== reviewed)
    : monitor.unknown.map((one) => (one === reviewed ? { ...one, revision: one.revision + 1 } : one))
  if (!isConclusive) return
  if (monitor.heldBy === key) {
    monitor.hold = null
    monitor.heldBy = null
  }
  if (reviewed.color !== 'red') return
  if (resolution === 'accepted') redArrived(step, reviewed)
  else redRejected(step, reviewed, around.now)
}

/** A report of a worker after a review makes the outcome unknown again, and restores the hold. */
export function onContradicted({ monitor }: Step, again: ModelUnknown, isRecovery: boolean): void {
  monitor.unknown = [...monitor.unknown, again]
  if (!isRecovery || monitor.isRemoved) return
  monitor.hold = 0
  monitor.heldBy = again.key
}

/** When the next recovery may be requested by hand. */
export function recoverableFrom({ recoveriesAt }: ModelMonitor): Instant {
  const last = recoveriesAt.at(-1) ?? Number.NEGATIVE_INFINITY
  const thirdLast = recoveriesAt.at(-perHour) ?? Number.NEGATIVE_INFINITY
  return Math.max(last + minuteMs, thirdLast + hourMs)
}

/** Why a recovery cannot be requested; null if it can. */
export function whyNotRecoverable(monitor: ModelMonitor): string | null {
  const { plan, snooze, maintenance, intervention, hold } = monitor
  if (!plan.enabled) return 'it is disabled'
  if (snooze !== null) return 'it is snoozed'
  if (maintenance !== null) return 'it is in maintenance'
  if (plan.recovery === null) return 'it has no recovery'
  if (intervention !== null) return 'a recovery is pending'
  if (hold !== null) return 'recoveries are held'
  const status = statusOf(monitor)
  return status === 'incident' || status === 'down' ? null : `it is ${status}`
}

export function unknownOf(monitor: ModelMonitor | undefined, key: number | null): ModelUnknown | undefined {
  return monitor?.unknown.find((one) => one.key === key)
}
