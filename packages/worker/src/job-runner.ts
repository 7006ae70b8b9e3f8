// job-runner.ts: takes one offer through all stages: start, journal, handler, outcome, outbox. The handler
// runs only if the start was answered with `granted`, to this process. Any other disposition, and any doubt,
// means that it does not run.
import type { v2 } from '@pulseward/client'
import type { Counters } from './counters.ts'
import type { FindCredential } from './credentials.ts'
import { encodeOutcome, notBegun, saidNothing } from './encode-outcome.ts'
import type { Job, Lane } from './handlers.ts'
import { Heartbeats } from './heartbeats.ts'
import type { Entry, Journal } from './journal.ts'
import type { Log } from './log.ts'
import type { Outbox } from './outbox.ts'
import type { AnyOutcome } from './outcomes.ts'
import type { Service } from './service.ts'
import type { ServiceClock } from './service-clock.ts'
import { askToStart } from './start-job.ts'

export interface RunnerParts {
  readonly service: Service
  readonly journal: Journal
  readonly outbox: Outbox
  readonly clock: ServiceClock
  readonly log: Log
  readonly counters: Counters
  readonly findCredential: FindCredential
  /** A job has ended or was not started, so there is room for another. */
  readonly onRoom: () => void
  /** An unforeseen error in the library itself. */
  readonly onBroken: (error: unknown) => void
}

/** A job whose handler is running. */
interface Running {
  readonly entry: Entry
  readonly abort: AbortController
  /** Whether its outcome was reported without waiting for the handler. */
  isAbandoned: boolean
}

type Offer = v2.Assignment

export class JobRunner {
  readonly #parts: RunnerParts
  readonly #running = new Set<Running>()
  #pending = 0
  #onIdle: (() => void) | null = null

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** Takes an offer. The lane must have room for it. */
  take(offer: Offer, lane: Lane): void {
    lane.active++
    this.#pending++
    this.#carryOut(offer, lane)
      .catch(this.#parts.onBroken)
      .finally(() => {
        lane.active--
        this.#pending--
        this.#parts.onRoom()
        if (this.#pending === 0) this.#onIdle?.()
      })
  }

  /** Resolves when no job is in flight. */
  idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#pending === 0) resolve()
    else this.#onIdle = resolve
    return promise
  }

  /** Aborts all handlers. */
  abortAll(reason: string): void {
    for (const { abort } of this.#running) abort.abort(new Error(reason))
  }

  /** Reports outcomes for the handlers that have not ended after they were aborted. */
  async abandonAll(reason: string): Promise<void> {
    const left = [...this.#running].filter(({ isAbandoned }) => !isAbandoned)
    for (const running of left) running.isAbandoned = true
    await Promise.all(left.map(({ entry }) => this.#report(entry, saidNothing(entry.kind, reason))))
  }

  async #carryOut(offer: Offer, lane: Lane): Promise<void> {
    const { journal, counters, clock, findCredential } = this.#parts
    const start = await askToStart(this.#parts, offer)
    if (start === null) return
    const { executionID, kind } = offer
    const entry = await journal.start({ executionID, grantID: start.grantID, kind })
    if (!start.isGranted) {
      const why = 'The answer to the start was lost, so the handler was not run.'
      await this.#report(entry, saidNothing(kind, why))
      return
    }
    counters.granted++
    const remainingMs = clock.msUntil(start.deadline)
    if (remainingMs <= 0) {
      await this.#report(entry, notBegun(kind, 'The deadline was over before the handler could begin.'))
      return
    }
    const credential = await this.#credentialOf(offer, findCredential)
    if (typeof credential !== 'string') await this.#report(entry, notBegun(kind, credential.problem))
    else await this.#run(entry, offer, lane, start.deadline, credential)
  }

  async #credentialOf({ credentialProfile: profile }: Offer, find: FindCredential) {
    if (profile === '') return ''
    try {
      const credential = await find(profile)
      if (credential !== null) return credential
      return this.#withoutCredential(profile, 'has no credential of that name')
    } catch (error) {
      // The reason may contain the secret, so it goes only to the local log.
      this.#parts.log.error('A credential cannot be read.', { profile, reason: messageOf(error) })
      return this.#withoutCredential(profile, 'cannot read that credential')
    }
  }

  #withoutCredential(profile: string, why: string): { readonly problem: string } {
    const problem = `The job needs the credential profile ${JSON.stringify(profile)}, and this worker ${why}.`
    this.#parts.log.error(problem, { profile })
    return { problem: `${problem} The handler was not run.` }
  }

  async #run(entry: Entry, offer: Offer, lane: Lane, deadline: string, credential: string): Promise<void> {
    const { clock, counters, service, journal, log } = this.#parts
    const abort = new AbortController()
    const running: Running = { entry, abort, isAbandoned: false }
    const heartbeats = new Heartbeats({
      service,
      clock,
      log,
      workerID: journal.workerID,
      entry,
      deadline,
      abort,
    })
    this.#running.add(running)
    counters.running++
    try {
      const context = { signal: abort.signal, credential, remainingMs: () => clock.msUntil(deadline) }
      const outcome = await this.#outcomeOf(() => lane.run(jobFrom(offer), context), entry, abort.signal)
      heartbeats.stop()
      if (!running.isAbandoned) await this.#report(entry, outcome, credential)
    } finally {
      heartbeats.stop()
      counters.running--
      this.#running.delete(running)
    }
  }

  async #outcomeOf(run: () => AnyOutcome | Promise<AnyOutcome>, entry: Entry, signal: AbortSignal) {
    try {
      return await run()
    } catch (error) {
      const { executionID, kind } = entry
      const why = signal.aborted ? ` after it was asked to end (${messageOf(signal.reason)})` : ''
      this.#parts.counters.threw++
      this.#parts.log.warn('A handler threw.', { executionID, kind, aborted: signal.aborted })
      return saidNothing(kind, `The handler threw${why}: ${messageOf(error)}`)
    }
  }

  async #report(entry: Entry, outcome: AnyOutcome, credential = ''): Promise<void> {
    const { journal, outbox, counters, log } = this.#parts
    const text = encodeOutcome(entry, outcome, credential)
    const isOnDisk = await journal.finish(entry, text)
    counters.finished++
    log.debug('A job ended.', { executionID: entry.executionID, kind: entry.kind, status: outcome?.status })
    outbox.add(entry, text, isOnDisk)
  }
}

/** The member that the service adds to an action's parameters, to describe the action. */
const added: Readonly<Record<string, string>> = { recovery: 'intervention', notification: 'notification' }

function jobFrom(offer: Offer): Job {
  const { executionID, monitorID, incarnationUID, jobTypeID, jobTypeVersion, kind } = offer
  const { about, parameters } = takenApart(offer.parameters, added[kind])
  const { credentialProfile } = offer
  return {
    executionID,
    monitorID,
    incarnationUID,
    jobTypeID,
    version: jobTypeVersion,
    kind,
    parameters,
    credentialProfile,
    ...about,
  }
}

function takenApart(given: unknown, name: string | undefined): { about: object; parameters: unknown } {
  const isTogether = typeof given === 'object' && given !== null && name !== undefined && name in given
  if (!isTogether) return { about: {}, parameters: given }
  const { [name]: about, ...parameters } = given as Record<string, unknown>
  return { about: { [name]: about }, parameters }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
