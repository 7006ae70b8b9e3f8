// editions/main.ts: the current main edition: everything in memory, read from snapshots of the fleet; ready
// if a nonempty snapshot is at most 30 seconds old.
import type { MainReadyz, ReadinessReason } from '@pulseward/contract'
import { EventHub } from '../api/event-hub.ts'
import type { Route } from '../api/route.ts'
import { configRoute } from '../api/routes/config.ts'
import { engineRoutes } from '../api/routes/engine.ts'
import { eventsRoute } from '../api/routes/events.ts'
import { fleetRoutes } from '../api/routes/fleet.ts'
import { healthz } from '../api/routes/healthz.ts'
import { metricsRoute } from '../api/routes/metrics.ts'
import { openApiRoute } from '../api/routes/openapi.ts'
import { overviewRoute } from '../api/routes/overview.ts'
import { type Readiness, readyz } from '../api/routes/readyz.ts'
import { type Available, available, unavailable } from '../platform/available.ts'
import type { Clock } from '../platform/clock.ts'
import { FleetLists, type ListSource } from '../projection/fleet-lists.ts'
import { SnapshotEvents } from '../projection/live-events.ts'
import { MonitorViews } from '../projection/monitor-views.ts'
import { FleetQueries } from '../projection/query/fleet-queries.ts'
import { SnapshotModel } from '../projection/snapshot.ts'
import type { Staleness } from '../projection/staleness.ts'
import { ForgetfulStore } from '../store/forgetful-store.ts'
import type { Progress } from '../telemetry/progress.ts'
import { type Edition, type Foundation, freshForMs, stalledSince } from './edition.ts'
import { metricsFoundation, perMonitorSeries } from './metrics-foundation.ts'

export const main: Edition = {
  dataDirectory: () => null,
  async openStore() {
    const committing = new ForgetfulStore()
    return {
      committing,
      store: null,
      recovered: null,
      place: 'in memory; a restart forgets',
      async [Symbol.asyncDispose]() {},
    }
  },
  build(foundation) {
    const reading = openReading(foundation)
    const { model, queries, hub, perMonitor, changes } = reading
    return {
      routes: mainRoutes(foundation, reading),
      isReady: () => isReady(model, foundation.clock),
      queries,
      // Readers see the change with the next snapshot. Metrics of single monitors do not come from snapshots.
      fleetChanged(amended) {
        perMonitor?.fleetChanged(amended)
        changes.note(amended)
      },
      fleetMoved: () => changes.note(null),
      start: () => model.start(),
      async [Symbol.asyncDispose]() {
        hub[Symbol.dispose]()
        model[Symbol.dispose]()
        await queries[Symbol.asyncDispose]()
      },
    }
  },
}

/** What the routes read from. */
function openReading(foundation: Foundation) {
  const { settings, fleet, clock, engine, log, progress } = foundation
  const meter = engine.figures.meters.add('projection')
  const onThreadLost = (words: string) => log.error(words)
  const queries = new FleetQueries({ types: fleet.types, clock, meter, onThreadLost })
  const changes = new ChangesSinceSnapshot()
  const staleness = () => stalenessOf(model, progress, clock)
  const model: SnapshotModel = new SnapshotModel({
    fleet,
    clock,
    intervalMs: settings.snapshot_interval,
    indexCap: settings.index_cap,
    staleness,
    meter,
    prepare: () => void engine.countSilent(),
    onFrozen(frozen) {
      const amended = changes.take()
      if (amended === null) queries.fleetChanged(frozen)
      else queries.fleetAmended(frozen, amended)
    },
  })
  const lists = new FleetLists({
    queries,
    engine,
    showsIdentity: false,
    views: new MonitorViews({ engine, clock, types: fleet.types }),
    source: () => rowsOf(model, staleness()),
  })
  const hub = new EventHub(new SnapshotEvents(model, staleness))
  return { model, queries, lists, hub, changes, perMonitor: perMonitorSeries(foundation) }
}

/** Rows that were added, removed or changed since the last snapshot; null if the whole fleet was replaced. */
class ChangesSinceSnapshot {
  #rows: Set<number> | null = null

  note(amended: Uint32Array | null): void {
    if (amended === null) this.#rows = null
    else for (const row of amended) this.#rows?.add(row)
  }

  take(): Uint32Array | null {
    const rows = this.#rows
    this.#rows = new Set()
    return rows === null ? null : Uint32Array.from(rows)
  }
}

function mainRoutes(
  foundation: Foundation,
  { model, lists, hub, perMonitor }: ReturnType<typeof openReading>,
): Route[] {
  const { authentication, clock, engine, loopLag, settings } = foundation
  const { figures } = engine
  return [
    healthz,
    readyz(() => readiness(model, clock)),
    overviewRoute(model),
    ...fleetRoutes(lists),
    ...engineRoutes({ clock, loopLag, figures, sharing: null, remote: null, conditions: () => ({}) }),
    configRoute({ ...foundation, figures, storeMode: null, indexCap: settings.index_cap }),
    openApiRoute({ edition: settings.edition, authentication, servesV2: false }),
    eventsRoute(hub),
    metricsRoute({
      ...metricsFoundation(foundation, model, perMonitor),
      isReady: () => isReady(model, clock),
      slo: () => null,
      problems: () => [],
      trials: () => null,
      external: () => null,
      store: async () => null,
      sharing: null,
      remote: null,
    }),
  ]
}

/** Stale if there is no newer snapshot, or if snapshots show a fleet that is not being checked. */
function stalenessOf(model: SnapshotModel, progress: Progress, clock: Clock): Staleness | null {
  const { takenAtMs } = model
  const ageMs = model.ageMs(clock)
  if (takenAtMs !== null && ageMs !== null && ageMs > freshForMs)
    return { sinceMs: takenAtMs, reason: 'stale_snapshot' }
  return stalledSince(progress)
}

function rowsOf(model: SnapshotModel, staleness: Staleness | null): Available<ListSource> {
  const { frozen, takenAtMs } = model
  if (takenAtMs === null) return unavailable('no snapshot of the fleet has been taken yet')
  if (frozen === null) return unavailable('the fleet is larger than what this edition lists')
  const generatedMs = Math.min(takenAtMs, staleness?.sinceMs ?? takenAtMs)
  return available({ ...frozen, staleness, generatedMs })
}

function isReady(model: SnapshotModel, clock: Clock): boolean {
  return readiness(model, clock).reasons.length === 0
}

function readiness(model: SnapshotModel, clock: Clock): Readiness {
  const reasons: ReadinessReason[] = []
  const ageMs = model.ageMs(clock)
  if (ageMs === null) reasons.push('no_snapshot')
  else if (model.monitors === 0) reasons.push('empty_snapshot')
  if (ageMs !== null && ageMs > freshForMs) reasons.push('stale_snapshot')
  const details: Omit<MainReadyz, 'status' | 'reasons'> = {
    snapshot_at: model.takenAtMs === null ? null : new Date(model.takenAtMs).toISOString(),
    snapshot_age_seconds: ageMs === null ? null : ageMs / 1000,
  }
  return { reasons, details }
}
