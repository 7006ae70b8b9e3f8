// deciding/actions/end-action.ts: what an answer, or its absence, makes of a started action, and of its destination. A definite
// answer is a fact; what nobody knows is unknown and ends there. Only notifications that were rejected for now are
// tried again, as new actions, for as long as what they say is true.
import type { Instant } from '../health/health.ts'
import type { InterventionOutcome } from '../health/input.ts'
import type { Action, CodeSubject } from './action.ts'
import type { Page } from './books.ts'
import type { DestinationLane } from './destination-lane.ts'
import { digestEnded } from './digest.ts'
import type { Line } from './monitor-book.ts'
import type { LedgerParts } from './parts.ts'
import { destinationIsGone, providerWaitMs, retryWaitMs, type Verdict } from './verdict.ts'

type End = Pick<Action, 'state' | 'outcome' | 'reason'>

export function endAction(parts: LedgerParts, page: Page, line: Line, verdict: Verdict): void {
  const { action } = line
  const lane = action.endpoint === null ? undefined : parts.selection.laneOf(action.endpoint)
  const isProbe = lane?.isProbe(line) ?? false
  parts.books.end(page, line, endFor(verdict))
  if (action.kind === 'intervention') return reportIntervention(page, action, outcomeFor(verdict))
  if (lane !== undefined) noteCondition(page, lane, verdict, isProbe)
  endCode(parts, page, line, verdict, action.followUp)
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
  verdict: Verdict,
  followUp: CodeSubject | null,
): void {
  const later = laterFor(parts, page, line.action, verdict)
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
  verdict: Verdict,
): Instant | null {
  if (verdict.kind === 'not-sent') return now + retryWaitMs(1, null)
  if (verdict.kind !== 'rejected-for-now') return null
  const isAiling = selection.laneOf(endpoint!)?.condition.isAiling ?? false
  return isAiling ? now : now + retryWaitMs(attempt, verdict.retryAfterMs)
}

function noteCondition(page: Page, lane: DestinationLane, verdict: Verdict, isProbe: boolean): void {
  const { draft, now } = page
  const { name, fingerprint } = lane.destination
  switch (verdict.kind) {
    case 'gone':
      if (lane.isDead) return
      lane.condition.died(verdict.reason, now)
      // What is queued for it ends with the next starts: there may be more than one decision should carry.
      return draft.destinationChanged('destination_dead', name, { reason: verdict.reason, fingerprint }, now)
    case 'accepted':
      if (lane.condition.succeeded() === 'recovered')
        draft.destinationChanged('destination_recovered', name, null, now)
      return
    case 'not-sent':
      return
    case 'ambiguous':
      lane.condition.gaveUp(verdict.reason, now)
      if (lane.condition.unanswered(verdict.reason, now) === 'ailing') ails(page, name, verdict.reason)
      return
    case 'rejected':
    case 'rejected-for-now': {
      if (verdict.kind === 'rejected') lane.condition.gaveUp(verdict.reason, now)
      const askedMs = verdict.kind === 'rejected' ? null : providerWaitMs(verdict.retryAfterMs)
      const change = lane.condition.rejected(verdict.reason, askedMs, isProbe, now)
      if (change === 'ailing') ails(page, name, verdict.reason)
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

function endFor(verdict: Verdict): End {
  switch (verdict.kind) {
    case 'accepted':
      return { state: 'succeeded', outcome: 'accepted', reason: null }
    case 'rejected':
    case 'rejected-for-now':
    case 'not-sent':
      return { state: 'failed', outcome: 'rejected', reason: verdict.reason }
    case 'gone':
      return { state: 'failed', outcome: 'gone', reason: verdict.reason }
    case 'ambiguous':
      return { state: 'unknown', outcome: 'timed_out', reason: verdict.reason }
  }
}

function outcomeFor(verdict: Verdict): InterventionOutcome {
  if (verdict.kind === 'accepted') return 'accepted'
  return verdict.kind === 'ambiguous' ? 'unknown' : 'rejected'
}
