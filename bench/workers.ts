// bench/workers.ts: checks that external workers run: real worker processes over HTTP, how late their results
// are, what a job costs on both sides, and what idle polls cost.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrincipal } from '../packages/server/src/access/edit-principals.ts'
import { untilSlotMs } from '../packages/server/src/checking/schedule/phase.ts'
import { stableHash } from '../packages/server/src/platform/string-hash.ts'
import { dataDirectory } from '../packages/server/src/store/data-directory.ts'
import type { StoredExecution } from '../packages/server/src/store/execution.ts'
import { wholeNumber } from '../scripts/command-line/flags.ts'
import { defineBenchmark, type Measurement } from './benchmark.ts'
import { ChildProcesses } from './child-processes.ts'
import { percentile } from './median.ts'
import { cpuSeconds, rssBytes } from './process-usage.ts'
import { type Service, startService, stopService } from './service-process.ts'
import { TemporaryFolder } from './temporary-folder.ts'
import { V2Client } from './v2-client.ts'

const jobTypeId = 'bench-check'
const apiVersion = 'pulseward/v2'
/** First checks start within this time, outside the time slots that lateness is measured from. */
const warmUpMs = 35_000
const wholePercent = 0.99

interface Bench {
  readonly children: ChildProcesses
  readonly data: string
  readonly monitors: number
  readonly intervalSeconds: number
  readonly workers: number
  readonly seconds: number
  readonly handlerMs: number
  readonly idlePolls: number
}

export const workers = defineBenchmark({
  about: 'Checks by workers outside the service: how late results are, CPU a job, and polls that wait.',
  flags: {
    'jobs-per-second': wholeNumber(1_000, 'external checks that are due per second'),
    interval: wholeNumber(10, 'seconds between the checks of a monitor'),
    workers: wholeNumber(4, 'worker processes'),
    seconds: wholeNumber(30, 'how long it is measured'),
    'handler-ms': wholeNumber(0, 'how long a handler takes', 0),
    'idle-polls': wholeNumber(2_000, 'polls that wait for nothing; 0 leaves them out', 0),
  },
  async run(flags) {
    using folder = new TemporaryFolder()
    using children = new ChildProcesses()
    const bench: Bench = {
      children,
      data: join(folder.path, 'data'),
      monitors: flags['jobs-per-second'] * flags.interval,
      intervalSeconds: flags.interval,
      workers: flags.workers,
      seconds: flags.seconds,
      handlerMs: flags['handler-ms'],
      idlePolls: flags['idle-polls'],
    }
    const { figures, undone } = await measure(bench)
    for (const [name, value] of Object.entries(figures))
      console.error(`${name.padEnd(28)} ${typeof value === 'number' ? value.toFixed(2) : value}`)
    return { figures, undone }
  },
})

async function measure(bench: Bench): Promise<Measurement> {
  const { children, data, workers: count, seconds, handlerMs } = bench
  const idle = await measureIdlePolls(bench)
  const service = await start(bench, data)
  await createFleet(bench, service)
  const token = workerToken(data, 'berlin')
  const pids: number[] = []
  for (let number = 0; number < count; number++) {
    const words = [service.url, token, join(data, `../journal-${number}`), String(handlerMs)]
    pids.push((await children.helper<{ pid: number }>('worker-child.ts', words)).pid)
  }
  await sleep(warmUpMs)
  const before = usage(service, pids)
  await sleep(seconds * 1_000)
  const after = usage(service, pids)
  await stopService(service, 'SIGTERM')
  const ended = resultsBetween(bench, before.atMs, after.atMs)
  const jobs = ended.lateMs.length
  const wanted = (bench.monitors / bench.intervalSeconds) * seconds
  const latency = ended.lateMs.map((ms) => ms - handlerMs)
  return {
    figures: {
      jobs_per_second: jobs / seconds,
      lease_p50_ms: percentile(latency, 0.5),
      lease_p99_ms: percentile(latency, 0.99),
      server_cpu_us_per_job: ((after.service - before.service) / jobs) * 1e6,
      worker_cpu_us_per_job: ((after.workers - before.workers) / jobs) * 1e6,
      ...idle.figures,
    },
    undone: [
      ...(jobs < wanted * wholePercent ? [`${jobs} of ${wanted} checks that were due have a result.`] : []),
      ...(ended.unknown > 0 ? [`${ended.unknown} checks were granted and not reported.`] : []),
      ...idle.undone,
    ],
  }
}

async function createFleet({ data, monitors, intervalSeconds }: Bench, { url }: Service): Promise<void> {
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  using client = new V2Client(url, token, 32)
  const create = async (path: string, kind: string, id: string, spec: object) => {
    const { status, text } = await client.create(path, { apiVersion, kind, metadata: { id }, spec })
    if (status !== 201) throw new Error(`${kind} ${id} was answered ${status}: ${text}`)
  }
  await create('/job-types', 'JobType', jobTypeId, {
    version: '1',
    kind: 'check',
    handler: jobTypeId,
    protocolVersion: '1',
    parameterSchema: { type: 'object', properties: { queue: { type: 'string' } } },
    resultSchema: { type: 'object', properties: { latencyMs: { type: 'number' } } },
  })
  const check = { interval: `${intervalSeconds}s`, timeout: `${Math.max(1, intervalSeconds - 1)}s` }
  const make = (number: number) =>
    create('/monitors', 'Monitor', `m-${number}`, {
      check: { ...check, driver: { type: jobTypeId, config: { queue: `queue-${number}` } } },
    })
  let next = 0
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next < monitors) await make(next++)
    }),
  )
}

function start({ children }: Bench, data: string): Promise<Service> {
  const environment = { PULSEWARD_EXTERNAL_JOBS: 'true', PULSEWARD_WRITES_PER_SECOND: '100000' }
  return startService(children, { fleetFile: null, data, edition: 'next', resolver: null, environment })
}

function workerToken(data: string, name: string): string {
  const principal = { name, role: 'worker', expiresMs: null, jobTypes: [jobTypeId, 'bench-idle'] } as const
  return createPrincipal(dataDirectory(data), principal).token
}

function usage({ pid }: Service, workerPids: readonly number[]) {
  const ofWorkers = workerPids.map(cpuSeconds).reduce((sum, seconds) => sum + seconds, 0)
  return { atMs: Date.now(), service: cpuSeconds(pid), workers: ofWorkers }
}

/** From the store of the stopped service: when each result was taken, and how long after its time slot. */
function resultsBetween({ data, intervalSeconds }: Bench, fromMs: number, toMs: number) {
  using database = new DatabaseSync(join(data, 'pulseward.db'), { readOnly: true })
  const lateMs: number[] = []
  let unknown = 0
  for (const row of database.prepare('SELECT body FROM execution').iterate()) {
    const { monitorId, end }: StoredExecution = JSON.parse(String(row['body']))
    if (end === null || end.at < fromMs || end.at >= toMs) continue
    if (end.report === null) unknown++
    else lateMs.push(sinceSlotMs(monitorId ?? '', intervalSeconds * 1_000, end.at))
  }
  return { lateMs, unknown }
}

function sinceSlotMs(monitorId: string, intervalMs: number, at: number): number {
  return intervalMs - untilSlotMs(stableHash(monitorId), intervalMs, at) + (at % 1)
}

/** The memory of idle polls, in a service that has nothing else to do. */
async function measureIdlePolls(bench: Bench): Promise<Measurement> {
  if (bench.idlePolls === 0) return { figures: {}, undone: [] }
  const data = `${bench.data}-idle`
  const service = await start(bench, data)
  const token = workerToken(data, 'idle')
  await sleep(3_000)
  const before = rssBytes(service.pid)
  const sockets: ReturnType<typeof poll>[] = []
  // Connections count against their address until they have sent a request.
  for (let number = 0; number < bench.idlePolls; number++) {
    sockets.push(poll(service, token, number))
    if (number % 100 === 99) await sleep(50)
  }
  await sleep(5_000)
  const held = sockets.filter(({ isAnswered, socket }) => !isAnswered() && !socket.destroyed).length
  const after = rssBytes(service.pid)
  for (const { socket } of sockets) socket.destroy()
  await stopService(service, 'SIGTERM')
  const undone = held === bench.idlePolls ? [] : [`${held} of ${bench.idlePolls} polls were held.`]
  return { figures: { idle_polls: held, idle_polls_bytes: after - before }, undone }
}

function poll(
  { url }: Service,
  token: string,
  number: number,
): { socket: Socket; isAnswered: () => boolean } {
  const { hostname, port, host } = new URL(url)
  const body = JSON.stringify({
    workerID: `idle-${number}`,
    capabilities: [{ jobTypeID: 'bench-idle', version: '1', kind: 'check' }],
    capacity: 1,
    limit: 1,
    waitSeconds: 25,
  })
  let answered = false
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('data', () => {
    answered = true
  })
  socket.on('error', () => {})
  socket.write(
    `POST /api/v2/external-workers/poll HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  return { socket, isAnswered: () => answered }
}
