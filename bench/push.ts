// bench/push.ts: jobs that report by themselves: what a signal costs a real service, how long its answer takes while
// every one is on disk first, and while another process floods the service with unknown keys; what a million such monitors
// take in memory, beside as many tcp monitors; and a server with one INSERT per signal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses, firstLine } from './child-processes.ts'
import { percentile } from './median.ts'
import { cpuSeconds, rssBytes } from './process-usage.ts'
import { type LoadResult, reportSignals } from './push-load.ts'
import { startService, stopService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const connections = 64
const floodedSignals = 200
const floodSeconds = 8

interface Amounts {
  readonly monitors: number
  readonly signals: number
  readonly seconds: number
  readonly memory: number
}

export const push = defineBenchmark({
  about:
    'Push monitors: CPU and latency of signals that are stored, memory of a million, beside a plain server.',
  flags: {
    monitors: wholeNumber(10_000, 'monitors that report; their keys come from the environment'),
    signals: wholeNumber(5_000, 'signals per second; each key may send one per second'),
    seconds: wholeNumber(15, 'how long they report'),
    memory: wholeNumber(1_000_000, 'monitors whose memory is measured'),
  },
  run: measure,
})

async function measure(amounts: Amounts): Promise<Measurement> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const undone: string[] = []
  const ours = await measureService(children, folder.path, amounts, undone)
  const plain = await measureBaseline(children, folder.path, amounts)
  const memory = await measureMemory(children, amounts, undone)
  const figures = { ...amounts, connections, ...ours, ...plain, ...memory }
  for (const [name, value] of Object.entries(figures))
    console.error(`${name.replaceAll('_', ' ').padEnd(42)}${value.toLocaleString('en-US').padStart(14)}`)
  return { figures, undone }
}

async function measureService(
  children: ChildProcesses,
  folder: string,
  { monitors, signals: perSecond, seconds }: Amounts,
  undone: string[],
) {
  const keyOf = (number: number) => `key-${String(number).padStart(20, '0')}`
  const fleetFile = join(folder, 'fleet.yaml')
  const numbers = Array.from({ length: monitors }, (_, number) => number)
  const credentials = numbers.map((number) => `  k${number}: { env: K${number} }`)
  const entries = numbers.map(
    (number) =>
      `  - { name: job-${number}, check: { type: push, config: { every: 60s, key: { credential: k${number} } } } }`,
  )
  writeFileSync(fleetFile, ['credentials:', ...credentials, 'monitors:', ...entries, ''].join('\n'))
  const environment = Object.fromEntries(numbers.map((number) => [`K${number}`, keyOf(number)]))
  const service = await startService(children, {
    fleetFile,
    edition: 'candidate',
    resolver: null,
    environment,
  })
  let next = 0
  const nextPath = () => `/push/${keyOf(next++ % monitors)}`
  const before = cpuSeconds(service.pid)
  const result = await reportSignals({ url: service.url, nextPath, perSecond, seconds, connections })
  const cpuUs = ((cpuSeconds(service.pid) - before) * 1e6) / Math.max(1, result.answered)
  const up = await upIn(service.url)
  const flooded = await measureFlood(children, service, nextPath, undone)
  await stopService(service, 'SIGTERM')
  const reported = Math.min(monitors, perSecond * seconds)
  if (up !== reported) undone.push(`${up} of ${reported} monitors are up after their signals`)
  note(result, perSecond * seconds, undone)
  return {
    signals_per_second: Math.round(result.perSecond),
    signal_cpu_us: Math.round(cpuUs),
    signal_p50_ms: rounded(percentile(result.latenciesMs, 0.5) ?? 0),
    signal_p99_ms: rounded(percentile(result.latenciesMs, 0.99) ?? 0),
    ...flooded,
  }
}

/** One address sends unknown keys as fast as it can, while jobs report from another, and then from the same. */
async function measureFlood(
  children: ChildProcesses,
  { url, pid }: { readonly url: string; readonly pid: number },
  nextPath: () => string,
  undone: string[],
) {
  const before = rssBytes(pid)
  const flood = await children.helper<{ pid: number }>('push-flood.ts', [url])
  const load = { url, nextPath, perSecond: floodedSignals, seconds: floodSeconds, connections: 8 }
  const others = await reportSignals({ ...load, from: '127.0.0.2' })
  const same = await reportSignals(load)
  const grown = rssBytes(pid) - before
  process.kill(flood.pid, 'SIGTERM')
  for (const result of [others, same]) note(result, floodedSignals * floodSeconds, undone)
  const answered = await metric(url, 'pulseward_push_unknown_keys_total{answer="not_found"}')
  const limited = await metric(url, 'pulseward_push_unknown_keys_total{answer="limited"}')
  return {
    flood_keys_per_second: Math.round((answered + limited) / (2 * floodSeconds)),
    flood_keys_answered: answered,
    flood_signal_p99_ms: rounded(percentile(others.latenciesMs, 0.99) ?? 0),
    flood_same_address_p99_ms: rounded(percentile(same.latenciesMs, 0.99) ?? 0),
    flood_memory_mib: Math.round(grown / 2 ** 20),
  }
}

async function metric(url: string, series: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

async function measureBaseline(
  children: ChildProcesses,
  folder: string,
  { signals: perSecond, seconds }: Amounts,
) {
  const { pid, url } = await children.helper<{ pid: number; url: string }>('push-baseline.ts', [
    join(folder, 'baseline.db'),
  ])
  const before = cpuSeconds(pid)
  const result = await reportSignals({ url, nextPath: () => '/push/key', perSecond, seconds, connections })
  const cpuUs = ((cpuSeconds(pid) - before) * 1e6) / Math.max(1, result.answered)
  // How many it takes is its figure, not our work.
  return {
    plain_per_second: Math.round(result.perSecond),
    plain_cpu_us: Math.round(cpuUs),
    plain_p50_ms: rounded(percentile(result.latenciesMs, 0.5) ?? 0),
    plain_p99_ms: rounded(percentile(result.latenciesMs, 0.99) ?? 0),
  }
}

async function measureMemory(children: ChildProcesses, { memory }: Amounts, undone: string[]) {
  const [ofPush, ofTcp] = [await memoryOf(children, 'push', memory), await memoryOf(children, 'tcp', memory)]
  const expected = Math.min(1_000, memory)
  if (ofPush.found !== expected) undone.push(`${ofPush.found} of ${expected} keys were found`)
  return {
    bytes_per_monitor: Math.round(ofPush.bytes / memory),
    tcp_bytes_per_monitor: Math.round(ofTcp.bytes / memory),
    keys_load_ms: ofPush.keysLoadMs,
  }
}

async function memoryOf(children: ChildProcesses, kind: 'push' | 'tcp', monitors: number) {
  const path = join(import.meta.dirname, 'push-memory.ts')
  const child = children.start(process.execPath, ['--expose-gc', path, kind, String(monitors)])
  return JSON.parse(await firstLine(child)) as { bytes: number; keysLoadMs: number; found: number }
}

function note({ answered, others }: LoadResult, expected: number, undone: string[]): void {
  if (answered !== expected)
    undone.push(
      `the service took ${answered} of ${expected} signals; others got ${[...new Set(others)].join()}`,
    )
}

async function upIn(url: string): Promise<number> {
  const overview = await fetch(`${url}/api/v1/overview`)
  const { by_status: byStatus } = (await overview.json()) as { by_status: { up: number } }
  return byStatus.up
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
