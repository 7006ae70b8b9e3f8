// poller.ts: polls for jobs whenever there is room for them. A handler is in one long poll at a time, and a poll asks for
// no more than each of its handlers has room for, so an offer can always be started at once. Handlers with equal room
// share a poll; a handler that gets room while others are polling gets a separate poll.
import type { v2 } from '@pulseward/client'
import type { Backoff } from './backoff.ts'
import type { Counters } from './counters.ts'
import type { Lane } from './handlers.ts'
import type { Refused } from './http-caller.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import type { Service } from './service.ts'

export interface PollerParts {
  readonly service: Service
  readonly workerID: string
  readonly lanes: readonly Lane[]
  readonly log: Log
  readonly counters: Counters
  readonly backoff: Backoff
  /** How many more jobs may be taken, or why none. */
  readonly room: () => number | string
  readonly take: (offer: v2.Assignment, lane: Lane) => void
  readonly isKnown: (executionID: string) => boolean
}

/** A pause after offers, so that the next poll brings several at once. */
const afterOffersMs = 10
/** A pause after an empty answer that came much too early. */
const afterEmptyMs = 1_000

export class Poller {
  readonly #parts: PollerParts
  readonly #polled = new Set<Lane>()
  readonly #stopped = new AbortController()
  readonly #capacity: number
  #pause: NodeJS.Timeout | null = null
  #isFirst = true
  #hasToAsk = false
  #trouble = 'the service has not answered yet'
  #fullBecause = ''

  constructor(parts: PollerParts) {
    this.#parts = parts
    this.#capacity = parts.lanes.reduce((sum, { concurrency }) => sum + concurrency, 0)
  }

  /** Why no jobs are taken; empty if all is well. */
  get trouble(): string {
    return this.#trouble || this.#fullBecause
  }

  /** Polls for all handlers that have room and are not in a poll. */
  pump(): void {
    while (this.#pause === null && !this.#stopped.signal.aborted) {
      const idle = this.#parts.lanes.filter((lane) => !this.#polled.has(lane) && roomOf(lane) > 0)
      const [first] = idle
      if (first === undefined) return
      const most = this.#room()
      // The first poll, and a poll to verify the service, must not wait: only the answer matters.
      const isAsking = this.#isFirst || (this.#hasToAsk && this.#polled.size === 0)
      if (most < 1 && !isAsking) return
      const group = idle.filter((lane) => roomOf(lane) === roomOf(first))
      const limit = Math.max(1, Math.min(limits.pollOffers, roomOf(first), most))
      const waitSeconds = isAsking ? 0 : limits.pollWaitSeconds
      this.#hasToAsk = false
      void this.#poll(group, limit, waitSeconds)
      // Nothing else is sent until the service has answered once.
      if (this.#isFirst) return
    }
  }

  /** Makes the service identify itself, unless a pending poll will do that. */
  ask(): void {
    this.#hasToAsk = true
    this.pump()
  }

  stop(): void {
    this.#stopped.abort()
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pause = null
  }

  #room(): number {
    const room = this.#parts.room()
    const why = typeof room === 'string' ? room : ''
    if (why !== this.#fullBecause) {
      if (why !== '') this.#parts.log.error('No new work is taken on.', { reason: why })
      else this.#parts.log.info('New work is taken on again.')
    }
    this.#fullBecause = why
    return typeof room === 'string' ? 0 : room
  }

  async #poll(group: readonly Lane[], limit: number, waitSeconds: number): Promise<void> {
    const { service, workerID, counters } = this.#parts
    for (const lane of group) this.#polled.add(lane)
    counters.polls++
    const capabilities = group.map(({ jobTypeID, version, kind }) => ({ jobTypeID, version, kind }))
    const body = { workerID, capabilities, capacity: this.#capacity, limit, waitSeconds }
    const sentAt = performance.now()
    const answer = await service.poll(body, this.#stopped.signal)
    for (const lane of group) this.#polled.delete(lane)
    if (this.#stopped.signal.aborted) return
    if (answer.ok) this.#answered(group, answer.body.items, sentAt, waitSeconds)
    else this.#failed(answer)
    this.pump()
  }

  #answered(group: readonly Lane[], offers: readonly v2.Assignment[], sentAt: number, waitSeconds: number) {
    const { backoff, log, counters } = this.#parts
    this.#isFirst = false
    backoff.reset()
    if (this.#trouble !== '') log.info('The service answers; the worker is ready.')
    this.#trouble = ''
    counters.offered += offers.length
    for (const offer of offers) this.#offered(group, offer)
    const cameEarly = performance.now() - sentAt < (waitSeconds * 1000) / 2
    if (offers.length > 0) this.#wait(afterOffersMs)
    else if (cameEarly) this.#wait(afterEmptyMs)
  }

  #offered(group: readonly Lane[], offer: v2.Assignment): void {
    const { take, isKnown, log } = this.#parts
    const { executionID, jobTypeID, jobTypeVersion, kind } = offer
    const lane = group.find(
      (one) => one.jobTypeID === jobTypeID && one.version === jobTypeVersion && one.kind === kind,
    )
    const isFull = this.#room() < 1
    if (lane === undefined)
      log.error('The service offers a job that was not asked for.', { executionID, jobTypeID })
    else if (isKnown(executionID)) {
      log.error('The service offers an execution that this worker has had before; it is not run again.', {
        executionID,
      })
    } else if (!isFull && roomOf(lane) > 0) take(offer, lane)
  }

  #failed({ status, code, message, retryAfterMs }: Refused): void {
    const { backoff, log } = this.#parts
    if (this.#trouble !== message) {
      log.error(`No work can be asked for${hintAt(status, code)}.`, { status, code, reason: message })
    }
    this.#trouble = message
    this.#wait(backoff.nextMs(retryAfterMs))
  }

  #wait(ms: number): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = null
      this.pump()
    }, ms)
  }
}

function roomOf({ concurrency, active }: Lane): number {
  return concurrency - active
}

/** What to do about it, if the status tells. */
function hintAt(status: number, code: string): string {
  if (status === 401) return ': the service does not accept the token. Make one with `pulseward token create`'
  if (status === 403) {
    return ': the token may not run these job types. Make one with `pulseward token create NAME --role worker --job-type ID`'
  }
  if (status === 501 || code === 'api_version_not_served') {
    return ': the service runs without external jobs. Set `external_jobs: true` in its settings'
  }
  if (status === 400 || status === 422) {
    return ': the service does not know these job types in these versions. Apply them, or run the version of the worker that fits'
  }
  return ''
}
