// deciding/actions/review-action.ts: applies a person's review of an action whose outcome is unknown. A
// conclusive review ends the hold of an intervention and settles whether a red arrived; an inconclusive one
// is only recorded. A review never causes an action to be repeated.
import type { Instant } from '../health/health.ts'
import { type Action, isConcluded, type Review } from './action.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import type { LedgerParts } from './ledger-parts.ts'

export function reviewAction(
  parts: LedgerParts,
  draft: LedgerDraft,
  actionId: string,
  review: Review,
  now: Instant,
): void {
  const { table } = parts
  const monitorId = table.unknownAction(actionId)?.monitorId ?? null
  // Read before the review, which makes the table forget it.
  const holds = monitorId !== null && table.find(monitorId)?.lastUnknownIntervention === actionId
  const reviewed = table.review(draft, actionId, review)
  if (reviewed === undefined || review.resolution === 'inconclusive') return
  if (monitorId === null) return
  if (reviewed.color === 'red') settleRed(parts, draft, reviewed, now)
  if (holds) draft.report({ kind: 'hold-reviewed', monitorId })
  const monitor = table.find(monitorId)
  if (monitor !== undefined) table.refresh(monitor)
}

/**
 * Only a conclusive review can be contradicted, and only once: from then on the action is unknown, as before the review.
 */
export function contradictReview(
  { table }: LedgerParts,
  draft: LedgerDraft,
  action: Action,
  conflict: string,
): void {
  const { id, monitorId, kind, review, revision } = action
  if (action.state !== 'unknown' || review === null || !isConcluded(action)) return
  const next = {
    ...action,
    revision: revision + 1,
    review: { ...review, revision: review.revision + 1, conflict },
  }
  const monitor = table.ownerOf(action)
  table.remember(monitor, next)
  if (monitor.lastAction?.id === id) monitor.lastAction = next
  draft.change(next)
  if (kind === 'intervention' && monitorId !== null) draft.report({ kind: 'hold-restored', monitorId })
  table.refresh(monitor)
}

/** The review says whether the incident was told or is untold from now on. Dismissed incidents are not reported. */
function settleRed(
  { table, untold }: LedgerParts,
  draft: LedgerDraft,
  { monitorId, endpoint, incidentId, review }: Action,
  now: Instant,
): void {
  const monitor = monitorId === null ? undefined : table.find(monitorId)
  if (monitor === undefined || endpoint === null) return
  for (const one of untold.of(monitor, endpoint)) {
    if (one.action.incidentId !== incidentId) continue
    if (review?.resolution === 'accepted') untold.settle(draft, one)
    else if (one.action.untold.since === null && !monitor.isDismissed)
      untold.amend(draft, one, { since: now })
  }
}
