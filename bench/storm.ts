// bench/storm.ts: a whole fleet fails at once and recovers a minute later. A real `pulseward serve` on a real
// store, its targets and providers in a separate process: are all incidents committed and closed, is nothing
// lost, do schedule, budget and pacing hold, and how much memory does it take?
import { setTimeout as sleep } from 'node:timers/promises'
import { duration, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { cpuSeconds, peakRssBytes } from './process-usage.ts'
import { delayBetween, readDelays } from './schedule-delay.ts'
import { get, readSlo, type Service, settle, startService } from './service-process.ts'
import { openStorePlace, type StoreName, storeFlag } from './store-place.ts'
import { type StormPorts, type StormShape, writeStormFleet } from './storm-fleet.ts'
import { readStormHistory } from './storm-history.ts'
import { type Arrived, undoneStorm } from './storm-work.ts'
import { TemporaryFolder } from './temporary-folder.ts'

const stormMs = 60_000
const calmMs = 10_000
const looksEveryMs = 250
/** Incidents that are still open by then will never close. */
const longestCloseMs = 180_000

export const storm = defineBenchmark({
  about: 'A whole fleet breaks at once and recovers a minute later: is all of it told and closed?',
  flags: {
    monitors: wholeNumber(100_000, 'monitors that break'),
    recoverable: wholeNumber(1_000, 'monitors with a recovery on top of them', 0),
    interval: duration(10, 'how often each is checked'),
    policies: wholeNumber(0, 'escalation policies that page people', 0),
    people: wholeNumber(200, 'people that they page'),
    tail: wholeNumber(180, 'seconds for what is left to be told when all is well again', 0),
    store: storeFlag,
  },
  run: ({ interval, tail, store, ...shape }) =>
    measureStorm({ ...shape, intervalSeconds: interval }, tail, store),
})

async function measureStorm(
  shape: StormShape,
  tailSeconds: number,
  storeName: StoreName,
): Promise<Measurement> {
  using folder = new TemporaryFolder()
  await using store = await openStorePlace(storeName)
  using children = new ChildProcesses()
  const ports = await children.helper<StormPorts>('storm-targets.ts')
  const service = await startService(children, {
    fleetFile: writeStormFleet(folder.path, shape, ports),
    edition: 'candidate',
    resolver: null,
    environment: { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1', ...store.environment },
  })
  await settle(service.url, shape.intervalSeconds * 1_000)
  const say = (word: string) => fetch(`http://127.0.0.1:${ports.control}/${word}`)
  const result = {
    ...shape,
    store: storeName,
    ...(await blow(service, shape.monitors, say)),
    tail_seconds: await drain(service.url, tailSeconds * 1_000),
    ...(await takeStock(service.url)),
    arrived: (await (await say('counts')).json()) as Arrived,
  }
  for (const [name, value] of Object.entries(result)) console.error(`${name.padEnd(26)} ${shown(value)}`)
  return { figures: result, undone: undoneStorm(shape, result) }
}

/** A calm period, a minute of storm, and as long as it takes until every incident is closed. */
async function blow(service: Service, monitors: number, say: (word: string) => Promise<Response>) {
  const settled = usage(service)
  await sleep(calmMs)
  const before = usage(service)
  const delaysBefore = await readDelays(service.url)
  const sloBefore = await readSlo(service.url)
  await say('break')
  const openSeconds = await until(service, (open) => open >= monitors, stormMs)
  await sleep(Math.max(0, before.atMs + stormMs - performance.now()))
  const during = usage(service)
  await say('mend')
  const closeSeconds = await until(service, (open) => open === 0, longestCloseMs)
  const after = usage(service)
  const delays = await readDelays(service.url)
  const sloAfter = await readSlo(service.url)
  const { storage } = await get(service.url, 'state')
  return {
    open_seconds: openSeconds,
    close_seconds: closeSeconds,
    schedule_delay_p99_ms: delayBetween(delaysBefore, delays, 0.99),
    commit_p99_ms: storage.commit_latency_p99_ms,
    missed: sloAfter.missed - sloBefore.missed,
    expected: sloAfter.expected - sloBefore.expected,
    rss_peak_before_bytes: before.peakRssBytes,
    rss_peak_bytes: peakRssBytes(service.pid),
    cores_calm: cores(settled, before),
    cores_storm: cores(before, during),
    cores_recovery: cores(during, after),
  }
}

/** What was committed, and what is still queued. */
async function takeStock(url: string) {
  const history = await readStormHistory(url)
  const { code, intervention } = (await get(url, 'queues')).queues
  return { history, queued_at_the_end: code.depth + intervention.depth }
}

interface Usage {
  readonly atMs: number
  readonly cpuSeconds: number
  readonly peakRssBytes: number
}

function usage({ pid }: Service): Usage {
  return { atMs: performance.now(), cpuSeconds: cpuSeconds(pid), peakRssBytes: peakRssBytes(pid) }
}

function cores(from: Usage, to: Usage): number {
  return (to.cpuSeconds - from.cpuSeconds) / ((to.atMs - from.atMs) / 1000)
}

/** The seconds until this many incidents are open; null if that took too long. */
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

/** Waits until no notification is owed and no action is in flight. */
async function drain(url: string, atMostMs: number): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < atMostMs) {
    const { queues } = await get(url, 'queues')
    const { pools } = await get(url, 'pools')
    const left = ['code', 'intervention'].map((kind) => queues[kind].depth + pools[kind].busy)
    if (left.every((count) => count === 0)) break
    await sleep(1000)
  }
  return (performance.now() - startedMs) / 1000
}

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 2 })
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
