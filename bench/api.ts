// bench/api.ts: the API of a large fleet under full check load: an open load of 50 requests per second in a fixed mix
// over 32 connections, so that a slow answer delays no other request. Latency counts from the time at which a request was
// due. It also measures how late checks start under this load, and what an overview costs compared with a bare server.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { duration, oneOf, wholeNumber } from '../scripts/command-line/flags.ts'
import { ask } from './ask.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { checksDuring } from './fleet-work.ts'
import { percentile } from './median.ts'
import { overviewThroughput } from './overview-throughput.ts'
import { scheduleDelay } from './schedule-delay.ts'
import { get, type Service, settle, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { undoneChecks } from './work-done.ts'

const perSecond = 50
const connections = 32
const firstChecksMs = 30_000

type Kind = 'overview' | 'list' | 'deep_page' | 'search' | 'common_search' | 'detail'

/** In the order in which they are sent, repeatedly. */
const mix: readonly Kind[] = [
  ...(['overview', 'list', 'detail', 'overview', 'search'] as const),
  ...(['detail', 'deep_page', 'overview', 'list', 'common_search'] as const),
]

export const api = defineBenchmark({
  about: 'The latency of the API of a large fleet under full check load.',
  flags: {
    monitors: wholeNumber(1_000_000, 'monitors of the fleet', 50),
    interval: duration(60, 'how often each is checked'),
    type: oneOf(['tcp', 'http'], 'tcp', 'the kind of check'),
    seconds: wholeNumber(40, 'how long requests are sent, and before that how long none are'),
  },
  run: ({ monitors, interval, type, seconds }) =>
    underLoad({ monitors, intervalSeconds: interval, type, deadPercent: 0, names: false }, seconds),
})

async function underLoad(shape: FleetShape, seconds: number): Promise<Measurement> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '4'])
  const fleetFile = writeFleet(folder.path, shape, targets)
  const service = await startService(children, { fleetFile, edition: 'candidate', resolver: null })
  await settle(service.url, firstChecksMs)
  await warmUp(service, shape.monitors)
  const idle = await scheduleDelay(service.url, () => sleep(seconds * 1000))
  const latencies = new Map<Kind, number[]>(mix.map((kind) => [kind, []]))
  let loaded: number | null = null
  const checksPerSecond = shape.monitors / shape.intervalSeconds
  const watched = { url: service.url, controlPort: targets.control, checksPerSecond }
  const done = await checksDuring(watched, async () => {
    loaded = await scheduleDelay(service.url, () => load(service, shape.monitors, seconds, latencies))
  })
  const mapMs = await timeOf(service, 'map')
  const scrapeMs = await timeOf(service, '../../metrics')
  const p99 = (kind: Kind) => percentile(latencies.get(kind)!, 0.99)
  const result = {
    monitors: shape.monitors,
    overview_p99_ms: p99('overview'),
    list_p99_ms: p99('list'),
    deep_page_p99_ms: p99('deep_page'),
    search_p99_ms: p99('search'),
    common_search_p99_ms: p99('common_search'),
    detail_p99_ms: p99('detail'),
    map_ms: mapMs,
    scrape_ms: scrapeMs,
    schedule_delay_p99_ms_idle: idle,
    schedule_delay_p99_ms_loaded: loaded,
    ...(await overviewThroughput(children, folder.path)),
  }
  for (const [name, value] of Object.entries(result))
    console.error(`${name.padEnd(32)} ${typeof value === 'number' ? value.toFixed(2) : value}`)
  return { figures: result, undone: undoneChecks(done) }
}

function pathOf(kind: Kind, monitors: number, turn: number): string {
  switch (kind) {
    case 'overview':
      return 'overview'
    case 'list':
      return 'monitors?size=50'
    case 'deep_page':
      return `monitors?size=50&page=${1 + ((turn * 7919) % Math.floor(monitors / 50))}`
    case 'search':
      return `monitors?q=service%20${(turn * 104_729) % monitors}%20of`
    case 'common_search':
      return `monitors?q=${turn % 2 ? 'eastern' : 'western'}&status=up&page=${1 + (turn % 50)}`
    case 'detail':
      return `monitors/${1 + ((turn * 15_485_863) % monitors)}`
  }
}

async function load(
  { url }: Service,
  monitors: number,
  seconds: number,
  latencies: ReadonlyMap<Kind, number[]>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const pending: Promise<void>[] = []
  const startedMs = performance.now()
  for (let turn = 0; turn < seconds * perSecond; turn++) {
    const dueMs = startedMs + (turn * 1000) / perSecond
    await sleep(Math.max(0, dueMs - performance.now()))
    const kind = mix[turn % mix.length]!
    pending.push(
      ask(agent, `${url}/api/v1/${pathOf(kind, monitors, turn)}`).then(() => {
        latencies.get(kind)!.push(performance.now() - dueMs)
      }),
    )
  }
  await Promise.all(pending)
  agent.destroy()
}

/** The first list of a fleet waits until the fleet is sorted, once. */
async function warmUp({ url }: Service, monitors: number): Promise<void> {
  for (const kind of mix) await get(url, pathOf(kind, monitors, 1))
}

async function timeOf({ url }: Service, path: string): Promise<number> {
  const startedMs = performance.now()
  const answer = await fetch(`${url}/api/v1/${path}`)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  await answer.arrayBuffer()
  return performance.now() - startedMs
}
