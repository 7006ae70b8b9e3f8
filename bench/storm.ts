// bench/storm.ts: a whole fleet breaks at once and is well again a minute later. A real `pulseward serve` on a real
// store, its targets and providers in a process of their own: are all incidents committed and closed, is nothing lost,
// do schedule, budget and pacing hold, and how much memory does it take?
import { setTimeout as sleep } from 'node:timers/promises'
import { ChildProcesses } from './child-processes.ts'
import { cpuSeconds, peakRssBytes } from './process-usage.ts'
import { completedChecks, get, readSlo, type Service, settle, startService } from './service-process.ts'
import { type StormPorts, type StormShape, writeStormFleet } from './storm-fleet.ts'
import { readStormHistory } from './storm-history.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const stormMs = 60_000
const calmMs = 10_000
const looksEveryMs = 250
/** For what is left to be told when all is well again. */
const longestTailMs = 180_000

export async function storm(options: Record<string, string>): Promise<Record<string, unknown>> {
  const shape: StormShape = {
    monitors: Number(options['monitors'] ?? 100_000),
    recoverable: Number(options['recoverable'] ?? 1_000),
    interval: options['interval'] ?? '10s',
  }
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const ports = await children.helper<StormPorts>('storm-targets.ts')
  const weather = (word: string) => fetch(`http://127.0.0.1:${ports.control}/${word}`)
  const service = await startService(children, {
    ...{ fleetFile: writeStormFleet(folder.path, shape, ports), edition: 'candidate', resolver: null },
    environment: { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1' },
  })
  await settle(service.url, Number.parseInt(shape.interval, 10) * 1000)
  const settled = await usage(service)
  await sleep(calmMs)
  const before = await usage(service)

  await weather('break')
  const brokenAtMs = performance.now()
  const openSeconds = await until(service, (open) => open >= shape.monitors, stormMs)
  await sleep(Math.max(0, stormMs - (performance.now() - brokenAtMs)))
  const during = await usage(service)
  await weather('mend')
  const closeSeconds = await until(service, (open) => open === 0, longestTailMs)
  const slo = await readSlo(service.url)
  const after = await usage(service)
  const tailSeconds = await drain(service.url)
  const arrived = await (await weather('counts')).json()
  const { actions, ...history } = await readStormHistory(service.url)
  const queues = (await get(service.url, 'queues')).queues
  const result = {
    ...{ monitors: shape.monitors, recoverable: shape.recoverable, interval: shape.interval },
    ...{ open_seconds: openSeconds, close_seconds: closeSeconds, tail_seconds: tailSeconds },
    ...{ schedule_delay_p99_ms: slo.queueP99Ms, missed: slo.missed, expected: slo.expected },
    ...{ rss_peak_before_bytes: before.peakRssBytes, rss_peak_bytes: peakRssBytes(service.pid) },
    ...{ cpu_us_per_check_calm: between(settled, before), cpu_us_per_check_storm: between(before, during) },
    ...{ cpu_us_per_check_recovery: between(during, after) },
    ...{ history, actions, arrived },
    ...{ queued_at_the_end: queues.code.depth + queues.intervention.depth },
  }
  for (const [name, value] of Object.entries(result)) console.error(`${name.padEnd(26)} ${shown(value)}`)
  return result
}

interface Usage {
  readonly cpuSeconds: number
  readonly checks: number
  readonly peakRssBytes: number
}

async function usage({ pid, url }: Service): Promise<Usage> {
  const checks = await completedChecks(url)
  return { cpuSeconds: cpuSeconds(pid), checks, peakRssBytes: peakRssBytes(pid) }
}

function between(from: Usage, to: Usage): number {
  return ((to.cpuSeconds - from.cpuSeconds) / (to.checks - from.checks)) * 1e6
}

/** The seconds until as many incidents are open as wanted; null when that took too long. */
async function until(
  { url }: Service,
  isWanted: (openIncidents: number) => boolean,
  withinMs: number,
): Promise<number | null> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < withinMs) {
    if (isWanted((await get(url, 'overview')).incidents)) return (performance.now() - startedMs) / 1000
    await sleep(looksEveryMs)
  }
  return null
}

/** Waits until nobody is left to be told. */
async function drain(url: string): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < longestTailMs) {
    const { code, intervention } = (await get(url, 'queues')).queues
    if (code.depth + intervention.depth === 0) break
    await sleep(1000)
  }
  return (performance.now() - startedMs) / 1000
}

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 1 })
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
