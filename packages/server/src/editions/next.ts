// editions/next.ts: the candidate, and v2: resources that people create, change and delete while the service runs. Its
// principals, its keys and its writes come from the rooms access, vault and managing; this is where they meet.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { v2 } from '@pulseward/contract'
import type { Principals } from '../access/principals.ts'
import { WriteLimits } from '../access/write-limits.ts'
import { TrustedProxies } from '../api/client-address.ts'
import type { SessionGate } from '../api/session/session-gate.ts'
import { ListCursors } from '../api/v2/list-cursor.ts'
import { ListPages } from '../api/v2/list-pages.ts'
import { OperationIds } from '../api/v2/operation-ids.ts'
import { actionRoutes } from '../api/v2/routes/action-routes.ts'
import { bulkRoutes, readBulk } from '../api/v2/routes/bulk-routes.ts'
import { controlRoutes } from '../api/v2/routes/control-routes.ts'
import { historyRoute } from '../api/v2/routes/history-route.ts'
import { incidentRoutes } from '../api/v2/routes/incident-routes.ts'
import { operationRoute } from '../api/v2/routes/operation-route.ts'
import { resourceRoutes } from '../api/v2/routes/resource-routes.ts'
import { serviceRoutes } from '../api/v2/routes/service-routes.ts'
import { telemetryRoutes } from '../api/v2/routes/telemetry-routes.ts'
import { workerRoutes } from '../api/v2/routes/worker-routes.ts'
import type { V2Options } from '../api/v2/serve-v2.ts'
import { V2Gate } from '../api/v2/v2-gate.ts'
import type { V2Route } from '../api/v2/v2-route.ts'
import { type BulkService, openBulk } from '../bulk/open-bulk.ts'
import { driverShapes } from '../config/driver-shapes.ts'
import { DefinitionBuilder } from '../config/fleet-file/definition-builder.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { ControlDesk } from '../controls/control-desk.ts'
import { recentActionsMs } from '../engine/engine-settings.ts'
import { Incarnations } from '../external-workers/incarnations.ts'
import { LateReports } from '../external-workers/late-reports.ts'
import { WorkerDesk } from '../external-workers/worker-desk.ts'
import { workerFigures, workersView } from '../external-workers/workers-view.ts'
import { driverSchemas } from '../kinds/driver-schemas.ts'
import type { ManagedKind } from '../kinds/kind.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { adoptFleet } from '../managing/adopt.ts'
import { KeyedLock } from '../managing/keyed-lock.ts'
import { Managing } from '../managing/managing.ts'
import { problemKinds } from '../managing/operator-problems.ts'
import { ResourceDesk } from '../managing/resource-desk.ts'
import { ResourceLists } from '../managing/resource-lists.ts'
import { WritePath } from '../managing/write-path.ts'
import { YieldToChecks } from '../managing/yield-to-checks.ts'
import { UsageError } from '../platform/usage-error.ts'
import { NextMonitorViews } from '../projection/next-monitor-views.ts'
import { ActionViews } from '../projection/v2/action-views.ts'
import { IncidentViews } from '../projection/v2/incident-views.ts'
import { ResourceViews } from '../projection/v2/resource-views.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import { formatSteps } from '../store/sqlite/format.ts'
import type { Store } from '../store/store.ts'
import {
  buildCandidate,
  type CandidateService,
  candidate,
  type ExternalReadings,
  openDurable,
} from './candidate.ts'
import type { AdoptionOptions, Edition, Foundation, OpenedStore } from './edition.ts'
import {
  isOwnOrigin,
  openPrincipals,
  sessionGate,
  streamAccess,
  tellAddress,
  workerRates,
  writeRates,
} from './next-access.ts'

/** Of a credential, as the contract says. */
const mostReferences = 100

export const next: Edition = {
  dataDirectory: candidate.dataDirectory,
  openStore: (settings, clock, log) => openDurable(settings, clock, log, true),
  openManaging: (options) => Managing.open({ ...options, drivers: driverShapes }),
  adopt: adoptFiles,
  build(foundation) {
    const { managing } = foundation
    const principals = openPrincipals(foundation)
    const sessions = sessionGate(principals, foundation)
    const service = buildCandidate(foundation, {
      monitorViews: (options) => new NextMonitorViews(options),
      servesV2: true,
      streamAccess: streamAccess(principals, sessions, foundation),
      external: externalReadings(foundation),
      ...(managing === null
        ? {}
        : { problems: () => problemKinds.map((kind) => ({ kind, count: managing.problems.countOf(kind) })) }),
    })
    followCredentials(foundation, service)
    const { bulk, ...served } = v2Of(foundation, service, principals, sessions)
    return {
      ...service,
      v2: served,
      start() {
        service.start()
        bulk.start()
      },
      fleetChanged(amended) {
        service.fleetChanged(amended)
        foundation.managing?.lookForLostReferences()
      },
      listening: (url) => whileListening(foundation, url),
      async [Symbol.asyncDispose]() {
        await bulk[Symbol.asyncDispose]()
        sessions.sessions[Symbol.dispose]()
        principals[Symbol.dispose]()
        await service[Symbol.asyncDispose]()
      },
    }
  },
}

/** Answers with the store as it is then. */
async function adoptFiles(options: AdoptionOptions): Promise<OpenedStore> {
  const { settings, fleet, opened, loaded, clock, log } = options
  const { store, recovered } = opened
  if (store?.mode !== 'sqlite' || recovered === null)
    throw new UsageError('--adopt needs a store that a restart keeps: leave --store memory out.')
  await using managing = await Managing.open({
    settings,
    fleet,
    recovered,
    store,
    log,
    drivers: driverShapes,
  })
  const { registry, vault } = managing
  const validator = new ResourceValidator(driverShapes)
  const now = () => clock.wallMs()
  const adopted = await adoptFleet({
    loaded,
    registry,
    vault,
    store,
    recovered,
    validator,
    newUid: randomUUID,
    now,
    log,
  })
  log.info(
    { ...adopted, files: loaded.files },
    'the fleet files were adopted: v2 manages what they have from now on. Start without --adopt, and without these files, or with nothing but their routes in them',
  )
  const again = await store.recover(recentActionsMs(settings))
  // That the store was restored is for the engine to know, which has not started yet.
  return { ...opened, recovered: { ...again, restoredFrom: recovered.restoredFrom } }
}

/**
 * Values that can be opened again, or no longer, go to everything that uses them. Before the fleet is loaded there is
 * nothing to tell: it is loaded with the values of then, and what changed since is told once it runs.
 */
function followCredentials({ engine, managing, writing }: Foundation, service: CandidateService): void {
  if (managing === null) return
  const tell = () => {
    if (!engine.isAdmitting) return void setTimeout(tell, 1_000).unref()
    const change = { entries: new DefinitionBuilder().finish({}), removed: [], head: null }
    void writing.turn((turn) =>
      service.fleetChanged(writing.amendFleet(turn, change, managing.registry.credentials())),
    )
  }
  managing.onValuesChanged(tell)
}

/** Ends before the listener does, which would wait for polls otherwise. */
function whileListening(foundation: Foundation, url: string): Disposable {
  const address = tellAddress(foundation, url)
  return {
    [Symbol.dispose]() {
      foundation.external?.polls.close()
      address?.[Symbol.dispose]()
    },
  }
}

function v2Of(
  foundation: Foundation,
  service: CandidateService,
  principals: Principals,
  sessions: SessionGate,
): V2Options & { readonly bulk: BulkService } {
  const { clock, engine, fleet, managing, opened, settings, writing } = foundation
  const { store, recovered } = opened
  const { queries } = service
  if (managing === null || store === null || recovered === null)
    throw new Error('the edition next has a store and manages resources')
  const { registry, vault, epoch } = managing
  const views = new ResourceViews({
    fleet,
    engine,
    schemas: driverSchemas,
    epoch,
    isAvailable: ({ id }) => registry.credentialValue(id) !== null,
    referencesTo: (id) => [...registry.uses.usersOf({ kind: 'Credential', id }).take(mostReferences)],
  })
  const pages = new ListPages({
    cursors: new ListCursors(store.identity, clock),
    epoch: String(epoch),
    clock,
  })
  const operations = new OperationIds(store.identity, recovered)
  const writes = {
    engine: writing,
    registry,
    store,
    vault,
    validator: new ResourceValidator(driverShapes),
    schemas: driverSchemas,
    newUid: randomUUID,
    versionOf: (change: number) => views.versionOf({ change }),
    lock: new KeyedLock(),
    path: new WritePath({
      engine: writing,
      registry,
      vault,
      clock,
      amended(rows) {
        service.fleetChanged(rows)
        managing.noteWrite()
      },
    }),
  }
  const desk = new ResourceDesk(writes)
  const room = new YieldToChecks(() => engine.checkDelayMs)
  const roomForWrite = () => room.turn()
  const bulk = openBulk({
    ...writes,
    roomForWrite,
    fleet,
    epoch,
    lastChange: () => engine.commits.change,
    directory: resolve(settings.data),
    clock,
    log: foundation.log,
  })
  const routing = { operations: bulk.operations, ids: operations, pages, store, versionOf: writes.versionOf }
  return {
    bulk,
    sessions,
    gate: new V2Gate({
      principals,
      sessions,
      limits: new WriteLimits(clock, writeRates(settings)),
      workerLimits: new WriteLimits(clock, workerRates(settings)),
      proxies: new TrustedProxies(settings.proxies),
      isOwnOrigin: (origin, host) => isOwnOrigin(origin, host, settings.public_url),
      clock,
    }),
    operations,
    admitsWrites: () => engine.isAdmitting,
    roomForWrite,
    routes: [
      ...resourceRoutes({
        desk,
        views,
        lists: new ResourceLists({
          store,
          registry,
          fleet,
          async monitorsOfFiles(after, size, labels) {
            const answer = await queries.fromFiles(after, size, labels)
            return answer.kind === 'answered' ? answer.value.rows : null
          },
        }),
        pages,
        change: () => engine.commits.change,
        kinds: kindsOf(settings),
      }),
      ...otherRoutes(foundation, service, store, pages),
      operationRoute({
        store,
        operations,
        pages,
        ofMany: (number, asked) => readBulk(number, asked, routing),
      }),
      ...bulkRoutes(routing),
      ...externalRoutes(foundation, store, pages, principals),
    ],
  }
}

/** The talk with workers outside the service. Polls end with the tokens that they came with. */
function externalRoutes(
  { engine, external, settings, writing }: Foundation,
  store: Store,
  pages: ListPages,
  principals: Principals,
): V2Route[] {
  if (external === null || !settings.external_jobs) return []
  const isRevoked = () => new V2Problem('unauthorized', 'The token is not one of a principal any more.')
  principals.onChange(({ ended }) => external.polls.endThoseOf(ended, isRevoked))
  const late = new LateReports({ jobs: external, engine: writing, store })
  return workerRoutes({
    jobs: external,
    desk: new WorkerDesk({ jobs: external, engine: writing, store, late }),
    late,
    incarnations: new Incarnations(store, () => engine.commits.change),
    serverId: store.identity.id,
    pages,
    position: () => engine.commits.position,
  })
}

function externalReadings({ external, settings }: Foundation): ExternalReadings {
  const jobs = settings.external_jobs ? external : null
  return {
    workers: () => (jobs === null ? null : workersView(jobs)),
    figures: () => (jobs === null ? null : workerFigures(jobs)),
  }
}

/** Everything besides resources and operations: what can be read, and what people ask of it. */
function otherRoutes(
  { clock, engine, external, fleet, managing, settings, storage, writing }: Foundation,
  { unreadyFor, queries }: CandidateService,
  store: Store,
  pages: ListPages,
): V2Route[] {
  const position = () => engine.commits.position
  const actions = new ActionViews({ fleet, engine, store })
  const incidents = new IncidentViews(fleet, engine)
  const desk = new ControlDesk({
    engine: writing,
    store,
    wallMs: () => clock.wallMs(),
    mayStillRun: (actionId) => external?.mayStillRun(actionId) ?? false,
  })
  return [
    ...controlRoutes({ desk, store, incidents, actions }),
    ...incidentRoutes({ store, views: incidents, pages, position }),
    ...actionRoutes({ store, views: actions, pages, position }),
    historyRoute({ store, pages, position }),
    ...telemetryRoutes({ engine, clock, pages }),
    ...serviceRoutes({
      clock,
      engine,
      actions,
      store,
      storage,
      unreadyFor,
      behindMs: () => queries.behindMs,
      problems: () => managing?.problems.words ?? null,
      storageFormat: formatSteps.length,
      drivers: driverShapes,
      kinds: kindsOf(settings),
    }),
  ]
}

function kindsOf({ external_jobs }: Settings): ManagedKind[] {
  return v2.resourceKinds.filter((kind) => external_jobs || v2.kinds[kind].build !== 'external_jobs')
}
