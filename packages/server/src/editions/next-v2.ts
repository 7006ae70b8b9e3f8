// editions/next-v2.ts: v2 as the edition `next` serves it: its writes, reads, access control and routes.
import { randomUUID } from 'node:crypto'
import { v2 } from '@pulseward/contract'
import type { Principals } from '../access/principals.ts'
import type { SignInLinks } from '../access/sign-in-links.ts'
import { WriteLimits } from '../access/write-limits.ts'
import { TrustedProxies } from '../api/client-address.ts'
import type { PracticeTarget } from '../api/practice-target.ts'
import type { ProbeGateway } from '../api/probes/probe-gateway.ts'
import type { SessionGate } from '../api/session/session-gate.ts'
import { ListCursors } from '../api/v2/list-cursor.ts'
import { ListPages } from '../api/v2/list-pages.ts'
import { OperationIds } from '../api/v2/operation-ids.ts'
import { actionRoutes } from '../api/v2/routes/action-routes.ts'
import { bulkRoutes, readBulk } from '../api/v2/routes/bulk-routes.ts'
import { controlRoutes } from '../api/v2/routes/control-routes.ts'
import { explanationRoutes } from '../api/v2/routes/explanation-routes.ts'
import { firstMinutesRoutes } from '../api/v2/routes/first-minutes-routes.ts'
import { historyRoute } from '../api/v2/routes/history-route.ts'
import { incidentRoutes } from '../api/v2/routes/incident-routes.ts'
import { onCallRoutes } from '../api/v2/routes/on-call-routes.ts'
import { operationRoute } from '../api/v2/routes/operation-route.ts'
import { pushKeyRoute } from '../api/v2/routes/push-key-route.ts'
import { resourceRoutes } from '../api/v2/routes/resource-routes.ts'
import { serviceRoutes } from '../api/v2/routes/service-routes.ts'
import { telemetryRoutes } from '../api/v2/routes/telemetry-routes.ts'
import { trialRoutes } from '../api/v2/routes/trial-routes.ts'
import { workerRoutes } from '../api/v2/routes/worker-routes.ts'
import type { V2Options } from '../api/v2/serve-v2.ts'
import { V2Gate } from '../api/v2/v2-gate.ts'
import type { V2Route } from '../api/v2/v2-route.ts'
import { type BulkService, openBulk } from '../bulk/open-bulk.ts'
import { driverShapes } from '../config/driver-shapes.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { ControlDesk } from '../controls/control-desk.ts'
import { PageDesk } from '../controls/page-desk.ts'
import { AckLinks } from '../engine/ack-links.ts'
import { Explanations } from '../explaining/explanations.ts'
import { Incarnations } from '../external-workers/incarnations.ts'
import { LateReports } from '../external-workers/late-reports.ts'
import { WorkerDesk } from '../external-workers/worker-desk.ts'
import { driverSchemas } from '../kinds/driver-schemas.ts'
import type { ManagedKind } from '../kinds/kind.ts'
import { ResourceValidator } from '../kinds/validate-resource.ts'
import { KeyedLock } from '../managing/keyed-lock.ts'
import type { Managing } from '../managing/managing.ts'
import { ResourceDesk } from '../managing/resource-desk.ts'
import { ResourceLists } from '../managing/resource-lists.ts'
import { WritePath } from '../managing/write-path.ts'
import { YieldToChecks } from '../managing/yield-to-checks.ts'
import { PageReader } from '../projection/page-facts.ts'
import { ShiftCalendar } from '../projection/shift-calendar.ts'
import { ActionViews } from '../projection/v2/action-views.ts'
import { IncidentViews } from '../projection/v2/incident-views.ts'
import { OnCallViews } from '../projection/v2/on-call-views.ts'
import { ResourceViews } from '../projection/v2/resource-views.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import { formatSteps } from '../store/sqlite/format.ts'
import type { Recovered, Store } from '../store/store.ts'
import type { Trials } from '../trials/trials.ts'
import type { CandidateService } from './candidate.ts'
import type { Foundation } from './edition.ts'
import { isOwnOrigin, workerRates, writeRates } from './next-access.ts'
import { startBulkThread } from './start-bulk.ts'

/** The foundation of a service that has a store and manages resources. */
interface Managed extends Foundation {
  readonly managing: Managing
  readonly store: Store
  readonly recovered: Recovered
}

/** References listed per credential, as the contract says. */
const mostReferences = 100

/** Who may use v2, what helps people in, and what they try. */
interface Access {
  readonly principals: Principals
  readonly sessions: SessionGate
  readonly links: SignInLinks
  readonly practice: PracticeTarget
  readonly trials: Trials
  readonly probes: ProbeGateway
}

export interface ServedV2 extends V2Options {
  readonly bulk: BulkService
}

export function serveV2(foundation: Foundation, service: CandidateService, access: Access): ServedV2 {
  const { principals, sessions, practice, trials, probes } = access
  const managed = managedOf(foundation)
  const { clock, engine, store, recovered } = managed
  const onCall = new OnCallViews(managed.fleet, managed.engine)
  const shifts = new ShiftCalendar(managed.fleet, managed.engine)
  const views = resourceViews(managed, onCall)
  const pages = new ListPages({
    cursors: new ListCursors(store.identity, clock),
    epoch: String(managed.managing.epoch),
    clock,
  })
  const ids = new OperationIds(store.identity, recovered)
  const room = new YieldToChecks(() => engine.checkDelayMs)
  const roomForWrite = () => room.turn()
  const writes = openWrites(managed, service, views)
  const desk = new ResourceDesk(writes)
  const bulk = openBulkService(managed, writes, roomForWrite)
  const many = { operations: bulk.operations, ids, pages, store, versionOf: writes.versionOf }
  return {
    bulk,
    sessions,
    practice,
    probes,
    ack: {
      links: new AckLinks(store.identity),
      desk: new PageDesk({ engine: managed.writing, fleet: managed.fleet }),
      reader: new PageReader(managed.fleet, engine),
      clock,
      isOpen: managed.settings['oncall.ack_links'],
    },
    calendar: {
      calendars: () => managed.managing.registry.allCommitted('Calendar'),
      textOf: (schedule, person) => shifts.of(schedule, person),
    },
    gate: gateOf(foundation, principals, sessions),
    operations: ids,
    admitsWrites: () => engine.isAdmitting,
    roomForWrite,
    routes: [
      ...resourceRoutes({
        desk,
        views,
        lists: resourceLists(managed, service),
        pages,
        change: () => engine.commits.change,
        kinds: kindsOf(managed.settings),
      }),
      ...otherRoutes(managed, service, pages, onCall),
      pushKeyRoute({ desk, views }),
      ...onCallRoutes(onCall, () => engine.now()),
      operationRoute({
        store,
        operations: ids,
        pages,
        ofMany: (number, asked) => readBulk(number, asked, many),
      }),
      ...bulkRoutes(many),
      ...trialRoutes(trials),
      ...externalRoutes(managed, pages, principals),
      ...firstMinutesRoutes({ ...access, clock }),
    ],
  }
}

function managedOf(foundation: Foundation): Managed {
  const { managing, opened } = foundation
  const { store, recovered } = opened
  if (managing === null || store === null || recovered === null)
    throw new Error('the edition next has a store and manages resources')
  return { ...foundation, managing, store, recovered }
}

function resourceViews({ engine, fleet, managing }: Managed, onCall: OnCallViews): ResourceViews {
  const { registry, epoch } = managing
  return new ResourceViews({
    fleet,
    engine,
    schemas: driverSchemas,
    epoch,
    isAvailable: ({ id }) => registry.credentialValue(id) !== null,
    referencesTo: (id) => [...registry.uses.usersOf({ kind: 'Credential', id }).take(mostReferences)],
    onCall,
  })
}

/** Shared by single writes and operations, so that neither overtakes the other. */
function openWrites(
  { clock, managing, store, writing }: Managed,
  service: CandidateService,
  views: ResourceViews,
) {
  const { registry, vault } = managing
  return {
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
}

function openBulkService(
  { clock, engine, fleet, log, managing }: Managed,
  writes: ReturnType<typeof openWrites>,
  roomForWrite: () => Promise<void> | null,
): BulkService {
  return openBulk({
    ...writes,
    roomForWrite,
    fleet,
    epoch: managing.epoch,
    lastChange: () => engine.commits.change,
    startThread: startBulkThread,
    clock,
    log,
  })
}

function resourceLists({ fleet, managing, store }: Managed, { queries }: CandidateService): ResourceLists {
  return new ResourceLists({
    store,
    registry: managing.registry,
    fleet,
    async monitorsOfFiles(after, size, labels) {
      const answer = await queries.fromFiles(after, size, labels)
      return answer.kind === 'answered' ? answer.value.rows : null
    },
  })
}

function gateOf({ clock, settings }: Foundation, principals: Principals, sessions: SessionGate): V2Gate {
  return new V2Gate({
    principals,
    sessions,
    limits: new WriteLimits(clock, writeRates(settings)),
    workerLimits: new WriteLimits(clock, workerRates(settings)),
    proxies: new TrustedProxies(settings.proxies),
    isOwnOrigin: (origin, host) => isOwnOrigin(origin, host, settings.public_url),
    clock,
  })
}

/** The routes of workers outside the service. A poll ends when its token is revoked. */
function externalRoutes(
  { engine, external, settings, store, writing }: Managed,
  pages: ListPages,
  principals: Principals,
): V2Route[] {
  if (external === null || !settings.external_jobs) return []
  const isRevoked = () => new V2Problem('unauthorized', 'The token no longer belongs to a principal.')
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

/** The routes besides resources and operations: observations and controls. */
function otherRoutes(
  { clock, engine, external, fleet, managing, settings, storage, store, writing }: Managed,
  { unreadyFor, queries }: CandidateService,
  pages: ListPages,
  onCall: OnCallViews,
): V2Route[] {
  const position = () => engine.commits.position
  const actions = new ActionViews({ fleet, engine, store })
  const incidents = new IncidentViews(fleet, engine, onCall)
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
    ...explanationRoutes(new Explanations({ fleet, engine, store, onCall, clock })),
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
      problems: () => managing.problems.words,
      storageFormat: formatSteps.length,
      drivers: driverShapes,
      kinds: kindsOf(settings),
    }),
  ]
}

function kindsOf({ external_jobs }: Settings): ManagedKind[] {
  return v2.resourceKinds.filter((kind) => external_jobs || v2.kinds[kind].build !== 'external_jobs')
}
