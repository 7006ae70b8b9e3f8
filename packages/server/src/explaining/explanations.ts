// explaining/explanations.ts: collects what is recorded and in force about a monitor, an incident or an action, and explains it.
import type { v2 } from '@pulseward/contract'
import type { Action } from '../deciding/actions/action.ts'
import { type Episode, type Instant, type OpenIncident, snoozedUntilMs } from '../deciding/health/health.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { monitorFormOf } from '../fleet/monitor-form.ts'
import type { Clock } from '../platform/clock.ts'
import type { OnCallViews } from '../projection/v2/on-call-views.ts'
import type { StoredIncident } from '../store/incident.ts'
import { retentionMs } from '../store/retention.ts'
import type { Store } from '../store/store.ts'
import { routingFormOf } from './configured.ts'
import { configuredAt, type RevisionStore, recordedSince } from './configured-then.ts'
import { explainAction } from './explain-action.ts'
import { explainIncident } from './explain-incident.ts'
import { explainMonitor } from './explain-monitor.ts'
import { explainPast, explainUnrecorded } from './explain-past.ts'
import type { AncestorFacts, IncidentFacts } from './monitor-facts.ts'
import { type PastStore, pastOf, recordBegins } from './past.ts'

export interface ExplanationsOptions {
  readonly fleet: Fleet
  readonly engine: EngineReading
  readonly store: PastStore & RevisionStore & Pick<Store, 'readAction' | 'readIncident'>
  readonly onCall: OnCallViews
  readonly clock: Clock
}

/** Those of what is the matter with a monitor are among its latest. */
const latestActions = 200

export class Explanations {
  readonly #options: ExplanationsOptions

  constructor(options: ExplanationsOptions) {
    this.#options = options
  }

  /** Null if the monitor is not in the fleet. */
  async ofMonitor(id: string, endpoint: string | null): Promise<v2.DecisionExplanation | null> {
    const { engine, fleet, store } = this.#options
    const before = fleet.rowOf(id)
    if (before === -1) return null
    const actions = await this.#actionsOf(id)
    const opened = engine.healthOf(before).episode?.incident ?? null
    const stored = opened === null ? null : await store.readIncident(opened.id)
    return this.#present(id, endpoint, actions, stored)
  }

  /** At an earlier moment, by the log. Null if the monitor never was, or nothing of it is kept. */
  async ofMonitorAt(
    id: string,
    at: Instant,
    endpoint: string | null,
  ): Promise<v2.DecisionExplanation | null> {
    const { store } = this.#options
    const past = await pastOf(store, id, at)
    if (past === null) return null
    const teller = { at, names: this.#names }
    const oldest = this.now - retentionMs
    if (at < oldest) return explainUnrecorded(id, teller, oldest)
    const configured = await configuredAt(this.#options, id, at)
    // An earlier version may have recorded events, and no configuration.
    const begins = Math.min(recordedSince(configured) ?? at, (await recordBegins(store)) ?? Infinity)
    return at < begins
      ? explainUnrecorded(id, teller, begins)
      : explainPast({ ...teller, id, past, configured, endpoint })
  }

  get now(): Instant {
    return this.#options.engine.now()
  }

  /** Null if the incident never was, or is no longer kept. */
  async ofIncident(id: string): Promise<v2.DecisionExplanation | null> {
    const { engine, store } = this.#options
    const incident = await store.readIncident(id)
    if (incident === null) return null
    const { because, closed, monitorId } = incident
    const all = await this.#actionsOf(monitorId)
    const recovery = because !== null && 'actionId' in because ? because.actionId : undefined
    const actions = all.filter((action) => action.incidentId === id || action.id === recovery)
    const present = closed === null ? this.#present(monitorId, null, all, incident) : null
    return explainIncident({ incident, actions, present, at: engine.now(), names: this.#names })
  }

  /** Null if the action never was, or is no longer kept. */
  async ofAction(id: string): Promise<v2.DecisionExplanation | null> {
    const { engine, store } = this.#options
    const action = await store.readAction(id)
    if (action === null) return null
    const at = engine.now()
    const wait = engine.actions.waitOf(id, at)
    return explainAction({ action, at, names: this.#names, wait, isHeld: this.#isHeld(action) })
  }

  /** Everything of one moment: the fleet may have changed while the store answered. */
  #present(
    id: string,
    endpoint: string | null,
    actions: readonly Action[],
    stored: StoredIncident | null,
  ): v2.DecisionExplanation | null {
    const { engine, fleet, onCall } = this.#options
    const row = fleet.rowOf(id)
    if (row === -1) return null
    const at = engine.now()
    const health = engine.healthOf(row)
    const { episode } = health
    const incident = episode?.incident ?? null
    return explainMonitor({
      id,
      at,
      names: this.#names,
      endpoint,
      configured: { monitor: monitorFormOf(fleet.definition, row), routing: routingFormOf(fleet.definition) },
      snoozedUntilMs: snoozedUntilMs(health),
      window: engine.windowOf(row),
      ancestor: this.#ancestorOf(row, episode?.firstFailureAt ?? at),
      incident: incident === null ? null : incidentFacts(incident, stored),
      actions: episode === null ? [] : actions.filter((action) => isOf(action, episode)),
      health,
      places: fleet.policyOf(row).places ?? null,
      lastError: engine.noteOf(row)?.lastError ?? null,
      rules: engine.rulesOf(row),
      page: incident === null ? null : onCall.pageOf(id, incident.id),
      destinations: engine.actions.destinations(at),
      nextCheckAt: this.#nextCheckAt(row),
      reportsByItself: engine.reportOf(row) !== null,
    })
  }

  async #actionsOf(monitorId: string): Promise<Action[]> {
    const { actions } = await this.#options.store.listActions({
      monitorId,
      after: null,
      limit: latestActions,
    })
    return actions.map(({ action }) => action)
  }

  #ancestorOf(row: number, firstFailureAt: Instant): AncestorFacts {
    const { engine, fleet } = this.#options
    const { dependencies } = fleet.definition
    if (dependencies.values[dependencies.of[row]!]!.length === 0) return { kind: 'none' }
    const ancestors = engine.ancestorsOf(row, firstFailureAt)
    if (ancestors.kind !== 'in-trouble') return ancestors
    const since = engine.healthOf(fleet.rowOf(ancestors.by)).episode?.firstFailureAt ?? null
    return { kind: 'in-trouble', by: ancestors.by, since }
  }

  #isHeld({ id, kind, monitorId, state }: Action): boolean {
    const { engine } = this.#options
    if (kind !== 'intervention' || state !== 'unknown' || monitorId === null) return false
    return engine.actions.lastUnknownInterventionOf(monitorId) === id
  }

  /** A monitor is called by its id if it has left the fleet. */
  readonly #names = (monitorId: string): string => {
    const { fleet } = this.#options
    const row = fleet.rowOf(monitorId)
    return row === -1 ? monitorId : fleet.nameOf(row)
  }

  #nextCheckAt(row: number): number | null {
    const { clock, engine } = this.#options
    const report = engine.reportOf(row)
    if (report !== null) return report.state.dueAt
    const dueMs = engine.nextCheckMs(row)
    return dueMs === null ? null : clock.wallMs() + dueMs - clock.monotonicMs()
  }
}

function incidentFacts(
  { id, openedAt, handling }: OpenIncident,
  stored: StoredIncident | null,
): IncidentFacts {
  return {
    id,
    openedAt,
    because: stored?.id === id ? stored.because : null,
    acknowledged: handling?.acknowledged ?? null,
    isDismissed: handling?.isDismissed ?? false,
  }
}

function isOf({ episodeId, incidentId }: Action, { id, incident }: Episode): boolean {
  return episodeId === id || (incidentId !== null && incidentId === incident?.id)
}
