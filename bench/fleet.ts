// bench/fleet.ts: the whole service under a fleet, with its targets on the same machine. A real `pulseward serve`
// process checks monitors that each have an id, name, path and configuration of their own; what it costs is read
// from the kernel, what it achieves from its own API.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type FleetShape, writeFleet } from './fleet-file.ts'
import { cpuSeconds, peakRssBytes } from './process-usage.ts'

/** Every monitor has its first check within this time: a denser beginning that is not what is measured. */
const firstChecksMs = 30_000
const longestSettleMs = 240_000

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
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-fleet-'))
  const children: ChildProcess[] = []
  try {
    const targets = await startTargets(children)
    const resolver = shape.names ? await startResolver(children) : null
    const file = writeFleet(folder, shape, targets)
    const service = await startService(children, file, folder, edition, resolver)
    const settleSeconds = await settle(service.url)
    const figures = await measure(service, seconds)
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
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Targets {
  readonly live: readonly number[]
  readonly dead: readonly number[]
}

async function startTargets(children: ChildProcess[]): Promise<Targets> {
  return JSON.parse(await startHelper(children, 'fleet-targets.ts', ['32', '4']))
}

async function startResolver(children: ChildProcess[]): Promise<string> {
  return JSON.parse(await startHelper(children, 'fleet-resolver.ts', [])).address
}

function startHelper(children: ChildProcess[], file: string, words: string[]): Promise<string> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  return firstLine(child)
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)))
  })
}

interface Service {
  readonly pid: number
  readonly url: string
  readonly startSeconds: number
}

async function startService(
  children: ChildProcess[],
  file: string,
  folder: string,
  edition: string,
  resolver: string | null,
): Promise<Service> {
  const launcher = fileURLToPath(new URL('../packages/cli/bin/pulseward.js', import.meta.url))
  const words = [
    launcher,
    'serve',
    '--config',
    file,
    '--edition',
    edition,
    '--listen',
    '127.0.0.1:0',
    '--log-level',
    'warn',
  ]
  const environment = {
    ...process.env,
    PULSEWARD_DATA: join(folder, 'data'),
    ...(resolver === null ? {} : { PULSEWARD_RESOLVER: resolver }),
  }
  const started = performance.now()
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env: environment })
  children.push(child)
  const url = (await firstLine(child)).split(/\s+/)[1]!
  while (
    !(await fetch(`${url}/api/v1/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await sleep(50)
  return { pid: child.pid!, url, startSeconds: (performance.now() - started) / 1000 }
}

/** Waits until the first checks are over, what they left in the queue is done, and no slot was missed for a while. */
async function settle(url: string): Promise<number> {
  const started = performance.now()
  await sleep(firstChecksMs)
  let missed = -1
  while (performance.now() - started < longestSettleMs) {
    const before = missed
    missed = (await readSlo(url)).missed
    const { depth, dequeue_rate } = (await get(url, 'queues')).queues.pulse
    if (missed === before && depth < Math.max(100, dequeue_rate * 0.1)) break
    await sleep(3000)
  }
  return (performance.now() - started) / 1000
}

async function measure(service: Service, seconds: number): Promise<Record<string, unknown>> {
  const before = await read(service)
  const startedAt = performance.now()
  await sleep(seconds * 1000)
  const after = await read(service)
  const elapsed = (performance.now() - startedAt) / 1000
  const checks = after.completed - before.completed
  const expected = after.expected - before.expected
  const share = (met: number) => (expected > 0 ? Math.min(1, met / expected) : null)
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
  const pools = await get(url, 'pools')
  const systems = await get(url, 'systems')
  const cpu = cpuSeconds(pid)
  return {
    ...(await readSlo(url)),
    completed: pools.pools.pulse.completed,
    loopLagMs: systems.aggregate.event_loop_lag_p99_ms,
    cpuSeconds: cpu,
  }
}

/** The main edition has no SLO route: what it cannot say is left out. */
async function readSlo(url: string) {
  const slo = await get(url, 'slo').catch(() => ({ reports: [] }))
  const report = slo.reports[0] ?? {}
  return {
    missed: report.missed ?? 0,
    expected: report.expected ?? 0,
    queueMet: report.queue_met ?? 0,
    resultMet: report.result_met ?? 0,
    queueP99Ms: report.scheduling_queue?.p99_ms ?? null,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark reads a few figures of bodies that have their own tests.
async function get(url: string, path: string): Promise<any> {
  const answer = await fetch(`${url}/api/v1/${path}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}

function format(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 3 }) : String(value)
}
