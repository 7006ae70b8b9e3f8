// deciding/actions/end-action.ts: what an answer, or its absence, makes of a started action, and of its destination. A definite
// answer is a fact; what nobody knows is unknown and ends there. Only notifications that were rejected for now are
// tried again, as new actions, for as long as what they say is true.
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Instant } from '../health/health.ts'
import type { InterventionOutcome } from '../health/input.ts'
import type { Action, NotificationSubject } from './action.ts'
import type { LedgerTransaction } from './action-table.ts'
import { destinationIsGone } from './destination.ts'
import type { DestinationQueue } from './destination-queue.ts'
import { digestEnded } from './digest.ts'
import type { LedgerParts } from './ledger-parts.ts'
import type { OpenAction } from './monitor-actions.ts'

type End = Pick<Action, 'state' | 'outcome' | 'reason'>

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
  const { action } = open
  const queue = action.endpoint === null ? undefined : parts.queues.of(action.endpoint)
  const isProbe = queue?.isProbe(open) ?? false
  parts.table.end(transaction, open, endFor(outcome))
  if (action.kind === 'intervention') return reportIntervention(transaction, action, outcomeFor(outcome))
  if (queue !== undefined) noteCondition(transaction, queue, outcome, isProbe)
  endNotification(parts, transaction, open, outcome, action.followUp)
}

/** The process that started it is gone, and with it the chance to hear an answer. */
export function interruptAction(parts: LedgerParts, transaction: LedgerTransaction, open: OpenAction): void {
  const { action } = open
  const reason = 'the service stopped before the answer came'
  parts.table.end(transaction, open, { state: 'unknown', outcome: 'interrupted', reason })
  if (action.kind === 'intervention') return reportIntervention(transaction, action, 'unknown')
  if (action.followUp !== null)
    parts.planner.sendFollowUp(transaction, action, action.followUp, transaction.now)
  settle(parts, transaction, open)
}

/** It was queued when its destination died. */
export function failUndeliverable(
  { table }: LedgerParts,
  transaction: LedgerTransaction,
  open: OpenAction,
): void {
  table.end(transaction, open, { state: 'failed', outcome: 'gone', reason: destinationIsGone })
  table.refresh(transaction.monitor)
}

function endNotification(
  parts: LedgerParts,
  transaction: LedgerTransaction,
  open: OpenAction,
  outcome: ActionOutcome,
  followUp: NotificationSubject | null,
): void {
  const later = laterFor(parts, transaction, open.action, outcome)
  if (followUp !== null)
    parts.planner.sendFollowUp(transaction, open.action, followUp, later ?? transaction.now)
  else if (later !== null && parts.planner.retry(transaction, open, later))
    return parts.planner.greenEnded(transaction, open)
  settle(parts, transaction, open)
}

/** It is not tried again: what it leaves behind. */
function settle(parts: LedgerParts, transaction: LedgerTransaction, open: OpenAction): void {
  const { action } = open
  if (action.cause === 'digest') digestEnded(parts, transaction, action)
  else if (action.color === 'green') parts.planner.greenEnded(transaction, open)
  else if (action.color !== 'red') return
  else if (action.state === 'succeeded') parts.planner.redArrived(transaction, action)
  else parts.planner.leaveUntold(transaction, action)
}

/** When to try again; null when the answer is final. An ailing destination says itself when it is tried again. */
function laterFor(
  { queues }: LedgerParts,
  { now }: LedgerTransaction,
  { endpoint, attempt }: Action,
  outcome: ActionOutcome,
): Instant | null {
  if (outcome.kind === 'not-sent') return now + retryWaitMs(1, null)
  if (outcome.kind !== 'retry') return null
  const isAiling = queues.of(endpoint!)?.condition.isAiling ?? false
  return isAiling ? now : now + retryWaitMs(attempt, outcome.retryAfterMs)
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
      // What is queued for it ends with the next starts: there may be more than one decision should carry.
      return draft.destinationChanged('destination_dead', name, { reason: outcome.reason, fingerprint }, now)
    case 'accepted':
      if (queue.condition.succeeded() === 'recovered')
        draft.destinationChanged('destination_recovered', name, null, now)
      return
    case 'not-sent':
      return
    case 'unknown':
      queue.condition.gaveUp(outcome.reason, now)
      if (queue.condition.unanswered(outcome.reason, now) === 'ailing')
        ails(transaction, name, outcome.reason)
      return
    case 'rejected':
    case 'retry': {
      if (outcome.kind === 'rejected') queue.condition.gaveUp(outcome.reason, now)
      const askedMs = outcome.kind === 'rejected' ? null : providerWaitMs(outcome.retryAfterMs)
      const change = queue.condition.rejected(outcome.reason, askedMs, isProbe, now)
      if (change === 'ailing') ails(transaction, name, outcome.reason)
      else if (change === 'waits') draft.keepDestinations()
    }
  }
}

function ails({ draft, now }: LedgerTransaction, name: string, reason: string): void {
  draft.destinationChanged('destination_ailing', name, { reason }, now)
}

function reportIntervention(
  { draft }: LedgerTransaction,
  { id, monitorId }: Action,
  outcome: InterventionOutcome,
): void {
  draft.report({ kind: 'action-ended', monitorId: monitorId!, actionId: id, outcome })
}

function endFor(outcome: ActionOutcome): End {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'succeeded', outcome: 'accepted', reason: null }
    case 'rejected':
    case 'retry':
    case 'not-sent':
      return { state: 'failed', outcome: 'rejected', reason: outcome.reason }
    case 'gone':
      return { state: 'failed', outcome: 'gone', reason: outcome.reason }
    case 'unknown':
      return { state: 'unknown', outcome: 'timed_out', reason: outcome.reason }
  }
}

function outcomeFor(outcome: ActionOutcome): InterventionOutcome {
  if (outcome.kind === 'accepted') return 'accepted'
  return outcome.kind === 'unknown' ? 'unknown' : 'rejected'
}

function providerWaitMs(retryAfterMs: number | null): number | null {
  if (retryAfterMs === null || Number.isNaN(retryAfterMs)) return null
  return Math.min(Math.max(retryAfterMs, 0), longestAskedMs)
}

/** After the attempt with this number. */
function retryWaitMs(attempt: number, retryAfterMs: number | null): number {
  return providerWaitMs(retryAfterMs) ?? Math.min(longestRetryMs, firstRetryMs * 2 ** (attempt - 1))
}
