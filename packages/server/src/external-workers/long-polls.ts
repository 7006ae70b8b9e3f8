// external-workers/long-polls.ts: polls that wait for work. A poll waits in the queue of each of its worker's
// capabilities and leaves all of them when it is answered, given up or ended. Their number is bounded. Jobs
// are unknown here.
import { type Capability, capabilityKey, type WorkerName } from './job.ts'

export interface Poll {
  readonly worker: WorkerName
  /** Digest of the token that the poll came with. The poll ends when the token is revoked. */
  readonly digest: string
  readonly capabilities: readonly Capability[]
  readonly capacity: number
  readonly limit: number
}

/** A poll without an answer yet. */
export interface WaitingPoll<Answer> extends Poll {
  answer(answer: Answer): void
}

interface Entry<Answer> extends WaitingPoll<Answer> {
  giveUp(): void
  fail(error: Error): void
}

const noPolls: ReadonlySet<never> = new Set()

/** Calls `ring` once after `ms`, unless the returned function is called first. */
export type Alarm = (ms: number, ring: () => void) => () => void

const systemAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms)
  return () => clearTimeout(timer)
}

export class LongPolls<Answer> {
  /** Waiting polls by capability, longest wait first. */
  readonly #queues = new Map<string, Set<Entry<Answer>>>()
  readonly #waiting = new Set<Entry<Answer>>()
  readonly #most: number
  readonly #alarm: Alarm
  #isClosed = false

  constructor(most: number, alarm: Alarm = systemAlarm) {
    this.#most = most
    this.#alarm = alarm
  }

  get size(): number {
    return this.#waiting.size
  }

  get isFull(): boolean {
    return this.#waiting.size >= this.#most
  }

  /** Resolves with the answer, or with `nothing` after `ms`. `whenGone` receives a function that gives up the poll. */
  wait(poll: Poll, ms: number, nothing: Answer, whenGone: (giveUp: () => void) => void): Promise<Answer> {
    if (this.#isClosed) return Promise.resolve(nothing)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const keys = [...new Set(poll.capabilities.map(capabilityKey))]
    const leave = () => {
      stopAlarm()
      this.#waiting.delete(entry)
      for (const key of keys) this.#leaveQueue(key, entry)
    }
    const answer = (given: Answer) => {
      leave()
      resolve(given)
    }
    const entry: Entry<Answer> = {
      ...poll,
      giveUp: () => answer(nothing),
      answer,
      fail(error) {
        leave()
        reject(error)
      },
    }
    const stopAlarm = this.#alarm(ms, () => answer(nothing))
    this.#waiting.add(entry)
    for (const key of keys) this.#queueOf(key).add(entry)
    whenGone(() => entry.giveUp())
    return promise
  }

  /** The polls that wait for this capability, longest wait first. A poll leaves when it is answered. */
  waitingFor(key: string): ReadonlySet<WaitingPoll<Answer>> {
    return this.#queues.get(key) ?? noPolls
  }

  /** Ends the polls of tokens that were revoked or lost rights. */
  endThoseOf(digests: ReadonlySet<string>, error: () => Error): void {
    for (const entry of [...this.#waiting]) if (digests.has(entry.digest)) entry.fail(error())
  }

  /** Answers all polls with nothing, now and from now on. */
  close(): void {
    this.#isClosed = true
    for (const entry of [...this.#waiting]) entry.giveUp()
  }

  #queueOf(key: string): Set<Entry<Answer>> {
    const queue = this.#queues.get(key) ?? new Set()
    this.#queues.set(key, queue)
    return queue
  }

  #leaveQueue(key: string, entry: Entry<Answer>): void {
    const queue = this.#queues.get(key)
    queue?.delete(entry)
    if (queue?.size === 0) this.#queues.delete(key)
  }
}
