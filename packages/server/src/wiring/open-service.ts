// wiring/open-service.ts: builds the edition on the engine and opens the listener. The listener opens before
// the first check, so a port that is in use stops the start before anything is touched.
import { Assets } from '../api/assets.ts'
import type { EarlyListener } from '../api/early-listener.ts'
import { notBuilt } from '../api/page.ts'
import { startPushListener } from '../api/push/push-listener.ts'
import { PushPaths } from '../api/push/serve-push.ts'
import { type ApiServer, startApi } from '../api/server.ts'
import { StatusPaths } from '../api/status/serve-status.ts'
import { startStatusListener } from '../api/status/status-listener.ts'
import { isLoopback } from '../config/settings/listen-address.ts'
import { readServerIdentity, type ServerIdentity } from '../config/settings/server-identity.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { Edition, Service } from '../editions/edition.ts'
import { ReloadRecord } from '../fleet/reloader.ts'
import type { Clock } from '../platform/clock.ts'
import { UsageError } from '../platform/usage-error.ts'
import { PushDesk } from '../pushing/push-desk.ts'
import type { Log } from '../telemetry/log.ts'
import { LoopLagMeter } from '../telemetry/loop-lag.ts'
import { Progress } from '../telemetry/progress.ts'
import { SignalCounts } from '../telemetry/signal-counts.ts'
import type { OpenedEngine } from './open-engine.ts'
import type { State } from './open-state.ts'

export interface ServiceOptions {
  readonly edition: Edition
  readonly settings: Settings
  readonly token: string | null
  readonly clock: Clock
  readonly log: Log
  /** The folder of the built dashboard. */
  readonly pageFolder: string
  /** The listener, if it is open already. */
  readonly listener: EarlyListener | null
}

/** How callers authenticate, and the TLS identity of the service. */
export interface Entrance {
  /** No authentication is needed, because only this machine can connect. */
  readonly allowsAnonymous: boolean
  readonly identity: ServerIdentity | null
}

export interface OpenedService {
  readonly service: Service
  readonly api: ApiServer
  /** Null if jobs report through the one listener. */
  readonly pushApi: ApiServer | null
  /** Null if status pages are served by the one listener. */
  readonly statusApi: ApiServer | null
  readonly progress: Progress
  readonly loopLag: LoopLagMeter
  readonly reloads: ReloadRecord
}

/** Read before anything is opened: a configuration that cannot be served must not start. */
export function readEntrance({ edition, settings, token }: Omit<ServiceOptions, 'listener'>): Entrance {
  const { host } = settings.listen
  const allowsAnonymous = token === null && isLoopback(host)
  if (token === null && !allowsAnonymous && edition.openManaging === undefined) {
    throw new UsageError(
      `Listening on ${host} reaches beyond this machine and needs a token: pass --token-file.`,
    )
  }
  const identity = readServerIdentity(settings['tls.certificate_file'], settings['tls.key_file'])
  return { allowsAnonymous, identity }
}

export async function openService(
  options: ServiceOptions,
  entrance: Entrance,
  state: State,
  running: OpenedEngine,
  owned: AsyncDisposableStack,
): Promise<OpenedService> {
  const { settings, token, clock, log, pageFolder, listener } = options
  const { engine, pushes } = running
  const watched: Watched = {
    progress: new Progress(clock),
    loopLag: new LoopLagMeter(clock.monotonicMs()),
    reloads: new ReloadRecord(clock),
    signalCounts: new SignalCounts(),
  }
  const { progress, loopLag, reloads, signalCounts } = watched
  const service = owned.use(buildEdition(options, entrance, state, running, watched))
  requireSeparateRights(service, token, entrance, settings)
  const meter = engine.reading.figures.meters.add('api')
  const push = new PushPaths({
    desk: new PushDesk({ monitors: pushes, engine, clock }),
    clock,
    log,
    counts: signalCounts,
    methods: settings['push.methods'],
    proxies: settings.proxies,
  })
  const status =
    service.statusPages === undefined ? null : new StatusPaths({ pages: service.statusPages, clock, log })
  const api = owned.use(
    await startApi({
      listen: settings.listen,
      token,
      routes: service.routes,
      clock,
      log,
      meter,
      identity: entrance.identity,
      proxies: settings.proxies,
      origins: settings.cors,
      publicUrl: settings.public_url,
      allowedHosts: settings.allowed_hosts,
      concurrentRequests: settings['limits.concurrent_requests'],
      assets: readPage(pageFolder, log),
      v2: service.v2 ?? null,
      listener,
      push,
      status,
    }),
  )
  const pushApi = owned.use(await openPushListener(settings, entrance, push))
  const statusApi = owned.use(await openStatusListener(settings, entrance, status))
  owned.use(service.listening?.(api.url) ?? null)
  return { service, api, pushApi, statusApi, progress, loopLag, reloads }
}

/** What is counted while the service runs, and shown by the edition. */
interface Watched {
  readonly progress: Progress
  readonly loopLag: LoopLagMeter
  readonly reloads: ReloadRecord
  readonly signalCounts: SignalCounts
}

function buildEdition(
  { edition, settings, clock, log }: ServiceOptions,
  entrance: Entrance,
  { fleet, managing, opened }: State,
  { engine, storage, external, probes, remote, checkNetwork, outbound }: OpenedEngine,
  { progress, loopLag, reloads, signalCounts }: Watched,
): Service {
  return edition.build({
    settings,
    clock,
    fleet,
    progress,
    engine: engine.reading,
    writing: engine,
    managing,
    external,
    remote,
    loopLag,
    opened,
    storage,
    log,
    authentication: !entrance.allowsAnonymous,
    startedAtMs: clock.wallMs(),
    checkNetwork,
    outbound,
    probeThreads: () => probes.threads,
    signalCounts,
    lastReload: () => reloads.last,
  })
}

async function openPushListener(
  settings: Settings,
  { identity }: Entrance,
  paths: PushPaths,
): Promise<ApiServer | null> {
  const listen = settings['push.listen']
  return listen === null ? null : startPushListener({ listen, identity, paths })
}

async function openStatusListener(
  settings: Settings,
  { identity }: Entrance,
  paths: StatusPaths | null,
): Promise<ApiServer | null> {
  const listen = settings['status.listen']
  if (listen === null) return null
  if (paths === null)
    throw new UsageError(
      'status.listen needs an edition with status pages: leave it out, or start candidate or next.',
    )
  return startStatusListener({ listen, identity, paths })
}

/** A token valid for both APIs would give a principal the rights of v1, whatever its role. */
function requireSeparateRights(
  { v2 }: Service,
  token: string | null,
  { allowsAnonymous }: Entrance,
  { listen }: Settings,
): void {
  if (token !== null && v2?.gate.knows(token))
    throw new UsageError('The token of v1 is also the token of a principal; give v1 another one.')
  if (token === null && !allowsAnonymous && v2?.gate.isOpenToSomebody === false)
    throw new UsageError(
      `Listening on ${listen.host} reaches beyond this machine and needs a principal or a token: make one with pulseward token create, or pass --token-file.`,
    )
}

function readPage(folder: string, log: Log): Assets {
  const assets = Assets.read(folder)
  if (!assets.isBuilt) log.warn(notBuilt)
  return assets
}
