// projection/v2/incident-views.ts: incidents as v2 shows them. Whether one is open depends on the position that the list
// reads. What people did about it is as committed now. It opened because of the failed check that was recorded with it.
import type { v2 } from '@pulseward/contract'
import { revisionText } from '../../controls/revision-text.ts'
import { failureIn } from '../../deciding/health/because.ts'
import type { EngineReading } from '../../engine/engine-reading.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { timestamp } from '../../platform/wire.ts'
import type { StoredIncident } from '../../store/incident.ts'
import { becauseV2 } from '../because-view.ts'
import { knownFields } from './known-fields.ts'
import type { OnCallViews } from './on-call-views.ts'

export class IncidentViews {
  readonly #fleet: Fleet
  readonly #engine: EngineReading
  readonly #onCall: OnCallViews

  constructor(fleet: Fleet, engine: EngineReading, onCall: OnCallViews) {
    this.#fleet = fleet
    this.#engine = engine
    this.#onCall = onCall
  }

  view(incident: StoredIncident): v2.Incident {
    const { id, monitorId, openedAt, closed, handling, because } = incident
    return {
      id,
      monitorID: monitorId,
      revision: revisionText('Incident', id, handling.revision),
      state: closed === null ? 'open' : 'closed',
      dismissed: handling.dismissal !== null,
      ...knownFields({
        openedAt: timestamp(openedAt),
        closedAt: timestamp(closed?.at ?? null),
        acknowledgedBy: handling.acknowledgedBy,
        acknowledgedAt: timestamp(handling.acknowledgedAt),
        reason: handling.dismissal?.reason ?? failureIn(because) ?? this.#failureNow(incident),
        because: becauseV2(because),
        escalation: closed === null ? this.#onCall.pageOf(monitorId, id) : null,
      }),
    }
  }

  /** For incidents of versions that did not record the failed check: what is known now, while it is open. */
  #failureNow({ id, monitorId, closed }: StoredIncident): string | null {
    const row = closed === null ? this.#fleet.rowOf(monitorId) : -1
    if (row === -1 || this.#engine.healthOf(row).episode?.incident?.id !== id) return null
    return this.#engine.noteOf(row)?.lastError ?? null
  }
}
