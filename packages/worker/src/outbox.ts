// outbox.ts: delivers outcomes until each has its receipt, in the order in which they arrived, several at a
// time. While the service cannot answer, all of them wait and none is dropped. Outcomes are read from the
// journal when they are sent, so that a long outbox takes no memory.
import type { Backoff } from './backoff.ts'
import type { Counters } from './counters.ts'
import { encodeOutcome, saidNothing } from './encode-outcome.ts'
import type { Refused } from './http-caller.ts'
import type { Ending, Entry, Journal } from './journal.ts'
import type { Log } from './log.ts'
import type { Service } from './service.ts'

export interface OutboxParts {
  readonly journal: Journal
  readonly service: Service
  readonly log: Log
  readonly counters: Counters
  readonly backoff: Backoff
  /** The service does not know an execution, so the worker must verify that it is the right service. */
  readonly onUnknown: () => void
  /** An outcome has left the outbox. */
  readonly onRoom: () => void
  /** The journal cannot be read. */
  readonly onBroken: (error: unknown) => void
}

interface Letter {
  readonly entry: Entry
  /** Null if it must be read from the journal. */
  readonly text: string | null
  /** Whether this replaces an outcome that the service refused. */
  readonly isSubstitute?: boolean
}

const inFlightMost = 32
/** The texts of up to this many waiting outcomes are kept in memory. */
const keptTexts = 256
/** Only an operator can fix a wrong token or a missing feature, so there is no use in trying more often. */
const forPeopleMs = 30_000

export class Outbox {
  readonly #parts: OutboxParts
  #waiting: Letter[] = []
  /** Executions that the service says it does not know, and when it said so. */
  #unknown: { readonly letter: Letter; readonly at: number }[] = []
  #inFlight = 0
  #pause: NodeJS.Timeout | null = null
  #isOpen = false
  /** Whether the pause is only because the service was not reached: then any answer ends it. */
  #isPausedUnreached = false
  #toldOf = ''
  #onEmpty: (() => void) | null = null
  readonly #stopped = new AbortController()

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#waiting = parts.journal.leftOver.map((entry) => ({ entry, text: null }))
  }

  get size(): number {
    return this.#waiting.length + this.#inFlight + this.#unknown.length
  }

  /** Outcomes that need nothing but the service to be delivered. */
  get deliverable(): number {
    return this.#waiting.length + this.#inFlight
  }

  /** An answer has shown that this is the right service, so its earlier "not found" answers are final. */
  confirmed(sentAt: number): void {
    this.#isOpen = true
    const sure = this.#unknown.filter(({ at }) => at <= sentAt)
    if (sure.length > 0) this.#unknown = this.#unknown.filter(({ at }) => at > sentAt)
    for (const { letter } of sure) this.#forget(letter.entry)
    if (this.#isPausedUnreached) this.hurry()
    else this.#pump()
  }

  add(entry: Entry, text: string, isOnDisk: boolean): void {
    const mayForget = isOnDisk && this.#waiting.length >= keptTexts
    this.#waiting.push({ entry, text: mayForget ? null : text })
    this.#pump()
  }

  /** Ends the pause and sends what is waiting. */
  hurry(): void {
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pause = null
    this.#isPausedUnreached = false
    this.#pump()
  }

  /** Resolves when no deliverable outcome is left. */
  empty(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.deliverable === 0 || !this.#isOpen) resolve()
    else this.#onEmpty = resolve
    return promise
  }

  stop(): void {
    this.#stopped.abort()
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pause = null
  }

  #pump(): void {
    while (this.#isOpen && this.#pause === null && !this.#stopped.signal.aborted) {
      // After a failure, only one is sent until it succeeds.
      if (this.#inFlight >= (this.#toldOf === '' ? inFlightMost : 1)) return
      const letter = this.#waiting.shift()
      if (letter === undefined) return
      this.#inFlight++
      this.#deliver(letter).catch(this.#parts.onBroken)
    }
  }

  async #deliver(letter: Letter): Promise<void> {
    const { service, journal } = this.#parts
    const text = letter.text ?? journal.outcomeOf(letter.entry)
    const answer = await service.result(text, this.#stopped.signal)
    this.#inFlight--
    if (this.#stopped.signal.aborted && !answer.ok) {
      this.#waiting.push(letter)
      return
    }
    if (answer.ok) this.#received(letter.entry, answer.body)
    else await this.#refused(letter, answer)
    this.#pump()
    if (this.deliverable === 0) this.#onEmpty?.()
  }

  #received(entry: Entry, { receiptID, disposition }: { receiptID: string; disposition: string }): void {
    const { counters, backoff, log } = this.#parts
    this.#end(entry, 'receipt', receiptID)
    counters.delivered++
    if (disposition === 'unknown') {
      counters.deliveredLate++
      log.warn('A result came after its deadline; the service keeps it as late evidence.', named(entry))
    }
    backoff.reset()
    if (this.#toldOf !== '') log.info('Results are delivered again.', { undelivered: this.size })
    this.#toldOf = ''
  }

  async #refused(letter: Letter, answer: Refused): Promise<void> {
    const { entry } = letter
    const { log, counters } = this.#parts
    if (answer.status === 404 && answer.code === 'notFound') {
      this.#unknown.push({ letter, at: performance.now() })
      this.#parts.onUnknown()
    } else if (answer.status === 409 && answer.code === 'evidenceConflict') {
      counters.conflicts++
      this.#end(entry, 'conflict', '')
      log.error(
        'The service has another result of this execution and refuses this one. It is given up.',
        named(entry),
      )
    } else if ([400, 413, 422].includes(answer.status) && answer.code !== '') {
      await this.#substitute(letter, answer)
    } else this.#later(letter, answer)
  }

  /** Replaces an outcome that the service refuses by one that fits every schema and says so. */
  async #substitute({ entry, isSubstitute }: Letter, { message }: Refused): Promise<void> {
    const { log, counters, journal } = this.#parts
    counters.refused++
    if (isSubstitute) {
      this.#end(entry, 'refused', '')
      log.error('The service refuses every result of this execution. It is given up.', {
        ...named(entry),
        reason: message,
      })
      return
    }
    log.error('The service refuses the result of a handler; fix the handler or its job type.', {
      ...named(entry),
      reason: message,
    })
    const text = encodeOutcome(
      entry,
      saidNothing(entry.kind, `The service refused the result of the handler: ${message}.`),
    )
    await journal.finish(entry, text)
    this.#waiting.unshift({ entry, text, isSubstitute: true })
  }

  /** Puts the outcome at the end of the queue, so that one that always fails does not block the others. */
  #later(letter: Letter, { status, code, message, retryAfterMs }: Refused): void {
    const { backoff, log } = this.#parts
    this.#waiting.push(letter)
    const isForPeople = status >= 400 && status < 500 && status !== 408 && status !== 429
    const waitMs = Math.max(backoff.nextMs(retryAfterMs), isForPeople || status === 501 ? forPeopleMs : 0)
    if (this.#toldOf !== message) {
      const fields = { status, code, reason: message, undelivered: this.size }
      log.error('Results cannot be delivered. They are kept and sent again.', fields)
    }
    this.#toldOf = message
    if (this.#pause === null) this.#isPausedUnreached = status === 0
    this.#pause ??= setTimeout(() => this.hurry(), waitMs)
  }

  #forget(entry: Entry): void {
    this.#parts.counters.dropped++
    this.#end(entry, 'notFound', '')
    this.#parts.log.error(
      'The service does not know this execution any more. Its result is given up.',
      named(entry),
    )
  }

  #end(entry: Entry, ending: Ending, receiptID: string): void {
    this.#parts.journal.end(entry, ending, receiptID)
    this.#parts.onRoom()
  }
}

function named({ executionID, kind }: Entry) {
  return { executionID, kind }
}
