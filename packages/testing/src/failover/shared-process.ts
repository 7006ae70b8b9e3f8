// failover/shared-process.ts: one of several services on one store. It reaches PostgreSQL by a proxy of its own, and is
// started again whenever it ends, as a service manager does.
import { setTimeout as after } from 'node:timers/promises'
import type { History, HistoryEvent } from '@pulseward/contract'
import { RunningCommand } from '../process/running-command.ts'
import { freePort } from '../servers/server-process.ts'
import { SeveredProxy } from '../servers/severed-proxy.ts'

export interface SharedProcessOptions {
  readonly name: string
  readonly fleet: string
  readonly data: string
  /** The port of PostgreSQL, and the URL of the store by another one. */
  readonly database: number
  readonly storeBy: (port: number) => string
}

export type Role = 'active' | 'standby' | 'none'

/** As long as a service manager waits. */
const startAgainAfterMs = 300
const askWithinMs = 1_000
const pageSize = 500

export class SharedProcess implements AsyncDisposable {
  readonly name: string
  readonly proxy: SeveredProxy
  readonly url: string
  /** How often it ended because another process had taken over. */
  fencedCount = 0
  /** Why it refused to start; null if it did not. */
  refusal: string | null = null
  readonly #words: readonly string[]
  readonly #environment: NodeJS.ProcessEnv
  #command: RunningCommand | null = null
  #isKept = true
  #hasServed = false
  #running: Promise<void> = Promise.resolve()

  private constructor(
    { name, fleet, data, storeBy }: SharedProcessOptions,
    proxy: SeveredProxy,
    port: number,
  ) {
    this.name = name
    this.proxy = proxy
    this.url = `http://127.0.0.1:${port}`
    const listen = ['--listen', `127.0.0.1:${port}`]
    this.#words = ['serve', ...listen, '--edition', 'candidate', '--config', fleet, '--data', data]
    this.#environment = { ...environment, PULSEWARD_STORE: storeBy(proxy.port) }
  }

  static async start(options: SharedProcessOptions): Promise<SharedProcess> {
    const proxy = await SeveredProxy.before(options.database)
    const started = new SharedProcess(options, proxy, await freePort())
    started.#running = started.#keepRunning()
    return started
  }

  signal(signal: NodeJS.Signals): void {
    this.#command?.signal(signal)
  }

  /** By what it answers itself. */
  async role(): Promise<Role> {
    const answer = await this.#ask('readyz').catch(() => null)
    if (answer === null) return 'none'
    this.#hasServed = true
    const { reasons } = (await answer.json()) as { reasons?: readonly string[] }
    if (answer.status === 200) return 'active'
    return reasons?.includes('standby') === true ? 'standby' : 'none'
  }

  async openIncidents(): Promise<number> {
    const answer = await this.#ask('incidents?size=1')
    if (!answer.ok) throw new Error(`incidents answered ${answer.status}`)
    return ((await answer.json()) as { total: number }).total
  }

  async history(): Promise<readonly HistoryEvent[]> {
    const events: HistoryEvent[] = []
    for (let from: string | null = ''; from !== null; ) {
      const cursor: string = from === '' ? '' : `&cursor=${encodeURIComponent(from)}`
      const answer = await this.#ask(`history?order=asc&limit=${pageSize}${cursor}`)
      if (!answer.ok) throw new Error(`the history answered ${answer.status}`)
      const page = (await answer.json()) as History
      events.push(...page.events)
      from = page.next_cursor
    }
    return events
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isKept = false
    this.signal('SIGKILL')
    await this.#running
    await this.proxy[Symbol.asyncDispose]()
  }

  async #keepRunning(): Promise<void> {
    while (this.#isKept) {
      this.#command = new RunningCommand(this.#words, { environment: this.#environment })
      const { code, stderr } = await this.#command.ended
      if (code === 3) this.fencedCount++
      // Later it may find the database away. The first time, it will not start the next time either.
      if (code === 2 && !this.#hasServed) this.refusal = stderr
      await after(startAgainAfterMs)
    }
  }

  #ask(path: string): Promise<Response> {
    return fetch(`${this.url}/api/v1/${path}`, { signal: AbortSignal.timeout(askWithinMs) })
  }
}

const environment = {
  PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1',
  PULSEWARD_ALERT_COOLDOWN: '2s',
  PULSEWARD_RECOVERY_BUDGET_PER_MINUTE: '10000',
  PULSEWARD_LOG_LEVEL: 'error',
}
