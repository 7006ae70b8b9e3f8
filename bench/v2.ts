// bench/v2.ts: a fleet that is managed through v2, while all of it is checked: the cost and latency of a
// write, how late checks start meanwhile, how fast lists are, how much memory it takes compared with the same
// fleet from a file, how soon a restart is ready, and the cost of a collection that is applied at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { duration, toggle, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { checksDuring } from './fleet-work.ts'
import { monitorSpec, writeManagedFleet } from './managed-fleet.ts'
import { percentile } from './median.ts'
import { mainThreadCpuSeconds, peakRssBytes } from './process-usage.ts'
import { scheduleDelay } from './schedule-delay.ts'
import { get, type Service, settle, startService, stopService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { measureBulk } from './v2-bulk.ts'
import { V2Client } from './v2-client.ts'
import { timeList, timeSelector } from './v2-lists.ts'
import { V2Writes } from './v2-writes.ts'
import { undoneChecks } from './work-done.ts'

const steadyWritesPerSecond = 50
const connections = 32
const firstChecksMs = 30_000
const verified = 500
const writtenBeforeKillSeconds = 5
const pageSize = 500

const nothing: Measurement = { figures: {}, undone: [] }

interface Bench {
  readonly children: ChildProcesses
  readonly shape: FleetShape
  readonly targets: Targets
  readonly data: string
  readonly seconds: number
}

export const v2 = defineBenchmark({
  about: 'A fleet managed through v2: writes, lists, memory and restarts under full check load.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors of the fleet', 1_000),
    interval: duration(60, 'how often each is checked'),
    seconds: wholeNumber(30, 'how long each part is measured'),
    'next-only': toggle('leave out the edition candidate, whose memory is compared'),
    'bulk-items': wholeNumber(1_000_000, 'monitors that are created by one command; 0 leaves that out', 0),
    'bulk-only': toggle('leave out everything else'),
  },
  async run({
    monitors,
    interval,
    seconds,
    'next-only': nextOnly,
    'bulk-items': items,
    'bulk-only': bulkOnly,
  }) {
    const shape: FleetShape = {
      monitors,
      intervalSeconds: interval,
      type: 'tcp',
      deadPercent: 0,
      names: false,
      labelled: true,
    }
    using folder = new TemporaryFolder()
    using children = new ChildProcesses()
    const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '4', shape.type])
    const data = join(folder.path, 'next')
    const bench: Bench = { children, shape, targets, data, seconds }
    const managed = bulkOnly ? nothing : await measureManaged(bench)
    const candidateRss = nextOnly || bulkOnly ? null : await candidateRssBytes(bench, folder.path)
    const bulk = items === 0 ? nothing : await measureBulk({ children, targets, folder: folder.path, items })
    const figures = { monitors, ...managed.figures, candidate_rss_bytes: candidateRss, ...bulk.figures }
    for (const [name, value] of Object.entries(figures))
      console.error(`${name.padEnd(32)} ${typeof value === 'number' ? value.toFixed(2) : value}`)
    return { figures, undone: [...managed.undone, ...bulk.undone] }
  },
})

async function measureManaged(bench: Bench): Promise<Measurement> {
  const { shape, targets, seconds } = bench
  await writeManagedFleet(bench.data, shape, targets)
  const first = await start(bench)
  await settle(first.url, firstChecksMs)
  const idle = await scheduleDelay(first.url, () => sleep(seconds * 1000))
  using client = clientOf(bench, first)
  const onePercent = Math.floor(shape.monitors / 100)
  const lists = await timeList(client, Math.floor(shape.monitors / pageSize))
  const selector = await timeSelector(client, 's7', Math.floor(onePercent / pageSize))
  const writes = new V2Writes(
    client,
    (number) => monitorSpec(number % shape.monitors, shape, targets),
    lists.monitors.map((monitor) => ({ ...monitor, name: '' })),
  )
  const idleRate = await controllerRate(first, () => sleep(seconds * 1000))
  const latencies = await writes.atRate(steadyWritesPerSecond, seconds)
  let sustained = { perSecond: 0, delay: null as number | null, amendUs: 0 }
  const checks = await checksWhile(bench, first, async () => {
    sustained = await sustain(first, writes, seconds, idleRate)
  })
  const undone = [
    ...lists.undone,
    ...selector.undone,
    ...writes.undone,
    ...(await writes.verify(verified)),
    ...undoneChecks(checks),
  ]
  const rss = peakRssBytes(first.pid)
  await stopService(first, 'SIGTERM')
  const again = await startAgain(bench, writes)
  const killed = await killAfterWrites(bench, again.service, writes)
  await stopService(killed.service, 'SIGTERM')
  return {
    figures: {
      rss_bytes: rss,
      write_p50_ms: percentile(latencies, 0.5),
      write_p99_ms: percentile(latencies, 0.99),
      writes_per_second: sustained.perSecond,
      amend_us: sustained.amendUs,
      list_p99_ms: percentile(lists.latenciesMs, 0.99),
      selector_p99_ms: percentile(selector.latenciesMs, 0.99),
      schedule_delay_p99_ms_idle: idle,
      schedule_delay_p99_ms_writes: sustained.delay,
      first_start_seconds: first.startSeconds,
      restart_seconds: again.service.startSeconds,
      restart_rss_bytes: again.rssBytes,
      restart_after_kill_seconds: killed.service.startSeconds,
    },
    undone: [...undone, ...again.undone, ...killed.undone],
  }
}

async function sustain(service: Service, writes: V2Writes, seconds: number, idleRate: number) {
  const before = writes.made
  const beganMs = performance.now()
  let perSecond = 0
  let cpuRate = 0
  const delay = await scheduleDelay(service.url, async () => {
    cpuRate = await controllerRate(service, async () => {
      perSecond = await writes.sustained(connections, seconds)
    })
  })
  const elapsed = (performance.now() - beganMs) / 1000
  const amendUs = (((cpuRate - idleRate) * elapsed) / (writes.made - before)) * 1e6
  return { perSecond, delay, amendUs }
}

/** The share of a core that the controller needs meanwhile. */
async function controllerRate({ pid }: Service, work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  const before = mainThreadCpuSeconds(pid)
  await work()
  return (mainThreadCpuSeconds(pid) - before) / ((performance.now() - beganMs) / 1000)
}

/** Starts over the existing store. Everything that was written is there, and all of it is checked. */
async function startAgain(bench: Bench, writes: V2Writes) {
  const service = await start(bench)
  using client = clientOf(bench, service)
  writes.goOn(client)
  const wrong = await writes.verify(verified)
  const wanted = bench.shape.monitors + writes.added
  const { total } = await get(service.url, 'overview')
  const missing = total === wanted ? [] : [`${total} of ${wanted} monitors are there after a restart.`]
  const rssBytes = peakRssBytes(service.pid)
  await settle(service.url, firstChecksMs)
  const checks = await checksWhile(bench, service, () => sleep(10_000))
  const undone = [...wrong, ...missing, ...undoneChecks(checks)].map((sentence) => `Restarted: ${sentence}`)
  return { service, rssBytes, undone }
}

/** Kills the service after some seconds of writes, so that only committed data are left. */
async function killAfterWrites(bench: Bench, service: Service, writes: V2Writes) {
  using client = clientOf(bench, service)
  writes.goOn(client)
  await writes.sustained(connections, writtenBeforeKillSeconds)
  await stopService(service, 'SIGKILL')
  return await startAgain(bench, writes)
}

function checksWhile({ shape, targets }: Bench, { url }: Service, work: () => Promise<unknown>) {
  const checksPerSecond = shape.monitors / shape.intervalSeconds
  return checksDuring({ url, controlPort: targets.control, checksPerSecond }, work)
}

function start({ children, data }: Bench): Promise<Service> {
  return startService(children, { fleetFile: null, data, edition: 'next', resolver: null })
}

function clientOf({ data }: Bench, { url }: Service): V2Client {
  return new V2Client(url, readFileSync(join(data, 'operator.token'), 'utf8').trim(), connections)
}

async function candidateRssBytes(
  { children, shape, targets, seconds }: Bench,
  folder: string,
): Promise<number> {
  const fleetFile = writeFleet(folder, shape, targets)
  const service = await startService(children, { fleetFile, edition: 'candidate', resolver: null })
  await settle(service.url, firstChecksMs)
  await sleep(seconds * 1000)
  const rss = peakRssBytes(service.pid)
  await stopService(service, 'SIGTERM')
  return rss
}
