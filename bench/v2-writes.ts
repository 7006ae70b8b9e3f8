// bench/v2-writes.ts: people and programs that write to a running fleet: they change what monitors check and
// how often, create monitors and delete them again. Each knows the version of its last answer, so a lost
// update shows at once; at the end the answers are compared with the state of the service.
import { setTimeout as sleep } from 'node:timers/promises'
import type { V2Client } from './v2-client.ts'

/** The spec of a created monitor. */
export type SpecOf = (number: number) => object

interface Known {
  readonly id: string
  etag: string
  /** As the last write left it. */
  name: string
}

/** Of every sixteen writes one creates and one deletes a monitor; the rest patch monitors of the fleet. */
const cycle = 16
const createdAt = 0
const deletedAt = 8

export class V2Writes {
  readonly undone: string[] = []
  made = 0
  #client: V2Client
  readonly #specOf: SpecOf
  /** Monitors of the fleet; a writer takes one from the front and puts it back at the end. */
  readonly #known: Known[]
  readonly #created: Known[] = []
  readonly #deleted: string[] = []
  #turn = 0

  constructor(client: V2Client, specOf: SpecOf, known: readonly Known[]) {
    this.#client = client
    this.#specOf = specOf
    this.#known = [...known]
  }

  /** The service was restarted. */
  goOn(client: V2Client): void {
    this.#client = client
  }

  /** How many monitors were added. */
  get added(): number {
    return this.#created.length
  }

  /** This many per second, however long each takes; returns the milliseconds from when each was due. */
  async atRate(perSecond: number, seconds: number): Promise<number[]> {
    const latencies: number[] = []
    const pending: Promise<void>[] = []
    const startedMs = performance.now()
    for (let turn = 0; turn < perSecond * seconds; turn++) {
      const dueMs = startedMs + (turn * 1000) / perSecond
      await sleep(Math.max(0, dueMs - performance.now()))
      pending.push(this.#next().then(() => void latencies.push(performance.now() - dueMs)))
    }
    await Promise.all(pending)
    return latencies
  }

  /** As many as the connections allow; returns how many there were per second. */
  async sustained(connections: number, seconds: number): Promise<number> {
    const before = this.made
    const startedMs = performance.now()
    const untilMs = startedMs + seconds * 1000
    const writer = async () => {
      while (performance.now() < untilMs) await this.#next()
    }
    await Promise.all(Array.from({ length: connections }, writer))
    return (this.made - before) / ((performance.now() - startedMs) / 1000)
  }

  /** Compares the state of the service with its answers, for some of the written monitors. */
  async verify(atMost: number): Promise<string[]> {
    const written = [...this.#known.filter(({ name }) => name !== ''), ...this.#created].slice(-atMost)
    const wrong: string[] = []
    for (const { id, etag, name } of written) {
      const found = await this.#client.get(`/monitors/${id}`)
      const { metadata } = JSON.parse(found.text)
      if (found.etag !== etag || metadata?.name !== name)
        wrong.push(`${id} was written as ${etag}, but is ${found.etag} (${found.status}).`)
    }
    for (const id of this.#deleted.slice(-atMost)) {
      const { status } = await this.#client.get(`/monitors/${id}`)
      if (status !== 404) wrong.push(`${id} was deleted, but answers ${status}.`)
    }
    if (written.length === 0) wrong.push('Nothing was written.')
    return wrong.slice(0, 5)
  }

  #next(): Promise<void> {
    const turn = this.#turn++
    if (turn % cycle === createdAt) return this.#create(turn)
    const created = turn % cycle === deletedAt ? this.#created.shift() : undefined
    return created === undefined ? this.#patch(turn) : this.#delete(created)
  }

  async #create(turn: number): Promise<void> {
    const id = `created-${turn}`
    const name = `Created ${turn}`
    const metadata = { id, name, labels: { slice: 'created' } }
    const body = { apiVersion: 'pulseward/v2', kind: 'Monitor', metadata, spec: this.#specOf(turn) }
    const { status, etag } = await this.#client.create('/monitors', body)
    if (!this.#count('A create', status, 201)) return
    this.#created.push({ id, etag, name })
  }

  async #patch(turn: number): Promise<void> {
    const monitor = this.#known.shift()
    if (monitor === undefined) {
      this.undone.push('There were not enough monitors to write to.')
      return
    }
    const name = `Service written in turn ${turn}`
    const check =
      turn % 2 === 0 ? { interval: `${58 + (turn % 5)}s` } : { unhealthyThreshold: 2 + (turn % 5) }
    const changes = turn % 4 === 3 ? {} : { spec: { check } }
    const { status, etag } = await this.#client.patch(`/monitors/${monitor.id}`, monitor.etag, {
      metadata: { name },
      ...changes,
    })
    if (!this.#count('A patch', status, 200)) return
    monitor.etag = etag
    monitor.name = name
    this.#known.push(monitor)
  }

  async #delete({ id, etag }: Known): Promise<void> {
    const { status } = await this.#client.delete(`/monitors/${id}`, etag)
    if (this.#count('A delete', status, 200)) this.#deleted.push(id)
  }

  #count(what: string, status: number, expected: number): boolean {
    if (status === expected) this.made++
    else if (this.undone.length < 5) this.undone.push(`${what} was answered ${status}.`)
    return status === expected
  }
}
