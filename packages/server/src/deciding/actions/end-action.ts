// deciding/actions/end-action.ts: what an answer, or its absence, makes of a started action, and of its destination. A definite
// answer is a fact; what nobody knows is unknown and ends there. Only notifications that were rejected for now are
// tried again, as new actions, for as long as what they say is true.
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Instant } from '../health/health.ts'
import type { InterventionOutcome } from '../health/input.ts'
import type { Action, CodeSubject } from './action.ts'
import type { Page } from './books.ts'
import { destinationIsGone } from './destination.ts'
import type { DestinationLane } from './destination-lane.ts'
import { digestEnded } from './digest.ts'
import type { Line } from './monitor-book.ts'
import type { LedgerParts } from './parts.ts'
import { providerWaitMs, retryWaitMs } from './retry-times.ts'

type End = Pick<Action, 'state' | 'outcome' | 'reason'>

export function endAction(parts: LedgerParts, page: Page, line: Line, outcome: ActionOutcome): void {
  const { action } = line
  const lane = action.endpoint === null ? undefined : parts.selection.laneOf(action.endpoint)
  const isProbe = lane?.isProbe(line) ?? false
  parts.books.end(page, line, endFor(outcome))
  if (action.kind === 'intervention') return reportIntervention(page, action, outcomeFor(outcome))
  if (lane !== undefined) noteCondition(page, lane, outcome, isProbe)
  endCode(parts, page, line, outcome, action.followUp)
}

/** The process that started it is gone, and with it the chance to hear an answer. */
export function interruptAction(parts: LedgerParts, page: Page, line: Line): void {
  const { action } = line
  const reason = 'the service stopped before the answer came'
  parts.books.end(page, line, { state: 'unknown', outcome: 'interrupted', reason })
  if (action.kind === 'intervention') return reportIntervention(page, action, 'unknown')
  if (action.followUp !== null) parts.desk.sendFollowUp(page, action, action.followUp, page.now)
  settle(parts, page, line)
}

/** It was queued when its destination died. */
export function buryAction({ books }: LedgerParts, page: Page, line: Line): void {
  books.end(page, line, { state: 'failed', outcome: 'gone', reason: destinationIsGone })
  books.closeBook(page.book)
}

function endCode(
  parts: LedgerParts,
  page: Page,
  line: Line,
  outcome: ActionOutcome,
  followUp: CodeSubject | null,
): void {
  const later = laterFor(parts, page, line.action, outcome)
  if (followUp !== null) parts.desk.sendFollowUp(page, line.action, followUp, later ?? page.now)
  else if (later !== null && parts.desk.retry(page, line, later)) return parts.desk.greenEnded(page, line)
  settle(parts, page, line)
}

/** It is not tried again: what it leaves behind. */
function settle(parts: LedgerParts, page: Page, line: Line): void {
  const { action } = line
  if (action.cause === 'digest') digestEnded(parts, page, action)
  else if (action.color === 'green') parts.desk.greenEnded(page, line)
  else if (action.color !== 'red') return
  else if (action.state === 'succeeded') parts.desk.redArrived(page, action)
  else parts.desk.leaveUntold(page, action)
}

/** When to try again; null when the answer is final. An ailing destination says itself when it is tried again. */
function laterFor(
  { selection }: LedgerParts,
  { now }: Page,
  { endpoint, attempt }: Action,
  outcome: ActionOutcome,
): Instant | null {
  if (outcome.kind === 'not-sent') return now + retryWaitMs(1, null)
  if (outcome.kind !== 'retry') return null
  const isAiling = selection.laneOf(endpoint!)?.condition.isAiling ?? false
  return isAiling ? now : now + retryWaitMs(attempt, outcome.retryAfterMs)
}

function noteCondition(page: Page, lane: DestinationLane, outcome: ActionOutcome, isProbe: boolean): void {
  const { draft, now } = page
  const { name, fingerprint } = lane.destination
  switch (outcome.kind) {
    case 'gone':
      if (lane.isDead) return
      lane.condition.died(outcome.reason, now)
      // What is queued for it ends with the next starts: there may be more than one decision should carry.
      return draft.destinationChanged('destination_dead', name, { reason: outcome.reason, fingerprint }, now)
    case 'accepted':
      if (lane.condition.succeeded() === 'recovered')
        draft.destinationChanged('destination_recovered', name, null, now)
      return
    case 'not-sent':
      return
    case 'unknown':
      lane.condition.gaveUp(outcome.reason, now)
      if (lane.condition.unanswered(outcome.reason, now) === 'ailing') ails(page, name, outcome.reason)
      return
    case 'rejected':
    case 'retry': {
      if (outcome.kind === 'rejected') lane.condition.gaveUp(outcome.reason, now)
      const askedMs = outcome.kind === 'rejected' ? null : providerWaitMs(outcome.retryAfterMs)
      const change = lane.condition.rejected(outcome.reason, askedMs, isProbe, now)
      if (change === 'ailing') ails(page, name, outcome.reason)
      else if (change === 'waits') draft.keepDestinations()
    }
  }
}

function ails({ draft, now }: Page, name: string, reason: string): void {
  draft.destinationChanged('destination_ailing', name, { reason }, now)
}

function reportIntervention({ draft }: Page, { id, monitorId }: Action, outcome: InterventionOutcome): void {
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
