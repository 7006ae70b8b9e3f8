// bench/fleet.ts: the whole service under a fleet, with its targets on the same machine. A real `pulseward serve`
// process checks monitors that each have an id, name, path and configuration of their own; what it costs is read
// from the kernel, what it achieves from its own API.
import { setTimeout as sleep } from 'node:timers/promises'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { cpuSeconds, peakRssBytes } from './process-usage.ts'
import { completedChecks, get, readSlo, type Service, settle, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'

/** Every monitor has its first check within this time: a denser beginning that is not what is measured. */
const firstChecksMs = 30_000
const sloWindowSeconds = 300

export async function fleet(options: Record<string, string>): Promise<Record<string, unknown>> {
  const shape: FleetShape = {
    monitors: Number(options['monitors'] ?? 100_000),
    interval: options['interval'] ?? '60s',
    type: options['type'] === 'http' ? 'http' : 'tcp',
    deadPercent: Number.parseFloat(options['dead'] ?? '0'),
    names: options['hosts'] === 'names',
  }
  const seconds = Number(options['seconds'] ?? 30)
  const edition = options['edition'] ?? 'candidate'
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '4'])
  const resolver = shape.names ? await startResolver(children) : null
  const fleetFile = writeFleet(folder.path, shape, targets)
  const service = await startService(children, { fleetFile, edition, resolver })
  const settleSeconds = await settle(service.url, firstChecksMs)
  const figures = await measure(service, seconds, settleSeconds)
  const expected = shape.monitors / (Number.parseInt(shape.interval, 10) || 60)
  const result = {
    monitors: shape.monitors,
    type: shape.type,
    edition,
    start_seconds: service.startSeconds,
    settle_seconds: settleSeconds,
    expected_per_second: expected,
    ...figures,
  }
  for (const [name, value] of Object.entries(result)) console.error(`${name.padEnd(26)} ${format(value)}`)
  return result
}

async function startResolver(children: ChildProcesses): Promise<string> {
  return (await children.helper<{ address: string }>('fleet-resolver.ts')).address
}

async function measure(
  service: Service,
  seconds: number,
  settleSeconds: number,
): Promise<Record<string, unknown>> {
  const before = await read(service)
  const startedAt = performance.now()
  await sleep(seconds * 1000)
  const after = await read(service)
  const elapsed = (performance.now() - startedAt) / 1000
  const checks = after.completed - before.completed
  const expected = after.expected - before.expected
  // Differences of a rolling window mean something only while nothing has left it.
  const isWithinWindow = settleSeconds + seconds < sloWindowSeconds
  const share = (met: number) => (isWithinWindow && expected > 0 ? Math.min(1, met / expected) : null)
  return {
    checks_per_second: checks / elapsed,
    cpu_us_per_check: ((after.cpuSeconds - before.cpuSeconds) / checks) * 1e6,
    rss_bytes: peakRssBytes(service.pid),
    schedule_delay_p99_ms: after.queueP99Ms,
    queue_attainment: share(after.queueMet - before.queueMet),
    result_attainment: share(after.resultMet - before.resultMet),
    missed: after.missed - before.missed,
    event_loop_lag_p99_ms: after.loopLagMs,
  }
}

async function read({ pid, url }: Service) {
  const completed = await completedChecks(url)
  const systems = await get(url, 'systems')
  const cpu = cpuSeconds(pid)
  return {
    ...(await readSlo(url)),
    completed,
    loopLagMs: systems.aggregate.event_loop_lag_p99_ms,
    cpuSeconds: cpu,
  }
}

function format(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 3 }) : String(value)
}
