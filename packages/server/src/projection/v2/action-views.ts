// projection/v2/action-views.ts: recoveries and notifications as v2 shows them, each as it last was.
import type { v2 } from '@pulseward/contract'
import { revisionText } from '../../controls/revision-text.ts'
import { type Action, reviewRevisionOf } from '../../deciding/actions/action.ts'
import type { EngineReading } from '../../engine/engine-reading.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { timestamp } from '../../platform/wire.ts'
import { knownFields } from './known-fields.ts'

export class ActionViews {
  readonly #fleet: Fleet
  readonly #engine: EngineReading

  constructor(fleet: Fleet, engine: EngineReading) {
    this.#fleet = fleet
    this.#engine = engine
  }

  view(action: Action): v2.Action & { readonly reviewRevision: string } {
    const { id, monitorId, incidentId, state, kind, queuedAt, startedAt, finishedAt } = action
    const { reason, outcome } = action
    return {
      id,
      state,
      kind,
      reviewRevision: revisionText('Action', id, reviewRevisionOf(action)),
      held: this.#isHeld(action),
      createdAt: timestamp(queuedAt),
      updatedAt: timestamp(finishedAt ?? startedAt ?? queuedAt),
      ...knownFields({
        monitorID: monitorId,
        incidentID: incidentId,
        executionID: startedAt === null ? null : id,
        reason,
        outcome,
        review: reviewView(action),
      }),
    }
  }

  /** An unknown intervention holds back the next one of its monitor until the hold ends. */
  #isHeld({ id, kind, state, monitorId }: Action): boolean {
    if (kind !== 'intervention' || state !== 'unknown' || monitorId === null) return false
    const row = this.#fleet.rowOf(monitorId)
    if (row === -1 || this.#engine.healthOf(row).hold === null) return false
    return this.#engine.actions.lastUnknownInterventionOf(monitorId) === id
  }
}

function reviewView({ id, review }: Action): v2.Action['review'] | null {
  if (review === null) return null
  const { revision, resolution, actor, at, reason, note, evidenceRefs, conflict = null } = review
  return {
    revision: revisionText('Action', id, revision),
    resolution,
    actor,
    reviewedAt: timestamp(at),
    ...knownFields({ reason, note, conflict }),
    evidenceRefs: [...evidenceRefs],
  }
}
