// wiring/open-engine.ts: builds the engine and its parts: where it stores, where checks run, what carries out
// actions. Does not start it.
import { availableParallelism } from 'node:os'
import { DriverActions } from '../acting/driver-actions.ts'
import type { AckUrl } from '../acting/messages.ts'
import { ProbePool } from '../checking/probe/probe-pool.ts'
import { threadsAtStart } from '../checking/probe/thread-demand.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { AckLinks, ackPath } from '../engine/ack-links.ts'
import { createEngine } from '../engine/create-engine.ts'
import type { Engine } from '../engine/engine.ts'
import { ExternalJobs } from '../external-workers/external-jobs.ts'
import { RemoteProbes } from '../locations/remote-probes.ts'
import type { Clock } from '../platform/clock.ts'
import { createIds } from '../platform/ids.ts'
import { checkPolicy, outboundPolicy } from '../platform/network/address-policy.ts'
import { openNetwork } from '../platform/network/create-network.ts'
import type { Network } from '../platform/network/network.ts'
import { PushMonitors } from '../pushing/push-monitors.ts'
import { StorageGuard } from '../store/storage-guard.ts'
import type { Log } from '../telemetry/log.ts'
import type { State } from './open-state.ts'

export interface EngineSurroundings {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  /** Called when another process has taken over the store. */
  readonly onFenced: () => void
}

export interface OpenedEngine {
  readonly engine: Engine
  readonly storage: StorageGuard
  readonly probes: ProbePool
  readonly pushes: PushMonitors
  /** The probes at other locations. */
  readonly remote: RemoteProbes
  /** Null if v2 is not served. */
  readonly external: ExternalJobs | null
  /** The network for checks that run in this thread and belong to no monitor: canaries and trials. */
  readonly checkNetwork: Network
  /** The network for everything except checks. */
  readonly outbound: Network
}

export function openEngine(
  surroundings: EngineSurroundings,
  state: State,
  owned: AsyncDisposableStack,
): OpenedEngine {
  const { settings, clock, log } = surroundings
  const { fleet, opened } = state
  const storage = owned.use(new StorageGuard(opened.committing, clock, log, surroundings.onFenced))
  const probes = owned.use(openProbes(settings, state))
  const outbound = owned.use(openOutbound(settings, clock))
  const network = networkSettings(settings)
  const checkNetwork = owned.use(openNetwork(checkPolicy(network), network, clock))
  const actions = new DriverActions({
    outlets: { network: outbound, log: (message, fields) => log.info(fields, message) },
    means: { network: outbound, allowCommand: settings['recovery.allow_command'] },
  })
  const ids = createIds(clock)
  const external = openExternal(surroundings, state, ids)
  const pushes = new PushMonitors({ fleet, clock, signalBytes: settings['push.bytes'] })
  const remote = new RemoteProbes({ fleet, clock, local: probes })
  const engine = createEngine({
    settings,
    fleet,
    clock,
    log,
    ids,
    store: { committer: storage, recovered: opened.recovered },
    sources: [{ checks: probes }, { actions }, pushes, remote, ...(external === null ? [] : [external])],
    ackUrl: ackUrlOf(settings, state),
  })
  storage.tell(engine)
  remote.tell(engine)
  probes.tell({
    results: (batch) => engine.takeResults(probes, batch),
    lost(rows, words) {
      log.error({ checks: rows.length }, `${words}; it is replaced, and its checks have no result`)
      engine.takeLost(probes, rows, words)
    },
  })
  pushes.tell(engine.reading, opened.recovered)
  state.managing?.registry.findKeysIn(pushes)
  if (opened.recovered !== null) external?.connect(engine.reading, opened.recovered)
  return { engine, storage, probes, pushes, remote, external, checkNetwork, outbound }
}

function openProbes(settings: Settings, { loaded }: State): ProbePool {
  const { probe_threads: threads } = settings
  const bounds = { least: threads ?? 0, most: threads ?? availableParallelism() }
  return new ProbePool({
    threads: threadsAtStart(loaded.arrangement.definition, bounds),
    bounds,
    setup: networkSettings(settings),
  })
}

function openOutbound(settings: Settings, clock: Clock) {
  const network = networkSettings(settings)
  const allowLoopback = settings['network.allow_loopback_notify']
  return openNetwork(outboundPolicy({ ...network, allowLoopback }), network, clock)
}

function openExternal(
  { settings, clock }: EngineSurroundings,
  { fleet, managing }: State,
  ids: () => string,
): ExternalJobs | null {
  if (managing === null) return null
  const mostPolls = settings['limits.polls']
  return new ExternalJobs({ fleet, clock, ids, jobType: (id) => managing.registry.jobType(id), mostPolls })
}

/** Null where nobody can acknowledge, and where people could not reach the address. */
function ackUrlOf({ public_url: publicUrl }: Settings, { managing, opened }: State): AckUrl | null {
  const { store } = opened
  if (managing === null || store === null || publicUrl === null) return null
  const links = new AckLinks(store.identity)
  const base = `${publicUrl.replace(/\/+$/, '')}${ackPath}`
  return (page, person, atMs) => `${base}${links.write({ page, person }, atMs)}`
}

/** Shared by checks, canaries and all outbound requests. */
function networkSettings(settings: Settings) {
  return {
    allowLinkLocal: settings['network.allow_link_local'],
    resolvers: settings['network.resolver'],
  }
}
