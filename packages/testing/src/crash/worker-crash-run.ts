// crash/worker-crash-run.ts: kills the real service and its real workers in turn, under load. In the end no job was done
// twice, every result of a worker is in the store, and a repeated request for a receipt returns the same one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { v2 } from '@pulseward/contract'
import type { StoredExecution } from '@pulseward/server/internal/store/execution.ts'
import { createToken } from '../process/create-token.ts'
import { RunningCommand } from '../process/running-command.ts'
import { Random } from '../random.ts'
import type { CrashWorkerOptions } from './crash-worker.ts'

export interface WorkerCrashPlan {
  /** How often something is killed in total. */
  readonly rounds: number
  readonly monitors: number
  readonly seed: number
  readonly folder: { path(name: string): string }
  /** A store that is not in the data directory. */
  readonly store?: {
    readonly url: string
    run(query: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  }
  /** Called after each kill. */
  readonly onRound: (words: string) => void
}

export interface WorkerCrashReport {
  readonly rounds: number
  readonly killsOfService: number
  readonly began: number
  readonly ended: number
  readonly receipts: number
  readonly violations: readonly string[]
}

/** From a start to the next kill. */
const livesForMs = [100, 1_200] as const
const workerCount = 3
/** How often a worker is started again to deliver what is left. */
const drainedAtMost = 5
const jobTypes = {
  'crash-check': 'check',
  'crash-restart': 'recovery',
  'crash-page': 'notification',
} as const

export async function runWorkerCrashes(plan: WorkerCrashPlan): Promise<WorkerCrashReport> {
  const run = new WorkerCrashRun(plan)
  try {
    return await run.run()
  } finally {
    await run.stop()
  }
}

class WorkerCrashRun {
  readonly #plan: WorkerCrashPlan
  readonly #random: Random
  readonly #violations: string[] = []
  readonly #workers: (ChildProcess | null)[] = Array<null>(workerCount).fill(null)
  /** Settled when a worker has started, or has ended. */
  readonly #started: Promise<unknown>[] = []
  #service: RunningCommand | null = null
  #port = 0
  #token = ''
  #killsOfService = 0

  constructor(plan: WorkerCrashPlan) {
    this.#plan = plan
    this.#random = new Random(plan.seed)
  }

  async run(): Promise<WorkerCrashReport> {
    const { rounds, onRound } = this.#plan
    this.#port = await freePort()
    await this.#startService()
    await this.#createFleet()
    for (let number = 0; number < workerCount; number++) this.#startWorker(number)
    for (let round = 1; round <= rounds; round++) {
      await after(this.#random.between(...livesForMs))
      onRound(`kill ${round}: ${await this.#killOne()}`)
    }
    await this.#drain()
    return {
      rounds,
      killsOfService: this.#killsOfService,
      ...(await this.#audit()),
      violations: this.#violations,
    }
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers) worker?.kill('SIGKILL')
    await this.#service?.[Symbol.asyncDispose]()
    this.#service = null
  }

  async #startService(): Promise<void> {
    const listen = ['--listen', `127.0.0.1:${this.#port}`]
    const words = ['serve', ...listen, '--edition', 'next', '--data', this.#plan.folder.path('data')]
    const environment = { PULSEWARD_EXTERNAL_JOBS: 'true', ...this.#place }
    this.#service = new RunningCommand([...words, '--log-level', 'error'], { environment })
    await this.#service.until('stdout', /^Stop /m)
  }

  /** Where the service has its store. */
  get #place(): NodeJS.ProcessEnv {
    const { store } = this.#plan
    return store === undefined ? {} : { PULSEWARD_STORE: store.url }
  }

  #startWorker(number: number): void {
    const { folder } = this.#plan
    const options: CrashWorkerOptions = {
      url: this.#url,
      token: this.#token,
      journal: folder.path(`journal-${number}`),
      audit: folder.path('audit'),
    }
    const program = new URL('crash-worker.ts', import.meta.url).pathname
    const words = ['--disable-warning=ExperimentalWarning', program, JSON.stringify(options)]
    const worker = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    this.#workers[number] = worker
    this.#started[number] = Promise.race([once(worker, 'message'), once(worker, 'exit')])
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async #createFleet(): Promise<void> {
    const { folder, monitors } = this.#plan
    const operator = readFileSync(folder.path('data/operator.token'), 'utf8').trim()
    const principal = { name: 'crashing', role: 'worker', jobTypes: Object.keys(jobTypes) }
    this.#token = await createToken(folder.path('data'), principal, this.#place)
    const create = async (path: string, kind: string, id: string, spec: object) => {
      const response = await fetch(`${this.#url}/api/v2/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${operator}`,
          'content-type': 'application/json',
          'if-none-match': '*',
        },
        body: JSON.stringify({ apiVersion: v2.apiVersion, kind, metadata: { id }, spec }),
      })
      if (response.status !== 201) throw new Error(`${kind} ${id}: ${await response.text()}`)
    }
    for (const [id, kind] of Object.entries(jobTypes))
      await create('job-types', 'JobType', id, {
        version: '1',
        kind,
        handler: id,
        protocolVersion: '1',
        parameterSchema: true,
        resultSchema: true,
      })
    await create('notification-endpoints', 'NotificationEndpoint', 'pager', {
      type: 'crash-page',
      config: {},
    })
    for (let number = 0; number < monitors; number++)
      await create('monitors', 'Monitor', `m-${number}`, {
        check: {
          driver: { type: 'crash-check', config: {} },
          interval: '2s',
          timeout: '2s',
          unhealthyThreshold: 1,
        },
        recovery: { driver: { type: 'crash-restart', config: { number } }, timeout: '5s' },
        notifications: { red: { endpointRefs: ['pager'] }, green: { endpointRefs: ['pager'] } },
      })
  }

  /** Kills the service or one of its workers, and starts it again at once. */
  async #killOne(): Promise<string> {
    const number = Math.floor(this.#random.between(0, workerCount + 1)) - 1
    if (number < 0) {
      await this.#service?.[Symbol.asyncDispose]()
      this.#killsOfService++
      await this.#startService()
      return 'the service'
    }
    const worker = this.#workers[number]
    if (worker != null && worker.exitCode === null && worker.signalCode === null) {
      worker.kill('SIGKILL')
      await once(worker, 'exit')
    } else this.#violations.push(`worker ${number} had ended by itself with ${worker?.exitCode}`)
    this.#startWorker(number)
    return `worker ${number}`
  }

  /** A worker that ends before the service has answered keeps what it has not delivered for the next one. */
  async #drain(): Promise<void> {
    await after(3_000)
    for (let number = 0; number < workerCount; number++) {
      await this.#stopWorker(number)
      for (let again = 0; again < drainedAtMost && this.#undelivered(number) > 0; again++) {
        this.#startWorker(number)
        await this.#stopWorker(number)
      }
    }
  }

  async #stopWorker(number: number): Promise<void> {
    const worker = this.#workers[number]
    if (worker == null) return
    const ended = once(worker, 'exit')
    // Before that, the signal would end it at once.
    await this.#started[number]
    worker.kill('SIGTERM')
    const [code] = await ended
    if (code !== 0) this.#violations.push(`worker ${number} ended with ${code} when it was stopped`)
  }

  #undelivered(number: number): number {
    return this.#journalOf(number).filter(({ receipt }) => receipt === null).length
  }

  #journalOf(number: number): readonly Readonly<Record<string, unknown>>[] {
    using journal = new DatabaseSync(this.#plan.folder.path(`journal-${number}`), { readOnly: true })
    return journal.prepare('SELECT execution, receipt FROM executions ORDER BY seq').all()
  }

  async #audit(): Promise<Pick<WorkerCrashReport, 'began' | 'ended' | 'receipts'>> {
    const lines = linesOf(this.#plan.folder.path('audit'))
    const began = lines.filter((line) => line.startsWith('began ')).map((line) => line.slice(6))
    const ended = lines.filter((line) => line.startsWith('ended ')).map((line) => line.slice(6))
    const twice = began.filter((id, place) => began.indexOf(id) !== place)
    for (const id of twice) this.#violations.push(`${id} was done twice`)
    const receipts = await this.#askForReceipts()
    await this.#service?.[Symbol.asyncDispose]()
    this.#service = null
    const records = await this.#records()
    for (const id of began)
      if (!records.has(id)) this.#violations.push(`${id} was done without a grant in the store`)
    for (const id of ended) {
      const record = records.get(id)
      const isKept =
        record?.end?.report != null || record?.late.some((piece) => piece.id === 'result') === true
      if (!isKept) this.#violations.push(`the result of ${id} is lost`)
    }
    return { began: began.length, ended: ended.length, receipts }
  }

  /** Every receipt that a worker got is still the same. */
  async #askForReceipts(): Promise<number> {
    let asked = 0
    for (let number = 0; number < workerCount; number++) {
      for (const { execution, receipt } of this.#journalOf(number)) {
        asked++
        const now = await this.#receiptOf(String(execution))
        if (receipt === null || receipt !== now)
          this.#violations.push(`${execution} had the receipt ${receipt} and has ${now}`)
      }
    }
    return asked
  }

  /** Starting an ended job grants nothing; the answer says where its receipt is. */
  async #receiptOf(executionID: string): Promise<string | undefined> {
    const answer = await fetch(`${this.#url}/api/v2/external-workers/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ executionID, leaseID: 'another', executionRevision: '1' }),
    })
    return ((await answer.json()) as Partial<v2.StartResponse>).receiptID
  }

  async #records(): Promise<Map<string, StoredExecution>> {
    const { folder, store } = this.#plan
    const query = 'SELECT body FROM execution'
    const read = () => {
      using database = new DatabaseSync(folder.path('data/pulseward.db'), { readOnly: true })
      return database.prepare(query).all()
    }
    const rows = store === undefined ? read() : await store.run(query)
    return new Map(
      rows.map(({ body }): [string, StoredExecution] => {
        const record: StoredExecution = JSON.parse(String(body))
        return [record.id, record]
      }),
    )
  }
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
