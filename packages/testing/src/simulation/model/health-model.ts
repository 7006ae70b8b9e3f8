// simulation/model/health-model.ts: behaviour.md §3 in its own order: what a result, the outcome of an
// intervention, a maintenance window and a changed configuration mean for one monitor.
import type { PlannedMonitor } from '../fleet-plan.ts'
import { suppressing, waitsForParent } from './ancestors-model.ts'
import {
  cancelAll,
  cancelInterventions,
  cancelSuperseded,
  queueCodes,
  queueIntervention,
  takeOverWarning,
} from './ledger-model.ts'
import type { Instant, ModelEpisode, ModelIncident, ModelMonitor } from './monitor-state.ts'
import { type ModelReason, reason } from './reason.ts'
import type { Step } from './step.ts'
import { closeUntold, doubtUntold, oweReds } from './untold-model.ts'

const settleSecondsOfJobs = 60

export interface ModelResult {
  readonly outcome: NonNullable<ModelMonitor['lastOutcome']>
  readonly warning: string | null
  /** Absent where the words of the check are not known here. */
  readonly reason?: string | null
  readonly startedAt: Instant
  readonly finishedAt: Instant
  readonly finishedMs: number
}

export function onResult(step: Step, result: ModelResult): void {
  const { monitor } = step
  monitor.lastOutcome = result.outcome
  monitor.lastCheckMs = result.finishedMs
  if (result.outcome === 'no_data' || result.outcome === 'own_fault') return
  monitor.isKnown = true
  if (result.outcome === 'success') onSuccess(step, result)
  else onFailure(step, result)
}

function onSuccess(step: Step, result: ModelResult): void {
  const { monitor } = step
  const { healthyThreshold } = monitor.plan
  const verification = step.episode?.verification ?? null
  if (verification !== null && result.startedAt < verification.countsFrom) return
  // Before the closing green, which also reports the end of a warning.
  if (result.warning === null) onWarning(step, null)
  if (verification !== null) {
    step.inEpisode({
      failures: 0,
      streak: step.episode!.streak + 1,
      verification: { ...verification, healthy: verification.healthy + 1 },
    })
    const healthy = verification.healthy + 1
    const { needed } = verification
    if (healthy >= needed) recovered(step, reason('verified', { healthy, needed }))
    return onWarning(step, result.warning)
  }
  if (step.episode !== null) {
    const streak = step.episode.streak + 1
    step.inEpisode({ failures: 0, streak, withheld: null, dueSince: null })
    if (streak >= healthyThreshold && monitor.intervention?.state !== 'started')
      recovered(step, recoveryThreshold(step))
    return onWarning(step, result.warning)
  }
  onWarning(step, result.warning)
  if (monitor.hold !== null) monitor.hold = monitor.hold + 1 >= healthyThreshold ? null : monitor.hold + 1
  if (monitor.hold === null) monitor.heldBy = null
}

function onFailure(step: Step, result: ModelResult): void {
  const { monitor } = step
  monitor.lastFailureMs = result.finishedMs
  const verification = step.episode?.verification ?? null
  if (verification !== null && result.startedAt < verification.countsFrom) return
  const hadWarning = monitor.warning !== null
  monitor.warning = null
  if (step.episode === null) beginEpisode(step, result.finishedAt, hadWarning)
  else if (hadWarning) takeOverWarning(step)
  if (monitor.hold !== null) monitor.hold = 0
  const failures = step.episode!.failures + 1
  const isReached = failures >= monitor.plan.unhealthyThreshold
  const hasReached = step.episode!.hasReached || isReached
  step.inEpisode({ failures, streak: 0, verification: null, hasReached, lastFailure: saidOf(result) })
  const isDue = verification !== null || step.episode!.withheld !== null
  if (verification !== null) {
    const { healthy, needed } = verification
    judge(step, reason('verification_failed', { healthy, needed }))
  } else if (isDue || isReached) judge(step, failing(step, isReached ? 'threshold' : 'withheld'))
}

function saidOf({ outcome, reason }: ModelResult): ModelEpisode['lastFailure'] {
  const said = { failureClass: outcome }
  return reason === undefined ? said : { ...said, failure: reason ?? undefined }
}

/** The number of failures, compared with the threshold. */
export function failing({ episode, monitor }: Step, kind: string): ModelReason {
  return reason(kind, { failures: episode!.failures, threshold: monitor.plan.unhealthyThreshold })
}

function recoveryThreshold({ episode, monitor }: Step): ModelReason {
  return reason('recovery_threshold', {
    successes: episode!.streak,
    threshold: monitor.plan.healthyThreshold,
  })
}

function beginEpisode(step: Step, firstFailureAt: Instant, hadWarning: boolean): void {
  step.monitor.episode = {
    number: step.around.nextNumber(),
    process: step.around.process,
    isMoved: false,
    firstFailureAt,
    lastFailure: {},
    failures: 0,
    streak: 0,
    hasReached: false,
    isTried: false,
    verification: null,
    incident: null,
    withheld: null,
    dueSince: null,
    isSuppressionReported: false,
  }
  if (hadWarning) takeOverWarning(step)
  cancelSuperseded(step, ['green'], null)
  if (suppressing(step).length === 0) queueCodes(step, 'yellow', 'episode', firstFailure(step))
}

function firstFailure({ monitor }: Step): ModelReason {
  return reason('first_failure', { threshold: monitor.plan.unhealthyThreshold })
}

/** Starts an intervention or opens an incident, unless something prevents it. */
export function judge(step: Step, because: ModelReason): void {
  const { monitor, around } = step
  const episode = step.episode!
  const dueSince = episode.dueSince ?? around.now
  if (monitor.intervention !== null || episode.verification !== null) return
  const mayRecover = monitor.plan.recovery !== null && !episode.isTried && monitor.hold === null
  const retells = episode.incident?.retell === true && !episode.incident.isDismissed
  if (!mayRecover && !retells && episode.incident !== null) return
  if (monitor.maintenance !== null) return step.inEpisode({ withheld: 'maintenance', dueSince })
  const by = suppressing(step)
  // An incident that is already open stays open: it is not suppressed.
  if (by.length > 0 && episode.incident !== null) return
  if (by.length > 0) {
    if (!episode.isSuppressionReported) {
      const suppressed = reason('ancestor', { ancestor: by })
      step.expect({ type: 'incident_suppressed', monitorId: step.id, by, because: suppressed })
    }
    return step.inEpisode({ withheld: 'ancestor', dueSince, isSuppressionReported: true })
  }
  if (waitsForParent(step, dueSince)) return step.inEpisode({ withheld: 'waiting', dueSince })
  step.inEpisode({ withheld: null, dueSince: null })
  const decided = { ...because, values: { ...because.values, ...episode.lastFailure } }
  if (mayRecover) queueIntervention(step, decided)
  else if (episode.incident === null) openIncident(step, decided)
  else tellAgain(step, episode.incident)
}

/** The monitor was snoozed, and fails as before. */
function tellAgain(step: Step, incident: ModelIncident): void {
  step.inEpisode({ incident: { ...incident, retell: false, lastRedAt: step.around.now } })
  oweReds(step)
  queueCodes(step, 'red', 'episode', failing(step, 'still_failing'))
}

function openIncident(step: Step, because: ModelReason): void {
  const { around } = step
  const incident = {
    number: around.nextNumber(),
    openedAt: around.now,
    lastRedAt: around.now,
    revision: 1,
    acknowledgedBy: null,
    isDismissed: false,
    retell: false,
  }
  step.inEpisode({ incident })
  step.expect({ type: 'incident_opened', monitorId: step.id, incident: incident.number, because })
  oweReds(step)
  queueCodes(step, 'red', 'episode', because)
}

function recovered(step: Step, because: ModelReason): void {
  const { monitor } = step
  const { incident } = step.episode!
  if (incident !== null) {
    const closing = { monitorId: step.id, incident: incident.number, outcome: 'recovered' as const }
    step.expect({ type: 'incident_closed', ...closing, because })
    closeUntold(step, incident.number, true)
  }
  cancelInterventions(step, 'health_recovered', because)
  queueCodes(step, 'green', 'episode', because)
  monitor.episode = null
  monitor.hold = null
  monitor.heldBy = null
}

/** Rule 6. */
function onWarning(step: Step, text: string | null): void {
  const { monitor } = step
  const before = monitor.warning
  if (text !== null && before === null) {
    const isAnnounced = suppressing(step).length === 0
    monitor.warning = { text, isAnnounced }
    monitor.warningProcess = step.around.process
    if (isAnnounced) {
      // The report that the last warning ended is no longer true.
      cancelSuperseded(step, ['green'], 'yellow')
      queueCodes(step, 'yellow', 'warning', reason('warning', { text }))
    }
  } else if (text !== null) monitor.warning = { ...before!, text }
  else if (before !== null) {
    monitor.warning = null
    if (step.episode !== null) takeOverWarning(step)
    else if (before.isAnnounced) queueCodes(step, 'green', 'warning', reason('warning_ended'))
  }
}

/** Rule 2. By now the monitor may have another episode, or none. */
export function onInterventionEnded(
  step: Step,
  key: number,
  answer: 'accepted' | 'rejected' | 'unknown',
  at: Instant,
): void {
  const { monitor } = step
  const { intervention } = monitor
  monitor.intervention = null
  // An intervention that was started before the monitor left the fleet no longer belongs to it.
  if (intervention === null) return
  if (answer === 'unknown') {
    monitor.hold = 0
    monitor.heldBy = key
  }
  if (step.episode === null || step.episode.number !== intervention.episode) return
  // While the monitor is snoozed, nothing follows.
  if (monitor.snooze !== null) return
  const { recovery, intervalSeconds, healthyThreshold, job } = monitor.plan
  if (answer === 'accepted') {
    const usualSeconds = job === undefined ? intervalSeconds : settleSecondsOfJobs
    const settleMs = (recovery?.settleSeconds ?? usualSeconds) * 1000
    const verification = { healthy: 0, needed: healthyThreshold, countsFrom: at + settleMs }
    step.inEpisode({ verification, streak: 0 })
    if (suppressing(step).length === 0)
      queueCodes(step, 'cyan', 'episode', { kind: 'recovery_accepted', action: key })
  } else if (step.episode.streak >= healthyThreshold) recovered(step, recoveryThreshold(step))
  // A changed check decides with its first result; before the threshold, the counter does.
  else if (monitor.isKnown && isIncidentDue(step))
    judge(step, { kind: 'recovery_failed', values: { outcome: answer }, action: key })
}

/** An intervention by hand may end before the threshold, or after it was reached and left again. */
function isIncidentDue({ id, monitor, episode, around }: Step): boolean {
  if (episode!.failures >= monitor.plan.unhealthyThreshold) return true
  const isTold = around.shows(id, { type: 'incident_opened' }) || around.shows(id, { color: 'red' })
  return episode!.hasReached && (!monitor.isByHand || isTold)
}

export function onMaintenance(step: Step, begins: boolean): void {
  const { monitor } = step
  monitor.untold = doubtUntold(monitor, null)
  if (begins) {
    cancelInterventions(step, 'maintenance', reason('maintenance'))
    if (step.episode?.withheld === 'waiting') step.inEpisode({ withheld: 'maintenance' })
    // A monitor that is added or enabled during a window did not see it begin.
    const sawBegin = monitor.isKnown || step.around.shows(step.id, { color: 'gray' })
    const speaks = monitor.snooze === null && suppressing(step).length === 0
    monitor.maintenance = {
      isAnnounced: sawBegin && speaks,
      mayBeAnnounced: speaks && monitor.plan.destinations.gray.length === 0,
    }
    if (monitor.maintenance.isAnnounced) queueCodes(step, 'gray', 'maintenance', reason('maintenance'))
  } else {
    const { isAnnounced, mayBeAnnounced } = monitor.maintenance!
    const isOwed = isAnnounced || (mayBeAnnounced && step.around.shows(step.id, { color: 'gray' }))
    if (isOwed && monitor.snooze === null)
      queueCodes(step, 'gray', 'maintenance', reason('maintenance_ended'))
    monitor.maintenance = null
  }
}

/** Rule 10. */
export function onRepeat(step: Step): void {
  const { incident } = step.episode!
  step.inEpisode({ incident: { ...incident!, lastRedAt: step.around.now } })
  const everyMs = step.monitor.plan.repeatMinutes! * 60_000
  queueCodes(step, 'red', 'repeat', reason('reminder', { everyMs }))
}

/** Rule 9. */
export function onOff(step: Step, outcome: 'disabled' | 'removed'): void {
  const { monitor } = step
  const because = reason(outcome)
  cancelAll(step, outcome, because)
  const incident = step.episode?.incident ?? null
  if (incident !== null) {
    step.expect({ type: 'incident_closed', monitorId: step.id, incident: incident.number, outcome, because })
    closeUntold(step, incident.number, false)
  }
  monitor.untold = doubtUntold(monitor, null)
  monitor.episode = null
  monitor.warning = null
  monitor.heard = []
  monitor.heardWarning = []
  monitor.isKnown = false
  monitor.lastOutcome = null
  // A monitor that is enabled again in the same window reports the end, since it reported the beginning.
  if (outcome === 'removed') monitor.maintenance = null
}

/** Another check failed: its failures do not justify a recovery. */
export function onChangedCheck(step: Step): void {
  const { monitor } = step
  cancelInterventions(step, 'configuration_changed', reason('configuration_changed', { what: 'check' }))
  monitor.isKnown = false
  monitor.lastOutcome = null
  if (step.episode === null) return
  step.inEpisode({ failures: 0, streak: 0, verification: null, withheld: null, dueSince: null })
}

export function onChangedRecovery(step: Step): void {
  const because = reason('configuration_changed', { what: 'recovery' })
  cancelInterventions(step, 'configuration_changed', because)
  step.monitor.hold = null
  step.monitor.heldBy = null
}

export function hasOtherRecovery(before: PlannedMonitor, now: PlannedMonitor): boolean {
  return JSON.stringify(before.recovery) !== JSON.stringify(now.recovery)
}
