// projection/action-view.ts: an action of the ledger as v1 shows it.
import type { ActionEntry } from '@pulseward/contract'
import type { Action } from '../actions/action.ts'
import { timestamp } from '../platform/wire.ts'

export function actionView(action: Action): ActionEntry {
  const { id, revision, kind, color, endpoint, attempt, state, outcome } = action
  return {
    ...{ id, revision, kind, color, endpoint, attempt, state },
    not_before: timestamp(action.notBefore),
    started_at: timestamp(action.startedAt),
    finished_at: timestamp(action.finishedAt),
    outcome,
  }
}
