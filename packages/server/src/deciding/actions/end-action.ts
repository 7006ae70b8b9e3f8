// deciding/actions/end-action.ts: what an answer, or a lost one, means for a started action and its
// destination. Only a notification that was rejected for now is retried, as a new action, while it is still
// true. A lost answer ends an action as unknown, and an unknown action is never repeated.
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { InterventionOutcome } from '../health/input.ts'
import type { Action, End, NotificationAction, NotificationSubject } from './action.ts'
import type { LedgerTransaction } from './action-table.ts'
import { endedAsGone } from './destination.ts'
import type { DestinationQueue } from './destination-queue.ts'
import { digestEnded } from './digest.ts'
import type { LedgerParts } from './ledger-parts.ts'
import { isNotification, type OpenAction, type OpenNotification } from './monitor-actions.ts'
import type { Later } from './notification-planner.ts'

const firstRetryMs = 4_000
const longestRetryMs = 300_000

/** The longest wait that a provider may ask for. */
const longestAskedMs = 3_600_000

export function endAction(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  open: OpenAction,
  outcome: ActionOutcome,
): void {
  if (!isNotification(open)) {
    parts.table.end(transaction, open, endFor(outcome))
    return reportIntervention(transaction, open.action, outcomeFor(outcome))
  }
  const { endpoint, followUp } = open.action
  const queue = parts.queues.of(endpoint)
  const isProbe = queue?.isProbe(open) ?? false
  parts.table.end(transaction, open, endFor(outcome))
  if (queue !== undefined) noteCondition(transaction, queue, outcome, isProbe)
  endNotification(parts, transaction, open, outcome, followUp)
}

/** The previous process started it, so its answer will never be known. */
export function interruptAction(parts: LedgerParts, transaction: LedgerTransaction, open: OpenAction): void {
  const { followUp } = open.action
  const reason = 'the service stopped before the answer came'
  const because = { kind: 'interrupted' } as const
  parts.table.end(transaction, open, { state: 'unknown', outcome: 'interrupted', reason, because })
  if (!isNotification(open)) return reportIntervention(transaction, open.action, 'unknown')
  if (followUp !== null) parts.planner.sendFollowUp(transaction, open.action, followUp, null)
  settle(parts, transaction, open)
}

/** The destination died while the notification was queued. */
export function failUndeliverable(
  { table }: LedgerParts,
  transaction: LedgerTransaction,
  open: OpenAction,
): void {
  table.end(transaction, open, endedAsGone)
  transaction.draft.pageEnded(open.action)
  table.refresh(transaction.monitor)
}

function endNotification(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  open: OpenNotification,
  outcome: ActionOutcome,
  followUp: NotificationSubject | null,
): void {
  const later = laterFor(parts, transaction, open.action, outcome)
  if (followUp !== null) parts.planner.sendFollowUp(transaction, open.action, followUp, later)
  else if (later !== null && parts.planner.retry(transaction, open, later))
    return parts.untold.greenEnded(transaction, open)
  settle(parts, transaction, open)
}

/** The notification is not retried: what it told is settled, and what it failed to tell stays untold. */
function settle(parts: LedgerParts, transaction: LedgerTransaction, open: OpenNotification): void {
  const { action } = open
  if (action.cause === 'page') transaction.draft.pageEnded(action)
  else if (action.cause === 'digest') digestEnded(parts, transaction, action)
  else if (action.color === 'green') parts.untold.greenEnded(transaction, open)
  else if (action.color !== 'red') return
  else if (action.state === 'succeeded') parts.untold.redDelivered(transaction, action)
  // A monitor that was removed meanwhile is not reported.
  else if (open.retryEndsAs?.outcome !== 'removed') parts.untold.notDelivered(transaction, action)
}

/** When to retry; null if the answer is final. For an ailing destination, its condition decides when. */
function laterFor(
  { queues }: LedgerParts,
  { now }: LedgerTransaction,
  { id: actionId, endpoint, attempt }: NotificationAction,
  outcome: ActionOutcome,
): Later | null {
  if (outcome.kind !== 'retry' && outcome.kind !== 'not-sent') return null
  const askedMs = outcome.kind === 'retry' ? providerWaitMs(outcome.retryAfterMs) : null
  const isAiling = outcome.kind === 'retry' && (queues.of(endpoint)?.condition.isAiling ?? false)
  const ownMs = retryWaitMs(outcome.kind === 'retry' ? attempt : 1)
  const waitMs = isAiling ? 0 : (askedMs ?? ownMs)
  const asked = !isAiling && askedMs !== null
  return { at: now + waitMs, because: { kind: 'retry', actionId, waitMs, asked } }
}

function noteCondition(
  transaction: LedgerTransaction,
  queue: DestinationQueue,
  outcome: ActionOutcome,
  isProbe: boolean,
): void {
  const { draft, now } = transaction
  const { name, fingerprint } = queue.destination
  switch (outcome.kind) {
    case 'gone':
      if (queue.isDead) return
      queue.condition.died(outcome.reason, now)
      // Notifications queued for it are ended with the next starts: there may be more than one decision should hold.
      return draft.destinationChanged(
        'destination_dead',
        name,
        { kind: 'answer', answer: 'gone' },
        { reason: outcome.reason, fingerprint },
        now,
      )
    case 'accepted':
      if (queue.condition.succeeded() === 'recovered')
        draft.destinationChanged('destination_recovered', name, { kind: 'taken' }, null, now)
      return
    case 'not-sent':
      return
    case 'unknown':
      queue.condition.gaveUp(outcome.reason, now)
      if (queue.condition.unanswered(outcome.reason, now) === 'ailing')
        ails(transaction, queue, outcome.reason)
      return
    case 'rejected':
    case 'retry': {
      if (outcome.kind === 'rejected') queue.condition.gaveUp(outcome.reason, now)
      const askedMs = outcome.kind === 'rejected' ? null : providerWaitMs(outcome.retryAfterMs)
      const change = queue.condition.rejected(outcome.reason, askedMs, isProbe, now)
      if (change === 'ailing') ails(transaction, queue, outcome.reason)
      else if (change === 'waits') draft.keepDestinations()
    }
  }
}

function ails({ draft, now }: LedgerTransaction, queue: DestinationQueue, reason: string): void {
  const because = { kind: 'not_taken', inARow: queue.condition.failuresInARow } as const
  draft.destinationChanged('destination_ailing', queue.destination.name, because, { reason }, now)
}

function reportIntervention(
  { draft }: LedgerTransaction,
  { id: actionId, monitorId }: Action,
  outcome: InterventionOutcome,
): void {
  if (monitorId !== null) draft.report({ kind: 'action-ended', monitorId, actionId, outcome })
}

function endFor(outcome: ActionOutcome): End {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'succeeded', outcome: 'accepted', reason: null }
    case 'rejected':
    case 'retry':
      return failed('rejected', outcome.reason, outcome.kind)
    case 'not-sent':
      return failed('rejected', outcome.reason, 'not_sent')
    case 'gone':
      return failed('gone', outcome.reason, 'gone')
    case 'unknown': {
      const because = { kind: 'answer', answer: 'lost' } as const
      return { state: 'unknown', outcome: 'timed_out', reason: outcome.reason, because }
    }
  }
}

function failed(
  outcome: 'rejected' | 'gone',
  reason: string,
  answer: 'rejected' | 'retry' | 'not_sent' | 'gone',
): End {
  return { state: 'failed', outcome, reason, because: { kind: 'answer', answer } }
}

function outcomeFor(outcome: ActionOutcome): InterventionOutcome {
  if (outcome.kind === 'accepted') return 'accepted'
  return outcome.kind === 'unknown' ? 'unknown' : 'rejected'
}

function providerWaitMs(retryAfterMs: number | null): number | null {
  if (retryAfterMs === null || Number.isNaN(retryAfterMs)) return null
  return Math.min(Math.max(retryAfterMs, 0), longestAskedMs)
}

/** The wait after the attempt with this number. */
function retryWaitMs(attempt: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** (attempt - 1))
}
