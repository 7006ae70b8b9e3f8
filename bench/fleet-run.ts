// bench/fleet-run.ts: one measurement of a service under a fleet: start, settle, measure for some seconds, stop.
import { setTimeout as sleep } from 'node:timers/promises'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { checksDuring } from './fleet-work.ts'
import { cpuSeconds, peakRssBytes, rssBytes } from './process-usage.ts'
import { delayBetween, readDelays } from './schedule-delay.ts'
import { get, readSlo, type Service, settle, startService } from './service-process.ts'
import { openStorePlace, type StoreName } from './store-place.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { undoneChecks } from './work-done.ts'

/** Every monitor has its first check within this time, at a higher rate that is not measured. */
const firstChecksMs = 30_000
const sloWindowSeconds = 300

/** The service counts over a window; these figures are unknown for a longer run. */
const unknownBeyondWindow = {
  queue_attainment: null,
  queue_attainment_from_start: null,
  result_attainment: null,
  schedule_delay_p99_ms_from_start: null,
}

export interface FleetRunOptions {
  readonly shape: FleetShape
  readonly edition: string
  /** How long it runs before it is measured, after its first checks. */
  readonly warmUpSeconds: number
  readonly seconds: number
  /** The checkout of the service; ours by default. */
  readonly checkout: string | undefined
  readonly store: StoreName
}

export interface FleetFigures {
  readonly checks_per_second: number
  readonly cpu_us_per_check: number
  readonly rss_bytes: number
  readonly [name: string]: unknown
}

export interface FleetRun {
  readonly figures: FleetFigures
  readonly undone: readonly string[]
}

export async function measureFleet({
  shape,
  edition,
  warmUpSeconds,
  seconds,
  checkout,
  store,
}: FleetRunOptions): Promise<FleetRun> {
  using folder = new TemporaryFolder()
  await using place = await openStorePlace(store)
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '4', shape.type])
  const resolver = shape.names ? await startResolver(children) : null
  const fleetFile = writeFleet(folder.path, shape, targets)
  const service = await startService(children, {
    fleetFile,
    edition,
    resolver,
    environment: place.environment,
    ...(checkout === undefined ? {} : { checkout }),
  })
  const settleSeconds = await settle(service.url, firstChecksMs)
  await sleep(warmUpSeconds * 1_000)
  const { figures, undone } = await watch(service, shape, targets.control, seconds)
  // Differences of a rolling window are valid only while nothing has left it.
  const isWithinWindow = settleSeconds + warmUpSeconds + seconds < sloWindowSeconds
  return {
    figures: {
      monitors: shape.monitors,
      type: shape.type,
      edition,
      store,
      start_seconds: service.startSeconds,
      settle_seconds: settleSeconds,
      ...figures,
      ...(isWithinWindow ? {} : unknownBeyondWindow),
    },
    undone,
  }
}

async function startResolver(children: ChildProcesses): Promise<string> {
  return (await children.helper<{ address: string }>('fleet-resolver.ts')).address
}

/** What the service costs and achieves in these seconds, and whether its checks were done. */
export async function watch(
  service: Service,
  shape: FleetShape,
  controlPort: number,
  seconds: number,
): Promise<FleetRun> {
  const checksPerSecond = shape.monitors / shape.intervalSeconds
  const before = await read(service)
  const startedAtMs = performance.now()
  const done = await checksDuring({ url: service.url, controlPort, checksPerSecond }, () =>
    sleep(seconds * 1_000),
  )
  const elapsedSeconds = (performance.now() - startedAtMs) / 1_000
  const after = await read(service)
  const expected = after.expected - before.expected
  const share = (met: number) => (expected > 0 ? Math.min(1, met / expected) : null)
  const figures: FleetFigures = {
    expected_per_second: checksPerSecond,
    checks_per_second: done.finished / elapsedSeconds,
    checks: done.finished,
    checks_succeeded: done.succeeded,
    checks_seen_by_targets: done.seenAtMost,
    cpu_us_per_check: ((after.cpuSeconds - before.cpuSeconds) / done.finished) * 1e6,
    rss_bytes: rssBytes(service.pid),
    peak_rss_bytes: peakRssBytes(service.pid),
    schedule_delay_p99_ms: delayBetween(before.delays, after.delays, 0.99),
    schedule_delay_p99_ms_from_start: after.queueP99Ms,
    queue_attainment: share(after.queueMet - before.queueMet),
    queue_attainment_from_start: after.expected > 0 ? after.queueMet / after.expected : null,
    result_attainment: share(after.resultMet - before.resultMet),
    missed: after.missed - before.missed,
    event_loop_lag_p99_ms: after.loopLagMs,
  }
  return { figures, undone: undoneChecks(done, shape.deadPercent) }
}

async function read({ pid, url }: Service) {
  const systems = await get(url, 'systems')
  const slo = await readSlo(url)
  const delays = await readDelays(url)
  return { ...slo, delays, loopLagMs: systems.aggregate.event_loop_lag_p99_ms, cpuSeconds: cpuSeconds(pid) }
}
