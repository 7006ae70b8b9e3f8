// bench/accept.ts: how long a client of another address waits while one address has many busy connections whose requests
// are all refused: for a new connection and health, and for a new connection and a list of v2. It also measures how late
// checks start meanwhile. The first moments count most, when the connections arrive.
import { readFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import type { BusyConnections, BusyCounts } from './busy-connections.ts'
import { ChildProcesses } from './child-processes.ts'
import { type Targets, writeFleet } from './fleet-file.ts'
import { mainThreadCpuSeconds } from './process-usage.ts'
import { scheduleDelay } from './schedule-delay.ts'
import { type Service, settle, startService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'

interface Wait {
  readonly ms: number
  /** CPU time of the service meanwhile: how long it would have taken on an idle machine. */
  readonly cpuMs: number
}

const monitors = 1_000
const intervalSeconds = 10
const betweenMs = 200

export const accept = defineBenchmark({
  about: 'How long others wait while one address keeps many connections busy.',
  flags: {
    connections: wholeNumber(900, 'connections of the busy address'),
    seconds: wholeNumber(15, 'how long they are busy, and before that how long they are not there'),
  },
  run: ({ connections, seconds }) => besideBusyConnections(connections, seconds),
})

async function besideBusyConnections(connections: number, seconds: number): Promise<Measurement> {
  using folder = new TemporaryFolder()
  using children = new ChildProcesses()
  const targets = await children.helper<Targets>('fleet-targets.ts', ['16', '0', 'tcp'])
  const shape = { monitors, intervalSeconds, type: 'tcp', deadPercent: 0, names: false } as const
  const service = await startService(children, {
    fleetFile: writeFleet(folder.path, shape, targets),
    edition: 'next',
    resolver: null,
  })
  await settle(service.url, intervalSeconds * 1000)
  const token = readFileSync(join(folder.path, 'data', 'operator.token'), 'utf8').trim()
  const alone = await scheduleDelay(service.url, () => sleep(seconds * 1000))
  const waits: Record<'health' | 'list', Wait[]> = { health: [], list: [] }
  let control = 0
  const beside = await scheduleDelay(service.url, async () => {
    const busy = [service.url, String(connections)]
    control = (await children.helper<BusyConnections>('busy-connections.ts', busy)).control
    const endMs = performance.now() + seconds * 1000
    while (performance.now() < endMs) {
      waits.health.push(await waitFor(service, '/api/v1/healthz', token))
      waits.list.push(await waitFor(service, '/api/v2/monitors?limit=50', token))
      await sleep(betweenMs)
    }
  })
  const counts = (await (await fetch(`http://127.0.0.1:${control}/`)).json()) as BusyCounts
  const figures = {
    connections,
    refusals_per_second: counts.refusals / seconds,
    health_longest_ms: Math.max(...waits.health.map(({ ms }) => ms)),
    health_most_cpu_ms: Math.max(...waits.health.map(({ cpuMs }) => cpuMs)),
    list_longest_ms: Math.max(...waits.list.map(({ ms }) => ms)),
    list_most_cpu_ms: Math.max(...waits.list.map(({ cpuMs }) => cpuMs)),
    schedule_delay_p99_ms_alone: alone,
    schedule_delay_p99_ms_beside: beside,
  }
  for (const [name, value] of Object.entries(figures))
    console.error(`${name.padEnd(30)} ${value?.toFixed(1)}`)
  return { figures, undone: undone(counts, connections) }
}

/** From the first packet of a new connection to the last byte of the answer, as a client of another address. */
async function waitFor({ url, pid }: Service, path: string, token: string): Promise<Wait> {
  const beganMs = performance.now()
  const cpuBefore = mainThreadCpuSeconds(pid)
  const headers = { authorization: `Bearer ${token}` }
  await new Promise<void>((resolve, reject) => {
    httpGet(`${url}${path}`, { agent: false, localAddress: '127.0.0.2', headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve)
    }).on('error', reject)
  })
  return { ms: performance.now() - beganMs, cpuMs: (mainThreadCpuSeconds(pid) - cpuBefore) * 1000 }
}

function undone({ connected, refusals }: BusyCounts, connections: number): string[] {
  if (connected < connections) return [`${connected} of ${connections} connections were opened.`]
  return refusals < connections ? [`The connections were not busy: ${refusals} refusals in all.`] : []
}
