// editions/candidate.ts: the release candidate: a durable store, or on request one in memory that behaves the
// same; an incremental index; ready if the engine admits work, makes progress and can store its decisions.
// Unhealthy targets and stale projections do not make it unready.
import type { CandidateReadyz, ExternalWorkers, ReadinessReason } from '@pulseward/contract'
import { EventHub, type StreamAccess } from '../api/event-hub.ts'
import type { Route } from '../api/route.ts'
import { configRoute } from '../api/routes/config.ts'
import { engineRoutes } from '../api/routes/engine.ts'
import { eventsRoute } from '../api/routes/events.ts'
import { fleetRoutes } from '../api/routes/fleet.ts'
import { healthz } from '../api/routes/healthz.ts'
import { historyRoute } from '../api/routes/history.ts'
import { metricsRoute } from '../api/routes/metrics.ts'
import { openApiRoute } from '../api/routes/openapi.ts'
import { overviewRoute } from '../api/routes/overview.ts'
import { type Readiness, readyz } from '../api/routes/readyz.ts'
import { sloRoute } from '../api/routes/slo.ts'
import { stateRoute } from '../api/routes/state.ts'
import { trendRoutes } from '../api/routes/trend.ts'
import type { Registry } from '../managing/registry.ts'
import { type Available, available, unavailable } from '../platform/available.ts'
import { worstCondition } from '../projection/engine-view.ts'
import type { ExternalFigures } from '../projection/external-metrics.ts'
import { FleetLists, type ListSource } from '../projection/fleet-lists.ts'
import { LiveEvents } from '../projection/live-events.ts'
import { LiveIndex } from '../projection/live-index.ts'
import type { ProblemCount, StoreFigures } from '../projection/metrics.ts'
import { MonitorViews, type MonitorViewsOptions } from '../projection/monitor-views.ts'
import { FleetQueries } from '../projection/query/fleet-queries.ts'
import type { Staleness } from '../projection/staleness.ts'
import { TrendViews } from '../projection/trend-views.ts'
import { AutoIncidents } from '../status-pages/auto-incidents.ts'
import { AutoRecords } from '../status-pages/auto-records.ts'
import { StatusPages } from '../status-pages/status-pages.ts'
import { nothingWritten, type WrittenSource } from '../status-pages/written-incident.ts'
import { dataDirectory } from '../store/data-directory.ts'
import { Retention } from '../store/retention.ts'
import type { LabelCount } from '../telemetry/label-counter.ts'
import { type Edition, type Foundation, freshForMs, type Service, stalledSince } from './edition.ts'
import { metricsFoundation, perMonitorSeries } from './metrics-foundation.ts'
import { durableDirectory, openDurable } from './open-durable.ts'

/** The threads of the controller and of the store. */
const steadyThreads = 2

/** How an edition that builds on the candidate differs from it. */
export interface CandidateVariation {
  readonly monitorViews: (options: MonitorViewsOptions) => MonitorViews
  /**
   * The OpenAPI document contains v2, event streams report monitors that were added, removed or changed,
   * actions and events tell why they were decided, and the overview counts monitors that tell nobody.
   */
  readonly servesV2: boolean
  /** Null if event streams do not belong to principals. */
  readonly streamAccess: StreamAccess | null
  /** Problems that only an operator can fix, for metrics. */
  readonly problems?: () => readonly ProblemCount[]
  /** What was tried without being saved, for metrics. */
  readonly trials?: () => readonly LabelCount[] | null
  /** Absent if workers are not served. */
  readonly external?: ExternalReadings
}

/** Workers outside the service, as v1 and metrics show them; null if external jobs are off. */
export interface ExternalReadings {
  readonly workers: () => ExternalWorkers | null
  readonly figures: () => ExternalFigures | null
}

/** The part that other editions build on. */
export interface CandidateService extends Service {
  /** Why the service is not ready; empty if it is. */
  unreadyFor(): readonly ReadinessReason[]
}

const candidateItself: CandidateVariation = {
  monitorViews: (options) => new MonitorViews(options),
  servesV2: false,
  streamAccess: null,
}

export const candidate: Edition = {
  dataDirectory: durableDirectory,
  openStore: (settings, clock, log, standing) =>
    openDurable(settings, clock, log, { servesResources: false, standing }),
  build: (foundation) => buildCandidate(foundation, candidateItself),
}

export function buildCandidate(foundation: Foundation, variation: CandidateVariation): CandidateService {
  const { clock, fleet, opened } = foundation
  const { servesV2 } = variation
  const reading = openReading(foundation, variation)
  const { queries, news, hub, perMonitor } = reading
  const retention = new Retention(opened.store!, () => clock.wallMs())
  const { statusPages, auto, records } = openStatusPages(foundation)
  const unreadyFor = () => readiness(foundation, queries).reasons
  return {
    routes: candidateRoutes(foundation, variation, reading),
    isReady: () => unreadyFor().length === 0,
    unreadyFor,
    queries,
    statusPages,
    fleetChanged(amended) {
      statusPages.fleetChanged()
      auto.fleetChanged(fleet.definition.statusPages)
      if (amended === null) queries.fleetChanged(fleet)
      else queries.fleetAmended(fleet, amended)
      if (servesV2) news.fleetChanged(amended)
      perMonitor?.fleetChanged(amended)
    },
    fleetMoved: () => queries.fleetChanged(fleet),
    start: () => retention.start(),
    everySecond: () => auto.look(),
    async [Symbol.asyncDispose]() {
      hub[Symbol.dispose]()
      retention[Symbol.dispose]()
      await queries[Symbol.asyncDispose]()
      await records[Symbol.asyncDispose]()
    },
  }
}

/** What the routes read from. */
function openReading(foundation: Foundation, variation: CandidateVariation) {
  const { monitorViews, streamAccess, servesV2 } = variation
  const { clock, engine, fleet, log } = foundation
  const staleness = () => stalenessOf(foundation)
  const model = new LiveIndex(fleet, clock, {
    isInForce: () => engine.isAdmitting,
    staleness,
    countSilent: servesV2 ? () => engine.countSilent() : null,
    countsSnoozed: servesV2,
  })
  const queries = new FleetQueries({
    types: fleet.types,
    clock,
    meter: engine.figures.meters.add('projection'),
    onThreadLost: (words) => log.error(words),
  })
  const views = monitorViews({ engine, clock, types: fleet.types })
  const news = new LiveEvents(engine, fleet, model, views, staleness)
  const source = () => rowsOf(foundation)
  const lists = new FleetLists({ queries, engine, views, showsIdentity: true, source })
  const hub = new EventHub(news, streamAccess)
  return { model, queries, news, lists, hub, perMonitor: perMonitorSeries(foundation) }
}

function candidateRoutes(
  foundation: Foundation,
  { servesV2, problems = () => [], trials = () => null, external }: CandidateVariation,
  { model, queries, lists, hub, perMonitor }: ReturnType<typeof openReading>,
): Route[] {
  const { authentication, clock, engine, fleet, loopLag, opened, probeThreads, settings, storage } =
    foundation
  const { figures } = engine
  const store = opened.store!
  const threads = () =>
    probeThreads() + queries.threads + (store.mode === 'memory' ? steadyThreads - 1 : steadyThreads)
  return [
    healthz,
    readyz(() => readiness(foundation, queries)),
    overviewRoute(model),
    ...fleetRoutes(lists),
    ...engineRoutes({
      clock,
      loopLag,
      figures,
      sharing: store.sharing ?? null,
      remote: servesV2 ? foundation.remote : null,
      conditions: () => ({ pulse: worstCondition(engine.sloReport()) }),
    }),
    configRoute({ ...foundation, figures, storeMode: store.mode, indexCap: null }),
    stateRoute({
      ...{ store, storage, engine, threads, tellsReasons: servesV2 },
      externalWorkers: external?.workers ?? null,
    }),
    historyRoute({ store, position: () => engine.commits.position, tellsReasons: servesV2 }),
    sloRoute(clock, () => engine.sloReport()),
    ...trendRoutes({
      trends: new TrendViews({ store, engine, fleet }),
      isLoaded: () => engine.isAdmitting,
    }),
    openApiRoute({ edition: settings.edition, authentication, servesV2 }),
    eventsRoute(hub),
    metricsRoute({
      ...metricsFoundation(foundation, model, perMonitor),
      isReady: () => readiness(foundation, queries).reasons.length === 0,
      slo: () => engine.sloReport(),
      store: () => storeFigures(foundation),
      sharing: store.sharing ?? null,
      problems,
      trials,
      external: external?.figures ?? (() => null),
      remote: servesV2 ? foundation.remote : null,
    }),
  ]
}

function openStatusPages(foundation: Foundation) {
  const { settings, fleet, engine, managing, opened, clock, log } = foundation
  const { public_url: publicUrl, allowed_hosts: allowed, listen } = settings
  const publicHost = publicUrl === null ? undefined : URL.parse(publicUrl)?.hostname
  const names = ['localhost', listen.host, ...allowed, ...(publicHost === undefined ? [] : [publicHost])]
  const directory = durableDirectory(settings)
  const records = new AutoRecords({
    file: directory === null ? null : dataDirectory(directory).statusIncidents,
    log,
  })
  const auto = new AutoIncidents({
    ...{ fleet, engine, records },
    people: managing === null ? nothingWritten : writtenIn(managing.registry),
    isUpToDate: () => engine.isAdmitting && stalenessOf(foundation) === null,
  })
  const statusPages = new StatusPages({
    ...{ fleet, engine, clock, log, publicUrl },
    store: opened.store!,
    isReady: () => engine.isAdmitting,
    ownHosts: new Set(names.map((name) => name.toLowerCase())),
    staleSinceMs: () => stalenessOf(foundation)?.sinceMs ?? null,
    written: auto,
  })
  return { statusPages, auto, records }
}

function writtenIn(registry: Registry): WrittenSource {
  return {
    version: () => registry.commitsOf('StatusIncident'),
    of: (page) => [...registry.allCommitted('StatusIncident')].filter(({ spec }) => spec.pageRef === page),
  }
}

/** The columns belong to the controller: they are as old as its last progress, or as its last successful commit. */
function stalenessOf({ progress, storage }: Foundation): Staleness | null {
  if (storage.failedAtMs !== null) return { sinceMs: storage.failedAtMs, reason: 'storage_unavailable' }
  return stalledSince(progress)
}

function rowsOf(foundation: Foundation): Available<ListSource> {
  const { engine, fleet, clock } = foundation
  if (!engine.isAdmitting) return unavailable('the fleet has not been loaded yet')
  const { definition, columns } = fleet
  const staleness = stalenessOf(foundation)
  return available({ definition, columns, staleness, generatedMs: staleness?.sinceMs ?? clock.wallMs() })
}

async function storeFigures({ engine, opened, storage }: Foundation): Promise<StoreFigures> {
  const usage = await opened.store!.usage().catch(() => null)
  return {
    ready: storage.error === null,
    position: engine.commits.position,
    commitP99Ms: engine.commits.p99Ms,
    bytes: usage?.bytes ?? null,
    revisions: usage?.revisions ?? null,
    unknownActions: engine.actions.unknownActions,
  }
}

function readiness({ engine, progress, storage }: Foundation, queries: FleetQueries): Readiness {
  const reasons: ReadinessReason[] = []
  if (!engine.isAdmitting) reasons.push('admission_not_initialized')
  if (progress.ageMs > freshForMs) reasons.push('controller_stalled')
  if (storage.error !== null) reasons.push('storage_unavailable')
  const details: Omit<CandidateReadyz, 'status' | 'reasons'> = {
    // The columns belong to the controller and are never behind; the query thread that searches them may be.
    projection_fresh: queries.behindMs <= freshForMs,
    admission_initialized: engine.isAdmitting,
    controller_progress_at: new Date(progress.atMs).toISOString(),
    storage_available: storage.error === null,
  }
  return { reasons, details }
}
