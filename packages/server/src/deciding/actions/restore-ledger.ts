// deciding/actions/restore-ledger.ts: how a process continues with what the previous one committed. Queued
// actions are queued again, started ones end as unknown, and what each destination was told, and when,
// follows from the records. Instants from a clock that was ahead are clamped to now; otherwise they would
// delay actions that they were never meant to delay.
import { notSent } from '../../platform/action-outcome.ts'
import { type Episode, type Health, type Instant, isDismissed, type Warning } from '../health/health.ts'
import { type Action, endFields, isOpen, isUntoldRed, type Untold, type UntoldRed } from './action.ts'
import type { LedgerTransaction } from './action-table.ts'
import type { DestinationRecord } from './destination.ts'
import type { DestinationQueue } from './destination-queue.ts'
import { endAction, interruptAction } from './end-action.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import type { LedgerParts } from './ledger-parts.ts'
import type { MonitorActions } from './monitor-actions.ts'
import { destinationRemoved } from './notification-planner.ts'
import { payGreen, restoreOwedGreen } from './owed-greens.ts'

const notTaken = notSent('no worker had taken it when the service stopped')

export interface LedgerRecords {
  /** In queueing order: all open or unknown actions, and all that finished since completeSince. */
  readonly actions: readonly Action[]
  /** At least one cooldown ago. What was told earlier is derived from the healths. */
  readonly completeSince: Instant
  /** By monitor id: every monitor that has an episode, a warning or a maintenance window. */
  readonly healths: ReadonlyMap<string, Health>
  readonly destinations: Iterable<DestinationRecord>
  /** Set if the records come from a restored backup. */
  readonly restoredFrom: { readonly backupAt: Instant } | null
  /** What is known about started actions that external workers carry out. */
  readonly external: ExternalStarts
}

export interface ExternalStarts {
  /** Whether a worker holds the action and may still report. */
  isGranted(actionId: string): boolean
  /** Whether the action was for external workers to take. */
  isExternal(action: Action): boolean
}

export function restoreLedger(
  parts: LedgerParts,
  draft: LedgerDraft,
  records: LedgerRecords,
  now: Instant,
): void {
  const { table, queues } = parts
  for (const record of records.destinations) queues.of(record.name)?.restore(record, now)
  const actions = records.actions.map((action) => clampedToNow(draft, action, now))
  for (const action of actions) {
    const { monitorId } = action
    const monitor = table.ownerOf(action)
    const health = monitorId === null ? undefined : records.healths.get(monitorId)
    const seen = { ...action, startedAt: notAfter(now, action.startedAt) }
    monitor.lastAction = seen
    if (action.color === 'green') recallGreen(draft, monitor, seen)
    else recallTold(monitor, seen, health, now)
    if (isOpen(action) && records.restoredFrom !== null)
      takeOpenOfBackup(parts, { draft, monitor, now }, action, records.restoredFrom.backupAt)
    else if (isOpen(action)) takeOpen(parts, draft, monitor, action, now)
    else table.remember(monitor, seen)
    if (action.cause === 'digest') recallDigest(parts, action, now)
  }
  recallBudget(parts, records.actions, now)
  recallAnswers(parts, records)
  for (const [monitorId, health] of records.healths) {
    const monitor = table.findOrAdd(monitorId)
    monitor.inMaintenance = health.maintenance !== null
    monitor.isSnoozed = health.snooze !== null
    monitor.isDismissed = isDismissed(health)
    monitor.isQuiet = health.episode === null && health.warning === null
    monitor.openIncidentId = health.episode?.incident?.id ?? null
    monitor.assumeTold(health, records.completeSince, now)
  }
  recallUntold(parts, draft, { ...records, actions }, now)
  for (const queue of queues.destinations()) queue.notAhead(now)
  for (const monitor of table.monitors()) table.refresh(monitor)
}

/**
 * An action that finished by a clock that was ahead is recorded as finished now. Otherwise a later process
 * would consider it newer than what followed it, and might load one without the other.
 */
function clampedToNow(draft: LedgerDraft, action: Action, now: Instant): Action {
  const { queuedAt, startedAt, finishedAt, revision } = action
  if (isOpen(action) || finishedAt === null || finishedAt <= now) return action
  const back = {
    ...action,
    revision: revision + 1,
    queuedAt: Math.min(queuedAt, now),
    startedAt: notAfter(now, startedAt),
    finishedAt: now,
  }
  draft.change(back)
  return back
}

/**
 * The answers to what was in flight are lost, unless an external worker holds the action: it can still
 * report. An action that a worker could have taken but did not has certainly not been carried out.
 */
export function interruptStarted(
  parts: LedgerParts,
  draft: LedgerDraft,
  { external, restoredFrom }: LedgerRecords,
  now: Instant,
  targetOf: (monitorId: string) => string,
): void {
  const { table, queues } = parts
  for (const open of [...table.openActions()]) {
    const { action, monitor } = open
    if (action.state !== 'started') continue
    // A backup does not say what was granted after it was made.
    const isOfWorkers = restoredFrom === null && external.isExternal(action)
    if (isOfWorkers && external.isGranted(action.id)) {
      queues.resumed(open, targetOf)
      continue
    }
    const transaction = { draft, monitor, now }
    if (isOfWorkers) endAction(parts, transaction, open, notTaken)
    else interruptAction(parts, transaction, open)
    table.refresh(monitor)
  }
}

/**
 * Actions that were queued when the backup was made may have been carried out since, so they are not
 * repeated. A red stays queued: it starts only after a check of this process has failed, so it is true when
 * it is sent, and a monitor that still fails is reported.
 */
function takeOpenOfBackup(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  action: Action,
  backupAt: Instant,
): void {
  const { draft, monitor, now } = transaction
  const { id, monitorId, kind, color, state, revision } = action
  if (color === 'red') takeOpen(parts, draft, monitor, action, now)
  else if (state === 'started') takeOpen(parts, draft, monitor, { ...action, followUp: null }, now)
  else {
    const reason = `restored from a backup of ${new Date(backupAt).toISOString()}; it may have been done since`
    const because = { kind: 'restored', backupAt } as const
    const ended = endFields({ state: 'cancelled', outcome: 'expired', reason, because }, now)
    const expired = { ...action, revision: revision + 1, ...ended, owesGreen: color === 'green' }
    draft.changeState(expired, now)
    // Otherwise its episode would wait for it forever: the incident opens instead.
    if (kind === 'intervention' && monitorId !== null)
      draft.report({ kind: 'action-ended', monitorId, actionId: id, outcome: 'rejected' })
    if (expired.owesGreen) restoreOwedGreen(monitor, expired)
  }
}

function takeOpen(
  { table, queues }: LedgerParts,
  draft: LedgerDraft,
  monitor: MonitorActions,
  action: Action,
  now: Instant,
): void {
  const { endpoint, state, queuedAt, notBefore, revision, incidentId, incidentClosed } = action
  // For its next attempt, which may be withdrawn.
  if (incidentClosed !== undefined && incidentId !== null)
    monitor.closedIncident = { id: incidentId, ...incidentClosed }
  const next = { ...action, revision: revision + 1 }
  if (state === 'queued' && endpoint !== null && queues.of(endpoint) === undefined) {
    const ended = endFields({ state: 'cancelled', ...destinationRemoved, reason: action.reason }, now)
    draft.changeState({ ...next, ...ended }, now)
  } else if (state === 'queued' && queuedAt > now) {
    const rebased = { ...next, queuedAt: now, notBefore: now + notBefore - queuedAt }
    table.take(monitor, rebased)
    draft.change(rebased)
  } else table.take(monitor, { ...action, startedAt: notAfter(now, action.startedAt) })
}

function recallTold(monitor: MonitorActions, action: Action, health: Health | undefined, now: Instant): void {
  const { color, cause, endpoint, startedAt, episodeId } = action
  if (color === null || endpoint === null || startedAt === null) return
  if (cause === 'warning') monitor.noteWarningTold(action)
  const episode = health?.episode ?? null
  if (episode === null) return
  if (episodeId === episode.id || wasTakenOver(action, episode, health?.warning ?? null, now))
    monitor.noteTold(episode.id, action)
}

/**
 * Whether the yellow belongs to a warning that the episode took over after the yellow was too old to be
 * loaded, so that it does not name the episode. If a clock that was set back makes it recent again, it must
 * count: its destination is owed the green.
 */
function wasTakenOver(
  { color, cause, startedAt, episodeId }: Action,
  { warnedSince }: Episode,
  warning: Warning | null,
  now: Instant,
): boolean {
  if (color !== 'yellow' || cause !== 'warning' || episodeId !== null || startedAt === null) return false
  const isOfThisWarning = warning !== null && startedAt >= warning.since
  return warnedSince !== undefined && startedAt >= Math.min(warnedSince, now) && !isOfThisWarning
}

/** A later green to the same destination pays what an earlier one owes. */
function recallGreen(draft: LedgerDraft, monitor: MonitorActions, green: Action): void {
  if (green.endpoint !== null) payGreen(draft, monitor, green.endpoint)
  if (green.owesGreen) restoreOwedGreen(monitor, green)
}

/** Runs after the open actions and the incidents are known: they decide what each untold incident still waits for. */
function recallUntold(
  { table, queues, untold }: LedgerParts,
  draft: LedgerDraft,
  { actions, restoredFrom }: LedgerRecords,
  now: Instant,
): void {
  const greens = new Map<string, Action>()
  const keyOf = ({ monitorId, endpoint }: Action) => JSON.stringify([monitorId, endpoint])
  for (const action of actions)
    if (action.color === 'green' && isOpen(action)) greens.set(keyOf(action), action)
  for (const action of actions) {
    if (!isUntoldRed(action)) continue
    // Times of the previous process can be compared with each other, but not with later ones if its clock was ahead.
    const queue = queues.of(action.endpoint)
    const isCarried = wasCarried(action.untold, greens.get(keyOf(action)), queue)
    const isDigested = !isCarried && queue?.isAhead(now) && queue.hasDigestedSince(action.untold.since)
    // Incidents that were untold when the backup was made may have been told since.
    if (restoredFrom !== null || isDigested) {
      const settled = { ...action, untold: null, revision: action.revision + 1 }
      draft.change(settled)
      table.find(action.monitorId)?.noteChange(settled)
    } else {
      const monitor = table.findOrAdd(action.monitorId)
      const kept = untoldClampedToNow(action, now)
      // Otherwise every further restart would count from its own start again.
      if (kept !== action) {
        draft.change(kept)
        monitor.noteChange(kept)
      }
      untold.restore(monitor, kept, isCarried)
    }
  }
}

function untoldClampedToNow(red: UntoldRed, now: Instant): UntoldRed {
  const { since, from, to } = red.untold
  if (Math.max(since ?? now, from, to ?? now) <= now) return red
  const untold = { since: notAfter(now, since), from: Math.min(from, now), to: notAfter(now, to) }
  return { ...red, untold, revision: red.revision + 1 }
}

/** An open green reports it, so no digest did, unless a digest had ended before the green was queued. */
function wasCarried(
  { since, from }: Untold,
  green: Action | undefined,
  queue: DestinationQueue | undefined,
): boolean {
  if (green === undefined || queue === undefined) return false
  const isNewer = green.startedAt !== null && (since ?? from) > green.startedAt
  const isDigested = queue.hasDigestedSince(since) && queue.digestedAt <= green.queuedAt
  return !isNewer && !isDigested
}

function recallDigest({ queues }: LedgerParts, { endpoint, startedAt }: Action, now: Instant): void {
  const queue = endpoint === null ? undefined : queues.of(endpoint)
  if (queue !== undefined && startedAt !== null)
    queue.lastDigestAt = Math.max(queue.lastDigestAt, Math.min(startedAt, now))
}

/**
 * Counts how many in a row each destination did not accept. Of older actions only the lost ones are known, so
 * they are not counted.
 */
function recallAnswers({ queues }: LedgerParts, { actions, completeSince }: LedgerRecords): void {
  const answers = actions.flatMap(({ endpoint, state, outcome, reason, finishedAt: since }) => {
    const isAnswer = state === 'succeeded' || outcome === 'rejected' || outcome === 'timed_out'
    if (!isAnswer || endpoint === null || since === null || since < completeSince) return []
    return [{ endpoint, state, since, reason: reason ?? '' }]
  })
  answers.sort((one, other) => one.since - other.since)
  for (const { endpoint, state, since, reason } of answers) {
    const lost = state === 'unknown' ? { since, reason } : null
    queues.of(endpoint)?.condition.recall(state === 'succeeded', lost)
  }
}

function recallBudget({ queues }: LedgerParts, actions: readonly Action[], now: Instant): void {
  const starts = actions.flatMap(({ kind, startedAt }) =>
    kind === 'intervention' && startedAt !== null ? [Math.min(startedAt, now)] : [],
  )
  for (const at of starts.sort((a, b) => a - b)) queues.interventions.budget.spend(at)
}

function notAfter(now: Instant, instant: Instant | null): Instant | null {
  return instant === null ? null : Math.min(instant, now)
}
