// projection/action-view.ts: an action of the ledger as v1 shows it.
import type { ActionEntry } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import type { WaitReason } from '../deciding/actions/selection.ts'
import { timestamp } from '../platform/wire.ts'

/** waitingFor is asked only of queued ones. */
export function actionView(action: Action, waitingFor: (actionId: string) => WaitReason | null): ActionEntry {
  const { id, revision, kind, color, endpoint, attempt, state, outcome, reason } = action
  return {
    id,
    revision,
    kind,
    color,
    endpoint,
    attempt,
    state,
    not_before: timestamp(action.notBefore),
    started_at: timestamp(action.startedAt),
    finished_at: timestamp(action.finishedAt),
    outcome,
    reason,
    waiting_for: state === 'queued' ? waitingFor(id) : null,
  }
}
