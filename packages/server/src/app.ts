// app.ts: the one place where everything is wired, in the order of the flow. Everything that is opened is owned at
// once, so that a failure half-way closes it again, in reverse order.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { DriverActions } from './acting/driver-actions.ts'
import { Assets } from './api/assets.ts'
import { notBuilt } from './api/page.ts'
import { startApi } from './api/server.ts'
import { ProbePool } from './checking/probe/probe-pool.ts'
import { threadsAtStart } from './checking/probe/thread-demand.ts'
import { checks } from './checks/registry.ts'
import { externalDrivers } from './config/external-driver.ts'
import { FileWatch } from './config/fleet-file/watch-files.ts'
import { isLoopback } from './config/settings/listen-address.ts'
import { readServerIdentity } from './config/settings/server-identity.ts'
import type { Settings } from './config/settings/setting-table.ts'
import { chooseEdition } from './editions/choose-edition.ts'
import type { Edition } from './editions/edition.ts'
import { readTogether } from './editions/read-together.ts'
import { startLoop } from './engine/controller-loop.ts'
import { createEngine } from './engine/create-engine.ts'
import { TimerChain } from './engine/timer-chain.ts'
import { ExternalJobs } from './external-workers/external-jobs.ts'
import { Compactor } from './fleet/compactor.ts'
import { Fleet } from './fleet/fleet.ts'
import { LoadThreads, loadArrangement, reloadFleet } from './fleet/load-arrangement.ts'
import { Reloader, type ReloadResult } from './fleet/reloader.ts'
import { keeperOfFirst } from './fleet/snapshot/fleet-snapshot-keeper.ts'
import { withoutAdopted } from './managing/adopt.ts'
import type { Clock } from './platform/clock.ts'
import { createIds } from './platform/ids.ts'
import { checkPolicy, outboundPolicy } from './platform/network/address-policy.ts'
import { openNetwork } from './platform/network/create-network.ts'
import { UsageError } from './platform/usage-error.ts'
import { Canaries } from './self-watch/canaries.ts'
import { DeadMansSwitch } from './self-watch/dead-mans-switch.ts'
import { dataDirectory } from './store/data-directory.ts'
import { StorageGuard } from './store/storage-guard.ts'
import type { Log } from './telemetry/log.ts'
import { LoopLagMeter } from './telemetry/loop-lag.ts'
import { Progress } from './telemetry/progress.ts'

/** Beside the bundles in a package; where it is built to in a checkout. */
function dashboardFolder(): string {
  const [packaged = '', built = ''] = ['dashboard', '../../dashboard/dist'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return existsSync(packaged) ? packaged : built
}

export interface AppOptions {
  readonly settings: Settings
  readonly token: string | null
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Log
  /** Everything of the fleet files becomes managed through v2. */
  readonly adopts?: boolean
  /** What the owner has to do in the rhythm of the service, which is awake then. */
  readonly everySecond?: () => void
}

export interface App {
  readonly url: string
  readonly monitors: number
  readonly dataPlace: string
  readonly storeMode: 'sqlite' | 'memory'
  reload(): Promise<ReloadResult>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startApp(options: AppOptions): Promise<App> {
  const { settings, token, environment, clock, log, adopts = false, everySecond = () => {} } = options
  const { listen } = settings
  const edition = await chooseEdition(settings.edition)
  const hasPrincipals = edition.openManaging !== undefined
  const isForAnybody = token === null && isLoopback(listen.host)
  if (token === null && !isForAnybody && !hasPrincipals) {
    throw new UsageError(
      `Listening on ${listen.host} reaches beyond this machine and needs a token: pass --token-file.`,
    )
  }
  const identity = readServerIdentity(settings['tls.certificate_file'], settings['tls.key_file'])
  const adopt = adopts ? adoptionOf(edition, settings) : null
  const allowEmpty = settings.allow_empty || hasPrincipals
  const directory = edition.dataDirectory(settings)
  const data = directory === null ? null : dataDirectory(directory)
  const files = { paths: settings.config, allowEmpty, environment, snapshotPath: data?.fleet ?? null }

  await using owned = new AsyncDisposableStack()
  const watch = settings.watch
    ? owned.use(new FileWatch(settings.config, () => void reloader.reload()))
    : null
  await watch?.remember()
  const loadThreads = owned.use(new LoadThreads(log))
  const { inFiles, inStore } = await readTogether(
    () => loadArrangement({ ...files, before: null }, loadThreads),
    () => edition.openStore(settings, clock, log),
    data !== null && existsSync(data.database),
  )
  owned.use(inStore)
  // Where resources are managed, workers outside of the service may carry out checks.
  const types = hasPrincipals ? Object.keys(externalDrivers) : []
  const fleet = new Fleet([...Object.keys(checks), ...types])
  const opened =
    adopt === null ? inStore : await adopt({ settings, fleet, opened: inStore, loaded: inFiles, clock, log })
  const fromFiles = adopt === null ? inFiles : withoutAdopted(inFiles)
  const managing =
    edition.openManaging === undefined || opened.recovered === null || opened.store === null
      ? null
      : owned.use(
          await edition.openManaging({
            settings,
            fleet,
            recovered: opened.recovered,
            store: opened.store,
            log,
          }),
        )
  const loaded =
    managing === null || opened.recovered === null
      ? fromFiles
      : await managing.fleetWith(fromFiles, opened.recovered)
  const storage = owned.use(
    new StorageGuard(opened.committing, clock, log, {
      failed: () => engine.pause(),
      works: () => engine.resume(),
    }),
  )
  const networkSettings = {
    allowLinkLocal: settings['network.allow_link_local'],
    resolvers: settings['network.resolver'],
  }
  const bounds = {
    least: settings.probe_threads ?? 0,
    most: settings.probe_threads ?? availableParallelism(),
  }
  const probes = owned.use(
    new ProbePool({
      threads: threadsAtStart(loaded.arrangement.definition, bounds),
      bounds,
      setup: networkSettings,
      onResults: (batch) => engine.takeResults(probes, batch),
      onLost: (rows, words) => {
        log.error({ checks: rows.length }, `${words}; it is replaced and its checks say nothing`)
        engine.takeLost(probes, rows, words)
      },
    }),
  )
  const allowLoopback = settings['network.allow_loopback_notify']
  const outbound = owned.use(
    openNetwork(outboundPolicy({ ...networkSettings, allowLoopback }), networkSettings, clock),
  )
  const actions = new DriverActions({
    outlets: { network: outbound, log: (message, fields) => log.info(fields, message) },
    means: { network: outbound, allowCommand: settings['recovery.allow_command'] },
  })
  const ids = createIds(clock)
  const external =
    managing === null
      ? null
      : new ExternalJobs({
          fleet,
          clock,
          ids,
          jobType: (id) => managing.registry.jobType(id),
          mostPolls: settings['limits.polls'],
        })
  const engine = createEngine({
    settings,
    fleet,
    clock,
    log,
    ids,
    store: { committer: storage, recovered: opened.recovered },
    sources: [{ checks: probes }, { actions }, ...(external === null ? [] : [external])],
  })
  if (opened.recovered !== null) external?.connect(engine.reading, opened.recovered)
  const progress = new Progress(clock)
  const loopLag = new LoopLagMeter(clock.monotonicMs())
  const reloader = new Reloader({
    load: async () => {
      const { definition, present } = fleet
      const reloaded = await reloadFleet({ ...files, before: { definition, present } }, loadThreads)
      managing?.refuseClashes(reloaded)
      return reloaded
    },
    apply: (reloaded) => {
      fileSnapshot?.filesChange()
      service.fleetChanged(engine.applyFleet(managing === null ? reloaded : managing.reloaded(reloaded)))
    },
    clock,
    log,
  })
  const service = owned.use(
    edition.build({
      settings,
      clock,
      fleet,
      progress,
      engine: engine.reading,
      writing: engine,
      managing,
      external,
      loopLag,
      opened,
      storage,
      log,
      authentication: !isForAnybody,
      startedAtMs: clock.wallMs(),
      probeThreads: () => probes.threads,
      lastReload: () => reloader.last,
    }),
  )
  // Two kinds of rights under one token would be a right that nobody meant to give.
  if (token !== null && service.v2?.gate.knows(token))
    throw new UsageError('The token of v1 is also the token of a principal; give v1 another one.')
  if (token === null && !isForAnybody && service.v2?.gate.isOpenToSomebody === false)
    throw new UsageError(
      `Listening on ${listen.host} reaches beyond this machine and needs a principal or a token: make one with pulseward token create, or pass --token-file.`,
    )
  const assets = Assets.read(dashboardFolder())
  if (!assets.isBuilt) log.warn(notBuilt)
  // The listener opens before the first check: a port that is taken stops the start, and nothing was touched.
  const api = owned.use(
    await startApi({
      listen,
      token,
      routes: service.routes,
      clock,
      log,
      meter: engine.reading.figures.meters.add('api'),
      identity,
      proxies: settings.proxies,
      origins: settings.cors,
      publicUrl: settings.public_url,
      allowedHosts: settings.allowed_hosts,
      concurrentRequests: settings['limits.concurrent_requests'],
      assets,
      v2: service.v2 ?? null,
    }),
  )
  owned.use(service.listening?.(api.url) ?? null)

  const network = owned.use(openNetwork(checkPolicy(networkSettings), networkSettings, clock))
  owned.use(
    new Canaries({
      wanted: settings['network.canaries'],
      network,
      checksPerSecond: () => engine.checksPerSecond,
      read: (canary, passes) => engine.readCanary(canary, passes),
    }),
  )
  // Before the engine in this order, so after it at the end: then nothing is changed any more.
  const snapshots = owned.use(managing?.keepSnapshots(() => engine.reading.commits.change) ?? null)
  // What is adopted is read from the store from now on.
  const fileSnapshot =
    adopt === null ? owned.use(keeperOfFirst(files.snapshotPath, inFiles, fleet, log)) : null
  // After the listener: while the engine waits for answers at the end, the API still tells how it is.
  owned.defer(() => engine.stop())
  await engine.start(loaded)
  service.fleetChanged(null)
  snapshots?.start()
  fileSnapshot?.start()
  const compactor = owned.use(
    new Compactor({
      fleet,
      apply: (compaction, packed) => {
        if (engine.endCompaction(compaction, packed)) service.fleetMoved()
      },
      log,
    }),
  )
  const timers = new TimerChain(clock, (lateMs) => loopLag.note(lateMs))
  owned.use(
    startLoop(engine, timers, () => {
      progress.note()
      compactor.look()
      loopLag.observe(clock.monotonicMs())
      everySecond()
    }),
  )
  service.start()
  const heartbeatUrl = settings['heartbeat.url']
  if (heartbeatUrl !== null) {
    const everyMs = settings['heartbeat.every']
    const isReady = () => service.isReady()
    owned.use(new DeadMansSwitch({ url: heartbeatUrl, everyMs, network: outbound, isReady, log }))
  }

  watch?.start()

  const started = owned.move()
  return {
    url: api.url,
    monitors: fleet.counts.total,
    dataPlace: opened.place,
    storeMode: opened.store?.mode ?? 'memory',
    reload: () => reloader.reload(),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

function adoptionOf({ adopt }: Edition, { config }: Settings): NonNullable<Edition['adopt']> {
  if (adopt === undefined) throw new UsageError('--adopt needs --edition next, which keeps what it adopts.')
  if (config.length === 0) throw new UsageError('--adopt needs the fleet files to adopt: pass --config PATH.')
  return adopt
}
