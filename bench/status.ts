// bench/status.ts: a status page that many people read while a fleet is checked in the same process: what a request costs,
// how long it takes, and how late checks start with and without readers; and what a request to a plain node:http server
// with as many bytes costs. Latency counts from the time at which a request was due.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { duration, wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { type FleetShape, type Targets, writeFleet } from './fleet-file.ts'
import { checksDuring } from './fleet-work.ts'
import { percentile } from './median.ts'
import { cpuSeconds } from './process-usage.ts'
import { reportSignals } from './push-load.ts'
import { delayBetween, readDelays } from './schedule-delay.ts'
import { settle, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { undoneChecks } from './work-done.ts'

const connections = 64
const firstChecksMs = 30_000
/** Each selects one in a hundred monitors. */
const components = 5
const path = '/status/bench/'

export const status = defineBenchmark({
  about:
    'A status page that many people read while a fleet is checked: cost, latency, and punctuality of checks.',
  flags: {
    monitors: wholeNumber(20_000, 'monitors of the fleet; a twentieth of them is on the page', 1_000),
    interval: duration(20, 'how often each is checked'),
    requests: wholeNumber(2_000, 'requests per second'),
    seconds: wholeNumber(30, 'how long it is read, and before that how long it is not'),
  },
  run: measure,
})

interface Amounts {
  readonly monitors: number
  readonly interval: number
  readonly requests: number
  readonly seconds: number
}

async function measure({ monitors, interval, requests, seconds }: Amounts): Promise<Measurement> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const shape: FleetShape = {
    ...{ monitors, intervalSeconds: interval, type: 'tcp' as const },
    ...{ deadPercent: 0, names: false, labelled: true },
  }
  const targets = await children.helper<Targets>('fleet-targets.ts', ['32', '4'])
  const fleetFile = join(folder.path, 'fleet')
  mkdirSync(fleetFile)
  writeFleet(fleetFile, shape, targets)
  writeFileSync(join(fleetFile, 'status.json'), JSON.stringify({ status_pages: { bench: page() } }))
  const { pid, url } = await startService(children, { fleetFile, edition: 'candidate', resolver: null })
  await settle(url, firstChecksMs)
  const shown = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'br' } })
  if (!shown.ok) throw new Error(`the status page answered ${shown.status}`)
  const alone = await measured(url, pid, () => sleep(seconds * 1_000))
  const load = { url, nextPath: () => path, perSecond: requests, seconds, connections, headOf }
  const read = { url, controlPort: targets.control, checksPerSecond: monitors / interval }
  let result = await reportSignals({ ...load, perSecond: 10, seconds: 1 })
  let beside = alone
  const done = await checksDuring(read, async () => {
    beside = await measured(url, pid, async () => {
      result = await reportSignals(load)
    })
  })
  const bytes = Number(shown.headers.get('content-length'))
  const plain = await plainServer(children, bytes, load)
  const figures = {
    ...{ monitors, interval_seconds: interval, requests_per_second: result.perSecond, connections },
    page_bytes_br: bytes,
    request_cpu_us: ((beside.cpuSeconds - alone.cpuSeconds) * 1e6) / Math.max(1, result.answered),
    plain_request_cpu_us: plain,
    request_p50_ms: percentile(result.latenciesMs, 0.5),
    request_p99_ms: percentile(result.latenciesMs, 0.99),
    schedule_delay_p99_ms_alone: alone.delayMs,
    schedule_delay_p99_ms_read: beside.delayMs,
  }
  for (const [name, value] of Object.entries(figures))
    console.error(`${name.padEnd(32)} ${typeof value === 'number' ? value.toFixed(2) : value}`)
  const due = requests * seconds
  const unanswered = `${result.answered} of ${due} requests were answered`
  return { figures, undone: [...undoneChecks(done), ...(result.answered < due * 0.97 ? [unanswered] : [])] }
}

/** CPU per request, with the machine as busy as before. */
async function plainServer(
  children: ChildProcesses,
  bytes: number,
  load: Parameters<typeof reportSignals>[0],
): Promise<number> {
  const server = await children.helper<{ pid: number; url: string }>('bare-server.ts', ['x'.repeat(bytes)])
  const before = cpuSeconds(server.pid)
  const { answered } = await reportSignals({ ...load, url: server.url, nextPath: () => '/' })
  return ((cpuSeconds(server.pid) - before) * 1e6) / Math.max(1, answered)
}

async function measured(url: string, pid: number, work: () => Promise<unknown>) {
  const [delays, cpu] = [await readDelays(url), cpuSeconds(pid)]
  await work()
  const used = cpuSeconds(pid) - cpu
  return { cpuSeconds: used, delayMs: delayBetween(delays, await readDelays(url), 0.99) }
}

function page(): object {
  const ofSlice = (_: unknown, slice: number) => ({
    id: `slice-${slice}`,
    name: `Slice ${slice}`,
    match: { slice: `s${slice}` },
  })
  return {
    title: 'Bench',
    groups: [{ name: 'All', components: Array.from({ length: components }, ofSlice) }],
  }
}

function headOf(of: string): string {
  return `GET ${of} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n`
}
