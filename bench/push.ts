// bench/push.ts: jobs that report by themselves: what a signal costs a real service, how long its answer takes while
// every one is on disk first, and what a million such monitors take in memory; beside a server with one INSERT
// per signal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses, firstLine } from './child-processes.ts'
import { percentile } from './median.ts'
import { cpuSeconds } from './process-usage.ts'
import { type LoadResult, reportSignals } from './push-load.ts'
import { startService, stopService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const connections = 64

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
    monitors: wholeNumber(5_000, 'monitors that report; their keys come from the environment'),
    signals: wholeNumber(2_500, 'signals per second; each key may send one per second'),
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
  await stopService(service, 'SIGTERM')
  const reported = Math.min(monitors, perSecond * seconds)
  if (up !== reported) undone.push(`${up} of ${reported} monitors are up after their signals`)
  note(result, perSecond * seconds, undone)
  return {
    signals_per_second: Math.round(result.perSecond),
    signal_cpu_us: Math.round(cpuUs),
    signal_p50_ms: rounded(percentile(result.latenciesMs, 0.5) ?? 0),
    signal_p99_ms: rounded(percentile(result.latenciesMs, 0.99) ?? 0),
  }
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
  const path = join(import.meta.dirname, 'push-memory.ts')
  const child = children.start(process.execPath, ['--expose-gc', path, String(memory)])
  const { bytes, loadMs, found } = JSON.parse(await firstLine(child))
  const expected = Math.min(1_000, memory)
  if (found !== expected) undone.push(`${found} of ${expected} keys were found`)
  return { bytes_per_monitor: Math.round(bytes / memory), keys_load_ms: loadMs }
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
