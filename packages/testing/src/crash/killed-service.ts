// crash/killed-service.ts: the real service on real files, started and killed repeatedly, and what it reports
// through its API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type NextHistoryEvent, v2 } from '@pulseward/contract'
import { RunningCommand, type RunningService } from '../process/running-command.ts'

const pollMs = 20
/** What has not become ready by then never does. */
const longestStartMs = 300_000
const pageSize = 500

export interface ServiceFiles {
  readonly fleet: string
  readonly data: string
  /** As in the setting; an embedded store if absent. */
  readonly store?: string
}

export interface V2Call {
  readonly id?: string
  readonly query?: string
  /** The version that the client has seen; null for a create, and for reads. */
  readonly version?: string | null
  readonly body?: object
}

/** The fields of a monitor that must not change over a crash. */
export interface MonitorRow {
  readonly id: number
  readonly monitor_id: string
  readonly total_samples: number
}

export class KilledService {
  readonly #words: readonly string[]
  readonly #environment: NodeJS.ProcessEnv
  readonly #tokenFile: string
  #token = ''
  #running: RunningService | null = null

  constructor({ fleet, data, store = 'sqlite' }: ServiceFiles) {
    this.#environment = { ...environment, PULSEWARD_STORE: store }
    this.#words = ['--edition', 'next', '--config', fleet, '--data', data, '--log-level', 'error']
    this.#tokenFile = join(data, 'operator.token')
  }

  /** Returns how long it took to become ready. */
  async start(): Promise<number> {
    const startedMs = performance.now()
    this.#running = await RunningCommand.serve(this.#words, { environment: this.#environment })
    this.#token = readFileSync(this.#tokenFile, 'utf8').trim()
    for (;;) {
      const answer = await fetch(this.#address('readyz'), { signal: AbortSignal.timeout(longestStartMs) })
      const readyMs = performance.now() - startedMs
      if (answer.status === 200) return readyMs
      const words = await answer.text()
      if (readyMs > longestStartMs) throw new Error(`it does not become ready: ${words}`)
      await after(pollMs)
    }
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  async kill(): Promise<void> {
    const running = this.#running
    this.#running = null
    await running?.[Symbol.asyncDispose]()
  }

  /** Starts the service and kills it after a short time, ready or not. */
  async killWhileStarting(afterMs: number): Promise<void> {
    await using _command = new RunningCommand(['serve', '--listen', '127.0.0.1:0', ...this.#words], {
      environment: this.#environment,
    })
    await after(afterMs)
  }

  async committedPosition(): Promise<number> {
    const { storage } = await this.#get<{ storage: { committed_position: number } }>('state')
    return storage.committed_position
  }

  async openIncidents(): Promise<number> {
    return (await this.#get<{ total: number }>('incidents?size=1')).total
  }

  async monitors(): Promise<readonly MonitorRow[]> {
    const rows: MonitorRow[] = []
    for (let page = 1; ; page++) {
      const answer = await this.#get<{ monitors: MonitorRow[]; total: number }>(
        `monitors?size=${pageSize}&page=${page}`,
      )
      rows.push(...answer.monitors)
      if (page * pageSize >= answer.total) return rows
    }
  }

  /** The whole history, from the first event on. */
  async history(): Promise<readonly NextHistoryEvent[]> {
    const events: NextHistoryEvent[] = []
    for await (const page of this.#pages('asc')) events.push(...page)
    return events
  }

  /** The events that were committed after this one; null for all. */
  async eventsAfter(known: NextHistoryEvent | null): Promise<readonly NextHistoryEvent[]> {
    const newest: NextHistoryEvent[] = []
    for await (const page of this.#pages('desc')) {
      const end = page.findIndex(({ id }) => id === known?.id)
      newest.push(...(end === -1 ? page : page.slice(0, end)))
      if (end !== -1) break
    }
    return newest.reverse()
  }

  /** Every event of all resources, monitors and the service itself, in order. */
  async everyEvent(): Promise<readonly v2.Event[]> {
    const events: v2.Event[] = []
    for (let cursor = ''; ; ) {
      const query = `?limit=${pageSize}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      const answer = await this.callV2('GetHistory', { query })
      if (!answer.ok) throw new Error(`the history of v2 answered ${answer.status}: ${await answer.text()}`)
      const page = (await answer.json()) as { items: v2.Event[]; nextCursor?: string }
      events.push(...page.items)
      if (page.nextCursor === undefined) return events
      cursor = page.nextCursor
    }
  }

  /** Calls an operation of v2 as its operator, with the precondition that it needs. */
  callV2(name: v2.OperationName, { id = '', query = '', version = null, body }: V2Call): Promise<Response> {
    const running = this.#running
    if (running === null) return Promise.reject(new Error('the service does not run'))
    const { method, path, body: taken }: v2.V2Operation = v2.operations[name]
    const precondition =
      method === 'GET' ? {} : version === null ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` }
    return fetch(`${running.url}${path.replace('{id}', encodeURIComponent(id))}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(taken === undefined ? {} : { 'content-type': taken.mediaType }),
        ...precondition,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async *#pages(order: 'asc' | 'desc'): AsyncIterable<readonly NextHistoryEvent[]> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: { events: NextHistoryEvent[]; next_cursor: string | null } = await this.#get(
        `history?order=${order}&limit=${pageSize}${from}`,
      )
      yield page.events
      cursor = page.next_cursor
    }
  }

  async #get<Body>(path: string): Promise<Body> {
    const answer = await fetch(this.#address(path))
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Body
  }

  #address(path: string): string {
    return `${this.#running!.url}/api/v1/${path}`
  }
}

const environment = {
  PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1',
  PULSEWARD_ALERT_COOLDOWN: '2s',
  PULSEWARD_RECOVERY_BUDGET_PER_MINUTE: '10000',
}
