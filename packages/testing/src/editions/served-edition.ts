// editions/served-edition.ts: an edition behind its real listener, over an engine whose time and targets the
// test controls: `await using served = await serveEdition('candidate', await TestService.start(fleet))`.
import type { Edition as EditionName, V1OperationName } from '@pulseward/contract'
import type { Route } from '@pulseward/server/internal/api/route.ts'
import type { ApiOptions } from '@pulseward/server/internal/api/server.ts'
import { StatusPaths } from '@pulseward/server/internal/api/status/serve-status.ts'
import { resolveSettings } from '@pulseward/server/internal/config/settings/resolve-settings.ts'
import type { Settings } from '@pulseward/server/internal/config/settings/setting-table.ts'
import { chooseEdition } from '@pulseward/server/internal/editions/choose-edition.ts'
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { ExternalJobs } from '@pulseward/server/internal/external-workers/external-jobs.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { JobTypeInForce } from '@pulseward/server/internal/kinds/job-type-in-force.ts'
import { RemoteProbes } from '@pulseward/server/internal/locations/remote-probes.ts'
import type { Managing } from '@pulseward/server/internal/managing/managing.ts'
import { systemClock } from '@pulseward/server/internal/platform/clock.ts'
import { checkPolicy, outboundPolicy } from '@pulseward/server/internal/platform/network/address-policy.ts'
import { openNetwork } from '@pulseward/server/internal/platform/network/create-network.ts'
import { emptyBatch } from '@pulseward/server/internal/store/record-types.ts'
import { StorageGuard } from '@pulseward/server/internal/store/storage-guard.ts'
import { type Recovered, type Store, StoreError } from '@pulseward/server/internal/store/store.ts'
import { silentLog } from '@pulseward/server/internal/telemetry/log.ts'
import { LoopLagMeter } from '@pulseward/server/internal/telemetry/loop-lag.ts'
import { Progress } from '@pulseward/server/internal/telemetry/progress.ts'
import { SignalCounts } from '@pulseward/server/internal/telemetry/signal-counts.ts'
import { listeningApi } from '../api/api-listener.ts'
import type { FakeClock } from '../engine/fake-clock.ts'

/** What an edition is built over; a TestService is one. */
export interface EditionWorld {
  readonly clock: FakeClock
  readonly fleet: Fleet
  readonly engine: Engine
  readonly store: Store
  /** Absent if there are no external workers. */
  readonly external?: ExternalJobs
  /** Absent if no test connects probes. */
  readonly remote?: RemoteProbes
  jobTypeOf?: (id: string) => JobTypeInForce | null
}

export interface ServeOptions {
  readonly settings?: Partial<Settings>
  readonly api?: Partial<ApiOptions>
  /** False: the edition does not start anything by itself yet. */
  readonly begins?: boolean
  /** The parts that write through v2; only for an edition that serves it. */
  readonly managed?: { readonly managing: Managing; readonly recovered: Recovered }
}

export interface ServedEdition extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly routes: readonly Route[]
  readonly progress: Progress
  readonly clock: FakeClock
  /** Requests a path under /api/v1, or any path from the root. */
  get(path: string, init?: RequestInit): Promise<Response>
  /** Calls a route directly, without HTTP. */
  ask(operation: V1OperationName): unknown
  fleetChanged(): void
  /** As the loop of a running service calls it. */
  everySecond(): void
  /** The next commit and all later ones fail. */
  breakStorage(): Promise<void>
}

const nothingRuns = {
  offer(): never {
    throw new Error('this world runs no checks')
  },
}

export async function serveEdition(
  name: EditionName,
  world: EditionWorld,
  { settings = {}, api = {}, begins = true, managed }: ServeOptions = {},
): Promise<ServedEdition> {
  const { clock, fleet, engine, store } = world
  const progress = new Progress(clock)
  const loopLag = new LoopLagMeter(clock.monotonicMs())
  const storage = new StorageGuard(fullStore, clock, silentLog)
  storage.tell(engine)
  const { values } = resolveSettings({ flags: new Map(), environment: {}, file: null })
  const edition = await chooseEdition(name)
  const inForce = { ...values, edition: name, snapshot_interval: 20, ...settings }
  const networks = openNetworks(inForce)
  const service = edition.build({
    settings: inForce,
    clock,
    fleet,
    engine: engine.reading,
    writing: engine,
    managing: managed?.managing ?? null,
    external: world.external ?? null,
    remote: world.remote ?? new RemoteProbes({ fleet, clock, local: nothingRuns }),
    progress,
    loopLag,
    storage,
    log: silentLog,
    opened: {
      committing: store,
      store,
      recovered: managed?.recovered ?? null,
      place: '',
      async [Symbol.asyncDispose]() {},
    },
    authentication: false,
    startedAtMs: clock.wallMs(),
    ...networks,
    probeThreads: () => 1,
    signalCounts: new SignalCounts(),
    lastReload: () => ({ successful: true, atMs: clock.wallMs() }),
  })
  if (begins) service.fleetChanged(null)
  const {
    url,
    address,
    [Symbol.asyncDispose]: stop,
  } = await listeningApi({
    clock,
    routes: service.routes,
    meter: engine.reading.figures.meters.add('api'),
    v2: service.v2 ?? null,
    status:
      service.statusPages === undefined
        ? null
        : new StatusPaths({ pages: service.statusPages, clock, log: silentLog }),
    ...api,
  })
  const heard = service.listening?.(url) ?? null
  if (begins) service.start()
  return {
    url,
    port: address.port,
    routes: service.routes,
    progress,
    clock,
    get: (path, init) => fetch(`${url}${path.startsWith('/') ? path : `/api/v1/${path}`}`, init),
    ask(operation) {
      const route = service.routes.find((route) => route.operation === operation)!
      return route.answer({ path: {}, query: {}, headers: {} } as Parameters<Route['answer']>[0])
    },
    fleetChanged: () => service.fleetChanged(null),
    everySecond: () => service.everySecond?.(),
    async breakStorage() {
      await storage.commit(emptyBatch).catch(() => {})
    },
    async [Symbol.asyncDispose]() {
      {
        await using _ = heard
      }
      await stop()
      await service[Symbol.asyncDispose]()
      for (const network of Object.values(networks)) network[Symbol.dispose]()
      await storage[Symbol.asyncDispose]()
    },
  }
}

/** For trials: what is tried is real, whatever the engine's checks and providers are. */
function openNetworks(settings: Settings) {
  const allowLinkLocal = settings['network.allow_link_local']
  const allowLoopback = settings['network.allow_loopback_notify']
  const names = { resolvers: settings['network.resolver'] }
  return {
    checkNetwork: openNetwork(checkPolicy({ allowLinkLocal }), names, systemClock),
    outbound: openNetwork(outboundPolicy({ allowLinkLocal, allowLoopback }), names, systemClock),
  }
}

const fullStore: Pick<Store, 'commit'> = {
  async commit() {
    throw new StoreError('corrupt', 'The store is damaged.')
  },
}
