// crash/bulk-crash-run.ts: kills the real service at random moments of an operation of many items, in every phase. The
// client continues after each restart. In the end every item was applied once, in order, and every view agrees.
import { setTimeout as after } from 'node:timers/promises'
import type { v2 } from '@pulseward/contract'
import { RunningCommand, type RunningService } from '../process/running-command.ts'
import { Random } from '../random.ts'
import { BulkCrashClient, bulkItem, ServiceGone } from './bulk-crash-client.ts'

export interface BulkCrashPlan {
  /** How often the service is killed in total. */
  readonly rounds: number
  readonly items: number
  readonly seed: number
  readonly folder: { path(name: string): string }
  /** A store that is not in the data directory. */
  readonly store?: { readonly url: string }
  /** Called after each kill. */
  readonly onRound: (words: string) => void
}

export interface BulkCrashReport {
  readonly rounds: number
  readonly operations: number
  /** Number of kills per state of the operation. */
  readonly killedWhile: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

/** From the first answer of a process to its kill. */
const livesForMs = [10, 1_200] as const
const waitMs = 20

export async function runBulkCrashes(plan: BulkCrashPlan): Promise<BulkCrashReport> {
  const run = new BulkCrashRun(plan)
  try {
    return await run.run()
  } finally {
    await run.stop()
  }
}

class BulkCrashRun {
  readonly #plan: BulkCrashPlan
  readonly #random: Random
  readonly #client: BulkCrashClient
  readonly #violations: string[] = []
  readonly #killedWhile: Record<string, number> = {}
  #service: RunningService | null = null
  #rounds = 0
  #operations = 0

  constructor(plan: BulkCrashPlan) {
    this.#plan = plan
    this.#random = new Random(plan.seed)
    this.#client = new BulkCrashClient(plan.folder.path('data'))
  }

  async run(): Promise<BulkCrashReport> {
    await this.#start()
    do {
      this.#operations++
      await this.#oneOperation(`round-${this.#operations}`)
    } while (this.#rounds < this.#plan.rounds && this.#violations.length === 0)
    return {
      rounds: this.#rounds,
      operations: this.#operations,
      killedWhile: this.#killedWhile,
      violations: this.#violations,
    }
  }

  async stop(): Promise<void> {
    await this.#service?.[Symbol.asyncDispose]()
    this.#service = null
  }

  async #start(): Promise<void> {
    const { folder, store } = this.#plan
    const words = ['--edition', 'next', '--data', folder.path('data'), '--log-level', 'error']
    this.#service = await RunningCommand.serve(
      words,
      store === undefined ? {} : { environment: { PULSEWARD_STORE: store.url } },
    )
    this.#client.url = this.#service.url
  }

  /** The first one creates all monitors, every later one changes them all. */
  async #oneOperation(tag: string): Promise<void> {
    const { items } = this.#plan
    const { id } = await this.#client.create(items, tag)
    let last = await this.#client.read(id)
    let killAtMs = this.#nextKill()
    while (!ended.has(last.state) && this.#violations.length === 0) {
      try {
        const now = await this.#client.step(last, tag)
        this.#compare(last, now)
        last = now
        if (now.state === 'validating' || now.state === 'applying') await after(waitMs)
        if (!this.#mayKill(now.state) || performance.now() < killAtMs) continue
        // The kill must not wait for an answer, or it would always fall between two calls.
        await Promise.allSettled([
          this.#client.step(last, tag),
          after(this.#random.between(0, 60)).then(() => this.#kill(last.state)),
        ])
      } catch (error) {
        if (!(error instanceof ServiceGone)) throw error
      }
      if (this.#service !== null) continue
      await this.#start()
      const now = await this.#client.read(id)
      this.#compare(last, now)
      last = now
      killAtMs = this.#nextKill()
    }
    await this.#audit(last, tag)
  }

  /** Limits the kills before the operation is applied: those phases take longest and would get all of them. */
  #mayKill(state: string): boolean {
    const { rounds } = this.#plan
    return this.#rounds < rounds && (state === 'applying' || (this.#killedWhile[state] ?? 0) < rounds / 4)
  }

  #nextKill(): number {
    return performance.now() + this.#random.between(...livesForMs)
  }

  async #kill(state: string): Promise<void> {
    await this.stop()
    this.#rounds++
    this.#killedWhile[state] = (this.#killedWhile[state] ?? 0) + 1
    this.#plan.onRound(`kill ${this.#rounds}, while the operation was ${state}`)
  }

  /** What an earlier answer said must still hold. */
  #compare(before: v2.Operation, now: v2.Operation): void {
    const { uploaded = 0, committed = 0 } = before
    if ((now.uploaded ?? 0) < uploaded)
      this.#violations.push(`${uploaded} items were uploaded, and now ${now.uploaded} are`)
    if ((now.committed ?? 0) < committed)
      this.#violations.push(`${committed} items were committed, and now ${now.committed} are`)
    if (order.indexOf(now.state) < order.indexOf(before.state))
      this.#violations.push(`the operation was ${before.state}, and is ${now.state}`)
  }

  async #audit(operation: v2.Operation, tag: string): Promise<void> {
    const { items } = this.#plan
    const outcome = this.#operations === 1 ? 'created' : 'updated'
    if (operation.state !== 'completed' || operation.committed !== items)
      this.#violations.push(
        `the operation is ${operation.state} with ${operation.committed} of ${items}: ${operation.reason}`,
      )
    const versions = new Map<string, string>()
    let place = 0
    for await (const page of this.#client.pages<v2.ApplyResult>(`operations/${operation.id}`))
      for (const result of page) {
        const { id } = bulkItem(place++, tag)
        if (result.id !== id || result.outcome !== outcome)
          this.#violations.push(`the item ${result.id} was ${result.outcome} at the place of ${id}`)
        versions.set(id, result.newVersion ?? '')
      }
    if (place !== items) this.#violations.push(`${place} outcomes of ${items} items`)
    if (new Set(versions.values()).size !== items) this.#violations.push('two items have the same version')
    await this.#auditMonitors(versions, tag)
    await this.#auditHistory()
  }

  async #auditMonitors(versions: ReadonlyMap<string, string>, tag: string): Promise<void> {
    let monitors = 0
    for await (const page of this.#client.pages<v2.Monitor>('monitors'))
      for (const { metadata, spec } of page) {
        monitors++
        if (versions.get(`Monitor/${metadata.id}`) !== metadata.resourceVersion || spec.tags?.[0] !== tag)
          this.#violations.push(`${metadata.id} is not as its outcome says`)
        if (metadata.generation !== this.#operations)
          this.#violations.push(`${metadata.id} was written ${metadata.generation} times`)
      }
    if (monitors !== this.#plan.items) this.#violations.push(`there are ${monitors} monitors`)
  }

  /** Each operation leaves one event for every item. */
  async #auditHistory(): Promise<void> {
    const told = new Map<string, number>()
    for await (const page of this.#client.pages<v2.Event>('history'))
      for (const { kind, monitorID = '' } of page)
        if (kind.startsWith('resource_')) told.set(monitorID, (told.get(monitorID) ?? 0) + 1)
    const wrong = [...told].filter(([, count]) => count !== this.#operations)
    for (const [id, count] of wrong.slice(0, 5)) this.#violations.push(`${id} has ${count} events`)
    if (told.size !== this.#plan.items) this.#violations.push(`${told.size} monitors have events`)
  }
}

const order: readonly string[] = ['staging', 'validating', 'validated', 'applying', 'completed']
const ended: ReadonlySet<string> = new Set(['completed', 'partial', 'failed', 'rejected', 'cancelled'])
