// heartbeats.ts: tells the service that a job still runs, and aborts its handler when the service withdraws the grant or
// the deadline passes. Short jobs send no heartbeat. A lost heartbeat changes nothing: the deadline still holds.
import type { Entry } from './journal.ts'
import type { Log } from './log.ts'
import type { Service } from './service.ts'
import type { ServiceClock } from './service-clock.ts'

interface Parts {
  readonly service: Service
  readonly clock: ServiceClock
  readonly log: Log
  readonly workerID: string
  readonly entry: Entry
  readonly deadline: string
  readonly abort: AbortController
}

const leastMs = 1_000
const mostMs = 30_000

export class Heartbeats {
  readonly #parts: Parts
  readonly #deadline: NodeJS.Timeout
  #next: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(parts: Parts) {
    this.#parts = parts
    const remainingMs = parts.clock.msUntil(parts.deadline)
    this.#deadline = setTimeout(() => this.#end('the deadline is over'), remainingMs)
    this.#schedule(remainingMs)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#deadline)
    if (this.#next !== null) clearTimeout(this.#next)
  }

  /** After a third of the remaining time. */
  #schedule(remainingMs: number): void {
    const waitMs = Math.min(Math.max(remainingMs / 3, leastMs), mostMs)
    if (waitMs < remainingMs) this.#next = setTimeout(() => void this.#beat(), waitMs)
  }

  async #beat(): Promise<void> {
    const { service, clock, workerID, entry, deadline, log } = this.#parts
    const { executionID, grantID } = entry
    const answer = await service.heartbeat({ workerID, executionID, grantID })
    if (this.#isStopped) return
    const isGone = !answer.ok && answer.status === 404 && answer.code === 'notFound'
    if (isGone || (answer.ok && !answer.body.accepted)) {
      this.#end('the service took the grant back')
      return
    }
    if (!answer.ok) log.warn('A heartbeat did not get through.', { executionID, reason: answer.message })
    this.#schedule(clock.msUntil(deadline))
  }

  #end(reason: string): void {
    this.stop()
    const { log, abort, entry } = this.#parts
    log.warn('A handler is asked to end.', { executionID: entry.executionID, reason })
    abort.abort(new Error(reason))
  }
}
