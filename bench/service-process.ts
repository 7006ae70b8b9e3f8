// bench/service-process.ts: a real `pulseward serve` process over a fleet file, as a benchmark sees it: its
// cost from the kernel, its results from its own API.
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildProcesses, firstLine } from './child-processes.ts'

export interface ServiceOptions {
  /** Null if everything is managed through v2. */
  readonly fleetFile: string | null
  /** By default beside the fleet file. */
  readonly data?: string
  readonly edition: string
  readonly resolver: string | null
  readonly environment?: NodeJS.ProcessEnv
  /** The checkout of the service; ours by default. */
  readonly checkout?: string
}

export interface Service {
  readonly pid: number
  readonly url: string
  readonly startSeconds: number
  /** Resolves when the process is gone. */
  readonly ended: Promise<unknown>
}

const longestSettleMs = 240_000
/** Relative to the root of a checkout. */
export const launcherPath = 'packages/cli/bin/pulseward.js'

export async function startService(children: ChildProcesses, options: ServiceOptions): Promise<Service> {
  const { fleetFile, edition, resolver } = options
  const launcher = join(options.checkout ?? join(import.meta.dirname, '..'), launcherPath)
  const data = options.data ?? join(dirname(fleetFile ?? '.'), 'data')
  const config = fleetFile === null ? {} : { config: fleetFile }
  const settings = { ...config, edition, data, listen: '127.0.0.1:0', 'log-level': 'warn' }
  const flags = Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, value])
  const environment = {
    ...process.env,
    ...options.environment,
    ...(resolver === null ? {} : { PULSEWARD_RESOLVER: resolver }),
  }
  const startedMs = performance.now()
  const child = children.start(process.execPath, [launcher, 'serve', ...flags], { env: environment })
  const url = (await firstLine(child)).split(/\s+/)[1]!
  while (!(await isReady(url))) await sleep(50)
  const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  return { pid: child.pid!, url, startSeconds: (performance.now() - startedMs) / 1000, ended }
}

export async function stopService({ pid, ended }: Service, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  process.kill(pid, signal)
  await ended
}

function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/api/v1/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )
}

/**
 * Waits until the first checks are over, their queue is empty, and no row was missed for a while; returns the
 * seconds that it took.
 */
export async function settle(url: string, firstChecksMs: number): Promise<number> {
  const startedMs = performance.now()
  await sleep(firstChecksMs)
  let missed = -1
  while (performance.now() - startedMs < longestSettleMs) {
    const before = missed
    missed = (await readSlo(url)).missed
    const { depth, dequeue_rate } = (await get(url, 'queues')).queues.pulse
    if (missed === before && depth < Math.max(100, dequeue_rate * 0.1)) break
    await sleep(3000)
  }
  return (performance.now() - startedMs) / 1000
}

/** The main edition has no SLO route: figures that it cannot give are omitted. */
export async function readSlo(url: string) {
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
export async function get(url: string, path: string): Promise<any> {
  const answer = await fetch(`${url}/api/v1/${path}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return answer.json()
}
