// external-workers/long-polls.ts: polls that wait for work. Each stands in line for everything that its worker can do and
// leaves all lines when it is answered, given up or ended. Bounded; nothing here knows what a job is.
import { type Capability, capabilityKey, type WorkerName } from './job.ts'

export interface Poll {
  readonly worker: WorkerName
  /** Of the token that it came with: it ends with it. */
  readonly digest: string
  readonly capabilities: readonly Capability[]
  readonly capacity: number
  readonly limit: number
}

/** A poll that has not been answered. */
export interface WaitingPoll<Answer> extends Poll {
  answer(answer: Answer): void
}

interface Entry<Answer> extends WaitingPoll<Answer> {
  giveUp(): void
  fail(error: Error): void
}

const nobody: ReadonlySet<never> = new Set()

/** Rings once after that time, unless what it returns is called before. */
export type Alarm = (ms: number, ring: () => void) => () => void

const systemAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms)
  return () => clearTimeout(timer)
}

export class LongPolls<Answer> {
  /** By capability, those that have waited longest first. */
  readonly #lines = new Map<string, Set<Entry<Answer>>>()
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

  /** Resolves with what it is answered, or with `nothing` after that time. whenGone: is told how to give up. */
  wait(poll: Poll, ms: number, nothing: Answer, whenGone: (giveUp: () => void) => void): Promise<Answer> {
    if (this.#isClosed) return Promise.resolve(nothing)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const keys = [...new Set(poll.capabilities.map(capabilityKey))]
    const leave = () => {
      stopAlarm()
      this.#waiting.delete(entry)
      for (const key of keys) this.#leaveLine(key, entry)
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
    for (const key of keys) this.#lineOf(key).add(entry)
    whenGone(() => entry.giveUp())
    return promise
  }

  /** Those that wait for this capability, the longest first. One that is answered leaves. */
  inLine(key: string): ReadonlySet<WaitingPoll<Answer>> {
    return this.#lines.get(key) ?? nobody
  }

  /** Of tokens that do not give what they gave any more. */
  endThoseOf(digests: ReadonlySet<string>, error: () => Error): void {
    for (const entry of [...this.#waiting]) if (digests.has(entry.digest)) entry.fail(error())
  }

  /** Nobody waits any more, from now on. */
  close(): void {
    this.#isClosed = true
    for (const entry of [...this.#waiting]) entry.giveUp()
  }

  #lineOf(key: string): Set<Entry<Answer>> {
    const line = this.#lines.get(key) ?? new Set()
    this.#lines.set(key, line)
    return line
  }

  #leaveLine(key: string, entry: Entry<Answer>): void {
    const line = this.#lines.get(key)
    line?.delete(entry)
    if (line?.size === 0) this.#lines.delete(key)
  }
}
