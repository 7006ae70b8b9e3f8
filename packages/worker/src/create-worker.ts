// create-worker.ts: wires a worker together and runs it from start to end.
//
// new ──start──▶ running ──stop, signal──▶ draining ──▶ ended
//                   └───── an error that ends it ─────▶ ended, and `finished` rejects
import { setTimeout as delay } from 'node:timers/promises'
import { Backoff } from './backoff.ts'
import { Counters } from './counters.ts'
import { credentialsFrom } from './credentials.ts'
import { encodeOutcome, saidNothing } from './encode-outcome.ts'
import { type HealthListener, listenForHealth, type WorkerStatus } from './health.ts'
import { HttpCaller } from './http-caller.ts'
import { JobRunner, messageOf } from './job-runner.ts'
import { Journal } from './journal.ts'
import { createLog, type Log } from './log.ts'
import { type Settings, settingsFrom, type WorkerOptions } from './options.ts'
import { Outbox } from './outbox.ts'
import { Poller } from './poller.ts'
import { Service } from './service.ts'
import { ServiceClock } from './service-clock.ts'
import { onStopSignals } from './stop-signals.ts'
import { WorkerError } from './worker-error.ts'

export interface Worker {
  /** Opens the journal, reports what the previous process left, and starts taking jobs. */
  start(): Promise<void>
  /** Takes no more jobs, waits for handlers, delivers results, and closes everything. */
  stop(): Promise<void>
  /** Settles when the worker has ended; rejects with a WorkerError if it could not continue. */
  readonly finished: Promise<void>
  status(): WorkerStatus
}

/** How long to wait for handlers after they were aborted. */
const afterAbortMs = 2_000
/** How long to wait for results to be delivered after the handlers have ended. The rest stays in the journal. */
const flushMs = 10_000

/** Checks the options. Nothing is opened before `start`. */
export function createWorker(options: WorkerOptions): Worker {
  return new RunningWorker(options, settingsFrom(options))
}

/** Created by `start`. */
interface Parts {
  readonly journal: Journal
  readonly service: Service
  readonly outbox: Outbox
  readonly runner: JobRunner
  readonly poller: Poller
}

class RunningWorker implements Worker {
  readonly #options: WorkerOptions
  readonly #settings: Settings
  readonly #log: Log
  readonly #counters = new Counters()
  readonly #finished = Promise.withResolvers<void>()
  #state: 'new' | 'running' | 'draining' | 'ended' = 'new'
  #parts: Parts | null = null
  #health: HealthListener | null = null
  #ignoreSignals = () => {}

  constructor(options: WorkerOptions, settings: Settings) {
    this.#options = options
    this.#settings = settings
    this.#log = createLog(options.log)
  }

  get finished(): Promise<void> {
    return this.#finished.promise
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new WorkerError('invalidOptions', 'A worker can be started once.')
    this.#state = 'running'
    const { health, signals = true } = this.#options
    const parts = this.#open()
    try {
      if (health !== undefined) this.#health = await listenForHealth(health, () => this.status())
    } catch (error) {
      await this.#end(parts)
      throw error
    }
    if (signals) this.#ignoreSignals = onStopSignals(this.#log, () => this.stop())
    const { workerID, leftOver, interrupted } = parts.journal
    this.#log.info('The worker has started.', {
      workerID,
      undelivered: leftOver.length,
      interrupted: interrupted.length,
    })
    await reportInterrupted(parts, this.#counters)
    parts.poller.pump()
  }

  async stop(): Promise<void> {
    if (this.#state === 'draining' || this.#state === 'ended') return this.#finished.promise
    const parts = this.#parts
    this.#state = 'draining'
    if (parts !== null) await this.#drain(parts)
    if (this.#isEnded()) return
    this.#state = 'ended'
    this.#finished.resolve()
  }

  status(): WorkerStatus {
    const trouble = this.#parts?.poller.trouble ?? ''
    const reason = this.#state === 'running' ? trouble : `the worker is ${this.#state}`
    return {
      ready: reason === '',
      reason,
      workerID: this.#parts?.journal.workerID ?? this.#settings.workerID ?? '',
      undelivered: this.#parts?.outbox.size ?? 0,
      counters: { ...this.#counters },
    }
  }

  #open(): Parts {
    const { baseUrl, token, lanes, workerID } = this.#settings
    const log = this.#log
    const counters = this.#counters
    const clock = new ServiceClock()
    const onBroken = (error: unknown) => this.#fail(error)
    const journal = new Journal(this.#options.journal, workerID, (error) => {
      if (error === null) poller.pump()
      else log.error('The journal cannot be written.', { reason: messageOf(error) })
    })
    const caller = new HttpCaller({ baseUrl, token, ca: this.#options.ca })
    const service = new Service({ caller, clock, isOurs: (id, sentAt) => this.#isOurs(id, sentAt) })
    const outbox: Outbox = new Outbox({
      journal,
      service,
      log,
      counters,
      backoff: new Backoff(),
      onUnknown: () => poller.ask(),
      onRoom: () => poller.pump(),
      onBroken,
    })
    const runner: JobRunner = new JobRunner({
      service,
      journal,
      outbox,
      clock,
      log,
      counters,
      findCredential: credentialsFrom(this.#options.credentials),
      onRoom: () => poller.pump(),
      onBroken,
    })
    const poller = new Poller({
      service,
      workerID: journal.workerID,
      lanes,
      log,
      counters,
      backoff: new Backoff(),
      room: () => this.#room(),
      take: (offer, lane) => runner.take(offer, lane),
      isKnown: (executionID) => journal.knows(executionID),
    })
    this.#parts = { journal, service, outbox, runner, poller }
    return this.#parts
  }

  #room(): number | string {
    const { outboxLimit, lanes } = this.#settings
    if (this.#parts === null) return 0
    const { journal, outbox } = this.#parts
    if (!journal.isWritable) return 'the journal cannot be written'
    if (outbox.size >= outboxLimit) return `the outbox is full: ${outboxLimit} results wait for the service`
    const active = lanes.reduce((sum, lane) => sum + lane.active, 0)
    return Math.max(0, outboxLimit - outbox.size - active)
  }

  #isOurs(serverID: string, sentAt: number): boolean {
    const parts = this.#parts
    if (parts === null || this.#isEnded()) return false
    if (parts.journal.belongsTo(serverID)) {
      parts.outbox.confirmed(sentAt)
      return true
    }
    const { journal } = this.#options
    this.#fail(
      new WorkerError(
        'journalOfAnotherServer',
        `The journal ${journal} belongs to another service than the one at ${this.#settings.baseUrl.origin}. Name the service that it belongs to, or another file for this one.`,
      ),
    )
    return false
  }

  async #drain(parts: Parts): Promise<void> {
    const { poller, runner, outbox } = parts
    this.#log.info('The worker stops.', { running: this.#counters.running, undelivered: outbox.size })
    poller.stop()
    await atMost(this.#settings.drainMs, runner.idle())
    runner.abortAll('the worker stops')
    await atMost(afterAbortMs, runner.idle())
    await runner.abandonAll('The worker was stopped before the handler had ended.')
    outbox.hurry()
    await atMost(flushMs, outbox.empty())
    if (!this.#isEnded()) await this.#end(parts)
    this.#log.info('The worker has stopped.', { undelivered: outbox.size })
  }

  #fail(error: unknown): void {
    const parts = this.#parts
    if (this.#isEnded() || parts === null) return
    this.#state = 'ended'
    this.#log.error('The worker cannot go on.', { reason: messageOf(error) })
    parts.runner.abortAll('the worker cannot go on')
    void this.#end(parts)
    this.#finished.reject(error)
  }

  #isEnded(): boolean {
    return this.#state === 'ended'
  }

  async #end({ poller, outbox, service, journal }: Parts): Promise<void> {
    this.#ignoreSignals()
    poller.stop()
    outbox.stop()
    service.close()
    journal.close()
    await this.#health?.[Symbol.asyncDispose]()
  }
}

/** Reports executions of the previous process as unknown. Their handlers may have started, so they never run again. */
async function reportInterrupted({ journal, outbox }: Parts, counters: Counters): Promise<void> {
  const why = 'The worker ended while the handler may have run. It is not run again.'
  const reports = journal.interrupted.map(async (entry) => {
    const text = encodeOutcome(entry, saidNothing(entry.kind, why))
    outbox.add(entry, text, await journal.finish(entry, text))
    counters.interrupted++
  })
  await Promise.all(reports)
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController()
  const timeout = delay(ms, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([work, timeout])
  timer.abort()
}
