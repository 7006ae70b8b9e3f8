// projection/v2/action-views.ts: recoveries and notifications as v2 shows them, each in its last state. What
// only the store knows is read for many actions at once: the incarnation that an action was made for, and its
// execution by a worker.
import type { v2 } from '@pulseward/contract'
import { sharedValue } from '../../config/fleet-file/definition.ts'
import { revisionText } from '../../controls/revision-text.ts'
import { type Action, reviewRevisionOf } from '../../deciding/actions/action.ts'
import type { EngineReading } from '../../engine/engine-reading.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { fileUid } from '../../kinds/file-resources.ts'
import { timestamp } from '../../platform/wire.ts'
import { receiptIdOf, type StoredExecution } from '../../store/execution.ts'
import type { Store } from '../../store/store.ts'
import { becauseV2, delayV2 } from '../because-view.ts'
import { knownFields } from './known-fields.ts'

type ActionView = v2.Action & { readonly reviewRevision: string }

/** What the store keeps with an action. */
interface Beside {
  /** Empty if no managed monitor had the id; undefined if unknown. */
  readonly incarnation?: string | undefined
  /** Its execution by a worker; undefined if the service acts itself, or if no worker was granted the job. */
  readonly execution?: StoredExecution | undefined
}

export interface ActionViewsOptions {
  readonly fleet: Fleet
  readonly engine: EngineReading
  readonly store: Pick<Store, 'identity' | 'readIncarnations' | 'readExecutions'>
}

export class ActionViews {
  readonly #fleet: Fleet
  readonly #engine: EngineReading
  readonly #store: ActionViewsOptions['store']

  constructor({ fleet, engine, store }: ActionViewsOptions) {
    this.#fleet = fleet
    this.#engine = engine
    this.#store = store
  }

  async view(action: Action): Promise<ActionView> {
    const [view] = await this.views([action])
    return view ?? this.alone(action)
  }

  async views(actions: readonly Action[]): Promise<ActionView[]> {
    if (actions.length === 0) return []
    const ids = actions.map(({ id }) => id)
    const [incarnations, executions] = await Promise.all([
      this.#store.readIncarnations(ids),
      this.#store.readExecutions(ids),
    ])
    const byId = new Map(executions.map((execution) => [execution.id, execution]))
    return actions.map((action) => {
      const { id } = action
      return this.#view(action, { incarnation: incarnations.get(id), execution: byId.get(id) })
    })
  }

  /** The view without what only the store knows. */
  alone(action: Action): ActionView {
    return this.#view(action, {})
  }

  #view(action: Action, { incarnation, execution }: Beside): ActionView {
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
        incarnationUID: this.#uidOf(monitorId, incarnation),
        executionID: startedAt === null ? null : id,
        executionRevision: execution?.offerRevision === undefined ? null : String(execution.offerRevision),
        receiptID: execution === undefined || execution.end === null ? null : receiptIdOf(execution),
        reason,
        outcome,
        because: becauseV2(action.because),
        delay: delayV2(action),
        endedBecause: becauseV2(action.endedBecause),
        review: reviewView(action),
      }),
    }
  }

  /** A monitor from a file has a uid derived from its id. */
  #uidOf(monitorId: string | null, incarnation: string | undefined): string | null {
    if (monitorId === null || incarnation !== '') return incarnation ?? null
    const row = this.#fleet.rowOf(monitorId)
    const isOfFile = row !== -1 && sharedValue(this.#fleet.definition.sources, row) !== null
    return isOfFile ? fileUid(this.#store.identity.id, 'Monitor', monitorId) : null
  }

  /** An intervention with an unknown outcome blocks the next one of its monitor until the hold ends. */
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
