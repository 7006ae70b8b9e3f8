// remote-probe/run-probe.ts: runs a probe until a signal stops it: dials the service, works while it is connected, and dials
// again when it is not, after a pause that grows. A first signal drains: checks in flight end and are reported.
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ProbePool } from '../checking/probe/probe-pool.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import { systemClock } from '../platform/clock.ts'
import { checkPolicy } from '../platform/network/address-policy.ts'
import { openNetwork } from '../platform/network/create-network.ts'
import { letThreadsChooseTheirNursery } from '../platform/nursery.ts'
import { ServiceManager } from '../platform/service-manager.ts'
import { version } from '../platform/version.ts'
import { durationInWords } from '../platform/wording.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { OwnFaults } from './own-faults.ts'
import { ProbeWork } from './probe-work.ts'
import { ServiceConnection } from './service-connection.ts'

export interface ProbeOptions {
  /** The addresses of the service; of several processes the active one takes the probe. */
  readonly servers: readonly string[]
  readonly token: string
  readonly location: string
  readonly name: string
  readonly settings: Settings
  readonly environment: NodeJS.ProcessEnv
}

const firstPauseMs = 500
const longestPauseMs = 30_000
/** A connection that held this long was a good one. */
const goodAfterMs = 30_000
const drainWithinMs = 30_000
const adaptEveryMs = 1_000

/** Returns when a signal has stopped it. */
export async function runProbe(options: ProbeOptions): Promise<void> {
  const { settings, environment } = options
  letThreadsChooseTheirNursery()
  const log = await createLog({ level: settings['log.level'], format: settings['log.format'] })
  const stopped = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (stopped.signal.aborted) process.exit(1)
    log.info({ signal }, 'the probe stops when its checks have ended')
    stopped.abort()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const manager = await ServiceManager.connect(environment, (message) => log.warn(message))
  await using owned = new AsyncDisposableStack()
  const work = openWork(options, log, owned)
  manager?.ready()
  const lives = setInterval(() => manager?.lives(performance.now()), 1_000).unref()
  owned.defer(() => clearInterval(lives))
  await stayConnected(options, work, stopped.signal, log)
  manager?.stopping()
  log.info('the probe stopped')
}

function openWork({ settings }: ProbeOptions, log: Log, owned: AsyncDisposableStack): ProbeWork {
  const network = {
    allowLinkLocal: settings['network.allow_link_local'],
    resolvers: settings['network.resolver'],
  }
  const { probe_threads: threads } = settings
  const bounds = { least: threads ?? 0, most: threads ?? availableParallelism() }
  const pool = owned.use(new ProbePool({ threads: threads ?? 0, bounds, setup: network }))
  const faults = owned.use(
    new OwnFaults({
      clock: systemClock,
      network: owned.use(openNetwork(checkPolicy(network), network, systemClock)),
      canaries: settings['network.canaries'],
      tell: (words) => log.warn(words),
    }),
  )
  const work = new ProbeWork({
    pool,
    clock: systemClock,
    judge: (batch) => faults.judge(batch),
    log: (words) => log.error(words),
  })
  const adapts = setInterval(() => pool.takeLoad(), adaptEveryMs).unref()
  owned.defer(() => clearInterval(adapts))
  return work
}

async function stayConnected(
  options: ProbeOptions,
  work: ProbeWork,
  stopped: AbortSignal,
  log: Log,
): Promise<void> {
  const { servers, token, location, name } = options
  const hello = { version, location, name, instance: randomUUID() }
  let pauseMs = firstPauseMs
  for (let attempt = 0; !stopped.aborted; attempt++) {
    const server = servers[attempt % servers.length]!
    let welcomedMs: number | null = null
    const connection = new ServiceConnection({
      server,
      token,
      hello,
      work,
      welcomed(ofService) {
        welcomedMs = performance.now()
        log.info({ server, location, name, version: ofService }, 'the probe is connected')
      },
    })
    const drains = () => void drain(work, connection)
    stopped.addEventListener('abort', drains)
    const why = await connection.over
    stopped.removeEventListener('abort', drains)
    if (stopped.aborted) return
    if (welcomedMs !== null && performance.now() - welcomedMs >= goodAfterMs) pauseMs = firstPauseMs
    const waitMs = pauseMs * (0.5 + Math.random() / 2)
    log.warn({ server }, `${why}; the probe tries again in ${durationInWords(waitMs)}`)
    pauseMs = Math.min(longestPauseMs, pauseMs * 2)
    await pause(waitMs, undefined, { signal: stopped }).catch(() => {})
  }
}

async function drain(work: ProbeWork, connection: ServiceConnection): Promise<void> {
  const tooLong = setTimeout(() => connection.close(), drainWithinMs)
  await work.drain()
  clearTimeout(tooLong)
  connection.close()
}
