// checking/check-source.fixture.ts: the sources that the contract for sources is tested with, each with what a test needs
// to simulate the world behind it: a target of the probes, a worker, and a job that signals when it has run. The last
// source is implemented here: that it works shows that the check flow depends on no particular source.
import { createServer, type Server, type Socket } from 'node:net'
import { type CheckingSource, type SourceSurroundings, TestService } from '@pulseward/testing/engine'
import { failure, type Outcome, success } from '../checks/driver.ts'
import { driverOfJob } from '../config/external-driver.ts'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'
import type { SourceTurn } from '../engine/source.ts'

import { LateReports } from '../external-workers/late-reports.ts'
import { WorkerDesk } from '../external-workers/worker-desk.ts'
import { ConnectedProbe } from '../locations/connected-probe.fixture.ts'
import type { CheckSource } from './check-source.ts'
import { ProbePool } from './probe/probe-pool.ts'
import type { ResultBatch } from './probe/probe-protocol.ts'
import { ResultBuffer } from './probe/result-buffer.ts'

/** A service with the source under test, and the world behind it. */
export interface SourceWorld extends AsyncDisposable {
  readonly service: TestService
  /** The source of the current process. */
  readonly checks: CheckSource
  /** Makes the offered check succeed. */
  answer(): Promise<void>
  /** Ends it without an answer. */
  fallSilent(): Promise<void>
  /** From now on the check outlives the process; null if the source does not support that. */
  readonly leave: (() => Promise<void>) | null
  /** How many of the offered checks the source still has. */
  readonly held: number
}

export interface SourceKind {
  readonly name: string
  /** isChanged: with another check. */
  monitor(isChanged?: boolean): MonitorDocument
  start(): Promise<SourceWorld>
}

export const monitorId = 'edge'
const policy = { interval: '10s', timeout: '9s' }

function monitorWith(type: string, config: object): MonitorDocument {
  return { id: monitorId, name: monitorId, check: { ...policy, type, config } }
}

/** A real server on loopback that says nothing before it is told to. */
class QuietServer implements AsyncDisposable {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('it listens at no port')
    return address.port
  }

  /** Applies to the open connection, or to the next one. */
  async toConnection(act: (socket: Socket) => void): Promise<void> {
    const [open] = this.#sockets
    act(open ?? (await new Promise<Socket>((resolve) => this.#server.once('connection', resolve))))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** Probes run in real time; the service runs on the test's clock. */
function inTimeOf({ clock }: SourceSurroundings, batch: ResultBatch): ResultBatch {
  const nowMs = clock.monotonicMs()
  return {
    ...batch,
    startedMs: batch.startedMs.map(() => nowMs),
    finishedMs: batch.finishedMs.map(() => nowMs),
  }
}

async function probes(server: QuietServer, monitor: () => MonitorDocument): Promise<SourceWorld> {
  const pools: ProbePool[] = []
  const open = (process: SourceSurroundings): CheckingSource => {
    const pool = new ProbePool({ threads: 0, setup: { allowLinkLocal: false, resolvers: [] } })
    pool.tell({
      results: (batch) => process.engine().takeResults(pool, inTimeOf(process, batch)),
      lost: (rows, words) => process.engine().takeLost(pool, rows, words),
    })
    pools.push(pool)
    return { checks: pool }
  }
  const service = await TestService.start({ monitors: [monitor()], checks: open })
  return {
    service,
    get checks() {
      return pools.at(-1)!
    },
    answer: () => server.toConnection((socket) => socket.write('hello\r\n')),
    fallSilent: () => server.toConnection((socket) => socket.destroy()),
    leave: null,
    held: 0,
    async [Symbol.asyncDispose]() {
      for (const pool of pools) await pool[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

function probesKind(): SourceKind {
  const server = new QuietServer()
  let port = 0
  const monitor = (isChanged = false) =>
    monitorWith('tcp', { host: '127.0.0.1', port, expect: isChanged ? 'hell' : 'hello' })
  return {
    name: 'probes',
    monitor,
    async start() {
      port = await server.listen()
      return probes(server, monitor)
    },
  }
}

/** A worker that takes what is queued when told to answer, and reports a success. */
class WorkerWorld implements SourceWorld {
  readonly service: TestService
  #taken: { readonly executionID: string; readonly grantID: string } | null = null

  constructor(service: TestService) {
    this.service = service
  }

  get checks(): CheckSource {
    return this.service.external.checks
  }

  get held(): number {
    return this.service.external.table.size
  }

  async answer(): Promise<void> {
    if (this.#taken === null) await this.leave()
    await this.#desk.result('berlin', { ...this.#taken!, kind: 'check', status: 'success' })
    this.#taken = null
  }

  fallSilent(): Promise<void> {
    return this.service.advance({ seconds: 10 })
  }

  readonly leave = async (): Promise<void> => {
    const [offer] = this.service.external.offersFor({
      worker: { principal: 'berlin', workerId: 'berlin-1' },
      digest: '',
      capabilities: [{ kind: 'check', jobType: 'depth', version: '1' }],
      capacity: 10,
      limit: 1,
    })
    if (offer === undefined) throw new Error('nothing waits for a worker')
    const { executionId: executionID } = offer.open.job
    const executionRevision = String(offer.revision)
    const started = await this.#desk.start('berlin', {
      executionID,
      leaseID: offer.lease.id,
      executionRevision,
    })
    if (!('grantId' in started)) throw new Error('it was not granted')
    this.#taken = { executionID, grantID: started.grantId }
  }

  get #desk(): WorkerDesk {
    const { engine, external: jobs, store } = this.service
    return new WorkerDesk({ jobs, engine, store, late: new LateReports({ jobs, engine, store }) })
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function workersKind(): SourceKind {
  const any = { mistakes: () => [] }
  const monitor = (isChanged = false) => {
    const { type, config } = driverOfJob({ jobType: 'depth', parameters: { isChanged }, profile: '' })
    return monitorWith(type, config)
  }
  return {
    name: 'workers',
    monitor,
    async start() {
      const service = await TestService.start({ monitors: [monitor()] })
      const rules = { parameters: any, results: any, rejectionCodes: new Set<string>() }
      service.jobTypeOf = (id) => ({ id, version: '1', kind: 'check', timeoutMs: null, ...rules })
      return new WorkerWorld(service)
    },
  }
}

/** Expects a signal in each interval, as from a nightly job that reports when it has run. Silence is a failure. */
class Signals implements CheckingSource {
  readonly checks: CheckSource
  readonly awaited = new Map<number, { readonly generation: number; readonly untilMs: number }>()
  readonly #process: SourceSurroundings
  readonly #left: readonly string[]

  /** left: the monitors whose signal an earlier process was waiting for. */
  constructor(process: SourceSurroundings, left: readonly string[]) {
    this.#process = process
    this.#left = left
    this.checks = {
      types: ['signal'],
      runsHere: false,
      startsAtOnce: true,
      setFleet() {},
      amendFleet() {},
      offer: (row, generation, untilMs) => this.awaited.set(row, { generation, untilMs }),
      flush() {},
      cancel: (row) => this.awaited.delete(row),
    }
  }

  signal(): void {
    for (const row of [...this.awaited.keys()])
      this.#process.engine().takeResults(this.checks, this.#end(row, success(0)))
  }

  resume(turn: SourceTurn): void {
    for (const id of this.#left) {
      const row = this.#process.fleet().rowOf(id)
      const generation = turn.checkResumed(row)
      if (generation !== null) this.awaited.set(row, { generation, untilMs: this.#nowMs + 60_000 })
    }
  }

  advance(turn: SourceTurn): void {
    for (const [row, { untilMs }] of [...this.awaited])
      if (untilMs <= this.#nowMs) turn.takeResults(this.checks, this.#end(row, failure(0, 'no signal came')))
  }

  get nextDueMs(): number | null {
    return this.awaited.size === 0 ? null : Math.min(...this.awaited.values().map(({ untilMs }) => untilMs))
  }

  get #nowMs(): number {
    return this.#process.clock.monotonicMs()
  }

  #end(row: number, outcome: Outcome): ResultBatch {
    const { generation = 0 } = this.awaited.get(row) ?? {}
    this.awaited.delete(row)
    const results = new ResultBuffer()
    results.add(row, generation, outcome, this.#nowMs, this.#nowMs, false)
    return results.take()
  }
}

function signalsKind(): SourceKind {
  const monitor = (isChanged = false) => monitorWith('signal', { name: isChanged ? 'weekly' : 'nightly' })
  return {
    name: 'signals',
    monitor,
    async start() {
      let signals: Signals | null = null
      let left: readonly string[] = []
      const service = await TestService.start({
        monitors: [monitor()],
        checks: (process) => {
          signals = new Signals(process, left)
          return signals
        },
      })
      const now = () => signals!
      return {
        service,
        get checks() {
          return now().checks
        },
        get held() {
          return now().awaited.size
        },
        answer: async () => now().signal(),
        fallSilent: () => service.advance({ seconds: 10 }),
        leave: async () => {
          left = [monitorId]
        },
        async [Symbol.asyncDispose]() {},
      }
    },
  }
}

/** A probe at another location that answers when told to. */
function remoteProbesKind(): SourceKind {
  const monitor = (isChanged = false): MonitorDocument => {
    const { check, ...rest } = monitorWith('tcp', { host: '192.0.2.1', port: isChanged ? 2 : 1 })
    return { ...rest, check: { ...check, locations: ['fra'] } }
  }
  return {
    name: 'probes at another location',
    monitor,
    async start() {
      const service = await TestService.start({ monitors: [monitor()] })
      const probe = new ConnectedProbe(service)
      return {
        service,
        get checks() {
          return service.remote
        },
        get held() {
          return probe.session.tickets.count
        },
        // A probe never knows that a check was given up, so it answers that one too.
        answer: async () => probe.answer({ status: 'success' }),
        fallSilent: () => service.advance({ seconds: 11 }),
        leave: null,
        async [Symbol.asyncDispose]() {},
      }
    },
  }
}

export const sourceKinds: readonly (() => SourceKind)[] = [
  probesKind,
  workersKind,
  signalsKind,
  remoteProbesKind,
]
