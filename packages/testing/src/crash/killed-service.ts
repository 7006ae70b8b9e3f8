// crash/killed-service.ts: the real service on real files, started and killed over and over, and what it says of
// itself through its API.
import { setTimeout as after } from 'node:timers/promises'
import type { HistoryEvent } from '@pulseward/contract'
import { RunningCommand, type RunningService } from '../process/running-command.ts'

const pollMs = 20
const pageSize = 500

export interface ServiceFiles {
  readonly fleet: string
  readonly data: string
}

/** A monitor as far as it may not change over a crash. */
export interface MonitorRow {
  readonly id: number
  readonly monitor_id: string
  readonly total_samples: number
}

export class KilledService {
  readonly #words: readonly string[]
  #running: RunningService | null = null

  constructor({ fleet, data }: ServiceFiles) {
    this.#words = ['--config', fleet, '--data', data, '--store', 'sqlite', '--log-level', 'error']
  }

  /** Answers with how long it took until it was ready. */
  async start(): Promise<number> {
    const startedMs = performance.now()
    this.#running = await RunningCommand.serve(this.#words, { environment })
    while ((await fetch(this.#address('readyz'))).status !== 200) await after(pollMs)
    return performance.now() - startedMs
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  async kill(): Promise<void> {
    const running = this.#running
    this.#running = null
    await running?.[Symbol.asyncDispose]()
  }

  /** Starts it and kills it before long, ready or not. */
  async killWhileStarting(afterMs: number): Promise<void> {
    await using _command = new RunningCommand(['serve', '--listen', '127.0.0.1:0', ...this.#words], {
      environment,
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

  /** The whole of it, from the first event on. */
  async history(): Promise<readonly HistoryEvent[]> {
    const events: HistoryEvent[] = []
    for await (const page of this.#pages('asc')) events.push(...page)
    return events
  }

  /** What was committed after this event; null for all. */
  async eventsAfter(known: HistoryEvent | null): Promise<readonly HistoryEvent[]> {
    const newest: HistoryEvent[] = []
    for await (const page of this.#pages('desc')) {
      const end = page.findIndex(({ id }) => id === known?.id)
      newest.push(...(end === -1 ? page : page.slice(0, end)))
      if (end !== -1) break
    }
    return newest.reverse()
  }

  async *#pages(order: 'asc' | 'desc'): AsyncIterable<readonly HistoryEvent[]> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: { events: HistoryEvent[]; next_cursor: string | null } = await this.#get(
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
