// crash/crash-targets.ts: one loopback server that is the target of every monitor. Each target fails and
// recovers by its own plan and remembers its successes, because only the target knows them for certain.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Random } from '../random.ts'

interface Target {
  isFailing: boolean
  changesAtMs: number
  /** When it answered well, by the wall clock. */
  readonly successesAt: number[]
}

const failsForMs = [700, 4_000] as const
const worksForMs = [500, 5_000] as const

export class CrashTargets implements AsyncDisposable {
  readonly url: string
  readonly #server: Server
  readonly #targets = new Map<string, Target>()
  readonly #random: Random
  /** When the last check arrived, by the monotonic clock. */
  checkedAtMs = Number.NEGATIVE_INFINITY
  #isCalm = false

  private constructor(server: Server, random: Random) {
    this.#server = server
    this.#random = random
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => {
      const isWell = this.#answer(request.url!.slice(1))
      response.writeHead(isWell ? 200 : 500, { connection: 'close' }).end()
    })
  }

  static async start(random: Random): Promise<CrashTargets> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new CrashTargets(server, random)
  }

  successesSince(monitorId: string, sinceMs: number): number {
    const all = this.#targets.get(monitorId)?.successesAt ?? []
    return all.length - (all.findLastIndex((atMs) => atMs < sinceMs) + 1)
  }

  /** A recovery worked. */
  mend(monitorId: string): void {
    const target = this.#targetOf(monitorId)
    target.isFailing = false
    target.changesAtMs = performance.now() + this.#random.between(...worksForMs)
  }

  /** From now on every target is healthy. */
  calmDown(): void {
    this.#isCalm = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  #answer(monitorId: string): boolean {
    const target = this.#targetOf(monitorId)
    const nowMs = performance.now()
    this.checkedAtMs = nowMs
    if (nowMs >= target.changesAtMs) {
      target.isFailing = !target.isFailing
      const [atLeastMs, atMostMs] = target.isFailing ? failsForMs : worksForMs
      target.changesAtMs = nowMs + this.#random.between(atLeastMs, atMostMs)
    }
    const isWell = this.#isCalm || !target.isFailing
    if (isWell) target.successesAt.push(Date.now())
    return isWell
  }

  #targetOf(monitorId: string): Target {
    let target = this.#targets.get(monitorId)
    if (target === undefined) {
      const changesAtMs = performance.now() + this.#random.between(...worksForMs)
      target = { isFailing: false, changesAtMs, successesAt: [] }
      this.#targets.set(monitorId, target)
    }
    return target
  }
}
