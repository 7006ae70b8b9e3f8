// actions/end-action.ts: what an answer, or its absence, makes of a started action. A definite answer is a fact; what
// nobody knows is unknown and ends there. Only codes that were rejected for now are tried again, as new actions.
import type { Instant } from '../health/health.ts'
import type { InterventionOutcome } from '../health/input.ts'
import type { Action, CodeSubject } from './action.ts'
import type { Page } from './books.ts'
import type { Line } from './monitor-book.ts'
import type { LedgerParts } from './parts.ts'
import { destinationIsGone, providerWaitMs, retryWaitMs, type Verdict } from './verdict.ts'

type End = Pick<Action, 'state' | 'outcome' | 'reason'>

export function endAction(parts: LedgerParts, page: Page, line: Line, verdict: Verdict): void {
  const { action } = line
  parts.books.end(page, line, endFor(verdict))
  if (action.kind === 'intervention') reportIntervention(page, action, outcomeFor(verdict))
  else endCode(parts, page, line, verdict, action.followUp)
}

/** The run that started it is over, and with it the chance to hear an answer. */
export function interruptAction(parts: LedgerParts, page: Page, line: Line): void {
  const { action } = line
  const reason = 'the service stopped before the answer came'
  parts.books.end(page, line, { state: 'unknown', outcome: 'interrupted', reason })
  if (action.kind === 'intervention') reportIntervention(page, action, 'unknown')
  else if (action.followUp !== null) parts.desk.sendFollowUp(page, action, action.followUp, page.now)
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
  const { action } = line
  let notBefore: Instant | null = null
  if (verdict.kind === 'gone') buryDestination(parts, page, action.endpoint!, verdict.reason)
  if (verdict.kind === 'rejected-for-now') notBefore = laterFor(parts, page, action, verdict.retryAfterMs)
  if (followUp !== null) parts.desk.sendFollowUp(page, action, followUp, notBefore ?? page.now)
  else if (notBefore !== null) parts.desk.retry(page, line, notBefore)
}

/** When to try again; null when this was the last attempt. The provider's wait holds for all that is sent there. */
function laterFor(
  { selection }: LedgerParts,
  { now }: Page,
  { endpoint, attempt }: Action,
  retryAfterMs: number | null,
): Instant | null {
  const askedMs = providerWaitMs(retryAfterMs)
  if (askedMs !== null) selection.laneOf(endpoint!)?.pauseUntil(now + askedMs)
  const waitMs = retryWaitMs(attempt, retryAfterMs)
  return waitMs === null ? null : now + waitMs
}

/** What is queued for it ends with the next starts: there may be more than one decision should carry. */
function buryDestination(
  { selection }: LedgerParts,
  { draft, now }: Page,
  name: string,
  reason: string,
): void {
  const lane = selection.laneOf(name)
  if (lane === undefined || lane.deadSince !== null) return
  lane.deadSince = now
  draft.destinationDied(name, { reason, fingerprint: lane.destination.fingerprint }, now)
}

function reportIntervention({ draft }: Page, { id, monitorId }: Action, outcome: InterventionOutcome): void {
  draft.report({ kind: 'action-ended', monitorId, actionId: id, outcome })
}

function endFor(verdict: Verdict): End {
  switch (verdict.kind) {
    case 'accepted':
      return { state: 'succeeded', outcome: 'accepted', reason: null }
    case 'rejected':
    case 'rejected-for-now':
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
