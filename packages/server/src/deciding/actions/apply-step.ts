// deciding/actions/apply-step.ts: applies a step of a monitor's health to its actions: first the effects, in
// order, then what the ledger has to know about the monitor's new state.

import type { Because, EndBecause } from '../health/because.ts'
import { type Health, isDismissed } from '../health/health.ts'
import type { Color, Effect, Notify, Silence, Step } from '../health/step.ts'
import { isUnknown, type Withdrawal } from './action.ts'
import type { LedgerTransaction } from './action-table.ts'
import type { LedgerParts } from './ledger-parts.ts'
import type { MonitorActions } from './monitor-actions.ts'
import { whyOwed } from './notification-planner.ts'
import { forgetOwedGreens } from './owed-greens.ts'

/** The colors that a green ends. */
const troubles = ['red', 'yellow', 'cyan'] as const

const newEpisode: Withdrawal = { outcome: 'superseded', because: { kind: 'new_episode' } }

/** One step of one monitor's health. */
export interface MonitorStep {
  readonly monitorId: string
  readonly before: Health
  readonly step: Step
  /** The names of the destinations that a color of this monitor goes to, each once. */
  readonly destinationsOf: (color: Color) => readonly string[]
}

export function applyStep(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  monitorStep: MonitorStep,
): void {
  const { before, step } = monitorStep
  closeIncident(parts, transaction, before, step.state)
  noteSilence(transaction.monitor, step.state)
  const episodeId = takesOverWarning(before, step.state)
  if (episodeId !== null) parts.planner.handOverWarning(transaction, before, episodeId)
  // Normally the closing green withdraws what is still unsent about the warning, but a dismissed incident sends no green.
  const silent = isDismissed(before) ? (before.episode?.incident ?? null) : null
  if (episodeId !== null && silent !== null)
    withdrawOf(parts, transaction, episodeId, { kind: 'dismissed', incidentId: silent.id })
  for (const effect of step.effects) carryOut(parts, transaction, effect, monitorStep)
  if (endsUnannounced(monitorStep)) payOwedGreens(parts, transaction, monitorStep)
  observe(transaction.monitor, before, step.state)
  parts.queues.release(transaction.monitor)
}

/** Cancels queued interventions and notifications. */
export function cancelAll(parts: LedgerParts, transaction: LedgerTransaction, silence: Silence): void {
  const { planner, untold } = parts
  const { outcome, because } = silence
  cancelInterventions(parts, transaction, { outcome, because })
  planner.withdraw(transaction, () => true, { outcome, because })
  // The incident stays open, and its red is sent again if it still holds after the snooze.
  if (outcome === 'snoozed') return settleOpenIncident(parts, transaction)
  if (outcome === 'removed') {
    forgetOwedGreens(transaction.draft, transaction.monitor)
    for (const incident of transaction.monitor.untold) untold.settle(transaction.draft, incident)
  }
  resolveAlerts(parts, transaction, silence.because)
}

/**
 * A provider that keeps alerts would keep these forever, so it is told that they ended even though the
 * monitor is no longer watched.
 */
function resolveAlerts(
  { planner, queues }: LedgerParts,
  transaction: LedgerTransaction,
  because: Because,
): void {
  const { monitor } = transaction
  if (monitor.isQuiet || monitor.isDismissed) return
  const keepers = [...queues.destinations()].flatMap(({ destination: { name, keepsAlerts } }) =>
    keepsAlerts && (monitor.toldTo?.includes(name) ?? true) ? [name] : [],
  )
  planner.send(
    transaction,
    'green',
    { cause: 'episode', episodeId: null, incidentId: null, since: null, acknowledgedBy: null, because },
    keepers,
  )
}

function carryOut(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  effect: Effect,
  monitorStep: MonitorStep,
): void {
  switch (effect.kind) {
    case 'notify':
      return tell(parts, transaction, effect, monitorStep)
    case 'episode-began':
      return parts.planner.withdraw(transaction, ({ color }) => color === 'green', newEpisode)
    case 'queue-intervention':
      return parts.table.queue(transaction, {
        id: effect.actionId,
        kind: 'intervention',
        color: null,
        cause: null,
        endpoint: null,
        episodeId: effect.episodeId,
        incidentId: effect.incidentId,
        since: null,
        acknowledgedBy: null,
        because: effect.because,
        attempt: 1,
        triedSince: null,
        notBefore: transaction.now,
      })
    case 'cancel-interventions':
      return cancelInterventions(parts, transaction, effect)
    case 'cancel-queued-actions':
      return cancelAll(parts, transaction, effect)
    case 'incident-dismissed':
      return dismiss(parts, transaction, effect)
    case 'incident-reopened':
      return reopen(parts, transaction, effect.incidentId)
  }
}

function tell(
  { planner }: LedgerParts,
  transaction: LedgerTransaction,
  notify: Notify,
  monitorStep: MonitorStep,
): void {
  const { before, step, destinationsOf } = monitorStep
  const { color, cause, episodeId, incidentId, since, acknowledgedBy, because } = notify
  const subject = { cause, episodeId, incidentId, since, acknowledgedBy, because }
  planner.supersede(transaction, notify, before.warning !== null && step.state.warning !== null)
  if (color !== 'green') return planner.send(transaction, color, subject, destinationsOf(color))
  const tellsTroubles = (endpoint: string) =>
    troubles.some((trouble) => destinationsOf(trouble).includes(endpoint))
  for (const endpoint of destinationsOf(color)) {
    const why = planner.whyGreen(transaction, notify, before, endpoint, tellsTroubles)
    if (why !== null) planner.sendTo(transaction, endpoint, color, { ...subject, because: why })
  }
}

function cancelInterventions(
  { table }: LedgerParts,
  transaction: LedgerTransaction,
  { outcome, because }: Withdrawal,
): void {
  for (const open of transaction.monitor.openActions) {
    const { kind, state } = open.action
    if (kind === 'intervention' && state === 'queued') table.cancel(transaction, open, { outcome, because })
  }
}

/** What destinations were not told about the incident waits until it is reopened, and is dropped if it closes first. */
function dismiss(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  { incidentId, episodeId, because }: Extract<Effect, { kind: 'incident-dismissed' }>,
): void {
  withdrawOf(parts, transaction, episodeId, because)
  for (const one of transaction.monitor.untold)
    if (one.action.incidentId === incidentId) parts.untold.hush(transaction.draft, one)
}

function withdrawOf(
  { planner }: LedgerParts,
  transaction: LedgerTransaction,
  episodeId: string,
  because: EndBecause,
): void {
  const isOfEpisode = (one: { readonly episodeId: string | null }) => one.episodeId === episodeId
  planner.withdraw(transaction, isOfEpisode, { outcome: 'dismissed', because })
}

/** A red whose answer was lost may have arrived, so it still counts only when the incident closes. */
function reopen(
  { untold }: LedgerParts,
  { monitor, draft, now }: LedgerTransaction,
  incidentId: string,
): void {
  for (const one of monitor.untold)
    if (one.action.incidentId === incidentId && !isUnknown(one.action))
      untold.amend(draft, one, { since: now })
}

function settleOpenIncident({ untold }: LedgerParts, { monitor, draft }: LedgerTransaction): void {
  for (const one of monitor.untold)
    if (one.action.incidentId === monitor.openIncidentId) untold.settle(draft, one)
}

// A suppressed episode sends no green itself, but when it began it cancelled the queued green of the previous episode.
function payOwedGreens(
  { planner }: LedgerParts,
  transaction: LedgerTransaction,
  { before, destinationsOf }: MonitorStep,
): void {
  const episodeId = before.episode?.id ?? null
  for (const endpoint of destinationsOf('green')) {
    const because = whyOwed(transaction.monitor, endpoint)
    if (because === null) continue
    const subject = {
      cause: 'episode',
      episodeId,
      incidentId: null,
      since: null,
      acknowledgedBy: null,
    } as const
    planner.sendTo(transaction, endpoint, 'green', { ...subject, because })
  }
}

function endsUnannounced({ before, step }: MonitorStep): boolean {
  const hasEnded = before.episode !== null && step.state.episode === null
  return hasEnded && !before.episode.announced && step.state.lifecycle === 'enabled'
}

/** The id of the episode that takes over the warning that this step ends; null if none does. */
function takesOverWarning(before: Health, after: Health): string | null {
  const hasFallen = before.warning !== null && after.warning === null
  return hasFallen ? (before.episode?.id ?? after.episode?.id ?? null) : null
}

/** Runs before the effects, so that a red they cancel belongs to an incident already known as closed. */
function closeIncident(
  { table, untold }: LedgerParts,
  transaction: LedgerTransaction,
  before: Health,
  after: Health,
): void {
  const incident = before.episode?.incident ?? null
  if (incident === null || incident.id === after.episode?.incident?.id) return
  const { monitor, draft, now } = transaction
  monitor.openIncidentId = null
  const wasDismissed = isDismissed(before)
  const closed = { at: now, wasDismissed }
  monitor.closedIncident = { id: incident.id, ...closed }
  for (const open of monitor.openActions) {
    const { color, state, incidentId } = open.action
    if (color === 'red' && state === 'started' && incidentId === incident.id)
      table.amend(transaction, open, { incidentClosed: closed })
  }
  for (const one of monitor.untold) {
    if (one.action.incidentId !== incident.id) continue
    // Incidents during maintenance are expected, and dismissed incidents are not reported.
    if (after.maintenance !== null || wasDismissed) untold.settle(draft, one)
    else untold.amend(draft, one, { since: one.action.untold.since ?? now, to: now })
  }
}

/**
 * Runs before the effects, so that what they withdraw is not owed. When an incident closes, isDismissed keeps its value.
 */
function noteSilence(monitor: MonitorActions, after: Health): void {
  monitor.isSnoozed = after.snooze !== null
  if (after.episode !== null) monitor.isDismissed = isDismissed(after)
}

function observe(monitor: MonitorActions, before: Health, after: Health): void {
  monitor.openIncidentId = after.episode?.incident?.id ?? null
  monitor.inMaintenance = after.maintenance !== null
  monitor.isDismissed = isDismissed(after)
  monitor.isQuiet = after.episode === null && after.warning === null
  if (before.warning === null || after.warning === null) monitor.forgetWarning()
  // Only failures that this process has seen: an instant left by the previous process is not evidence.
  const lastFailureAt = after.episode?.lastFailureAt ?? null
  const isNew = lastFailureAt !== null && lastFailureAt !== (before.episode?.lastFailureAt ?? null)
  if (isNew) monitor.lastFailureAt = lastFailureAt
}
