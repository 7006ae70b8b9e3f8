// checks/domain/registry-desk.ts: answers questions about domains and spares the registries: each is asked once per second at
// most, and about a domain once per hour. In between, and while a registry cannot be asked, its last answer holds. A query
// that brought no answer is told once; until the next one, nothing can be said.
import type { Clock } from '../../platform/clock.ts'
import { forgetOldest } from '../../platform/forget-oldest.ts'
import { isLoopbackHost } from '../../platform/network/host-name.ts'
import { ConnectError } from '../../platform/network/network.ts'
import { waitInHeader } from '../../platform/network/retry-after.ts'
import { quote } from '../../platform/wording.ts'
import { CheckFailure, type CheckRun, deadlinePassed, fact } from '../driver.ts'
import { askRegistry, type Permission, type RegistryAnswer } from './ask-registry.ts'
import { QueryPace } from './query-pace.ts'
import { errorIn, jsonObject, type Registration, registrationIn } from './registration.ts'

const HOUR_MS = 3_600_000
const BETWEEN_QUESTIONS_MS = HOUR_MS
/** For so long an answer holds while the registry gives no other. */
const ANSWER_HOLDS_MS = 7 * 24 * HOUR_MS
/** After "too many requests" without a time. */
const USUAL_PAUSE_MS = 5 * 60_000
/** A retry within the same check gets the same problem; a later check has nothing new to tell. */
const SAME_CHECK_MS = 5_000
const MOST_DOMAINS = 100_000

export interface Question {
  /** In lower-case ASCII. */
  readonly name: string
  /** The base URL of the server, which ends with a slash. */
  readonly server: string
}

export interface Answer {
  /** Who gave it, as HOST:PORT. */
  readonly peer: string
  /** Null if there is no such domain. */
  readonly registration: Registration | null
  readonly latencyMs: number
  readonly atMs: number
  readonly atWallMs: number
}

export interface Reply extends Answer {
  /** Zero if the registry was asked now. */
  readonly ageMs: number
}

interface Known {
  readonly askedMs: number
  readonly answer: Answer | null
  readonly problem: { readonly error: Error; readonly atMs: number } | null
}

export class RegistryDesk {
  readonly #clock: Clock
  readonly #pace = new QueryPace()
  readonly #known = new Map<string, Known>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Throws CheckFailure and ConnectError; code CROWDED if the registry may not be asked now. */
  async ask({ name, server }: Question, run: CheckRun): Promise<Reply> {
    const url = `${server}domain/${name}`
    // A server on this machine decides for itself how often it asks others.
    if (isLoopbackHost(server)) return await this.#query(url, name, run, freely)
    const nowMs = this.#clock.monotonicMs()
    const known = this.#known.get(url)
    if (known !== undefined && nowMs - known.askedMs < BETWEEN_QUESTIONS_MS)
      return this.#remembered(known, nowMs)
    try {
      return await this.#query(url, name, run, this.#inTurn(url, run))
    } catch (error) {
      if (!(error instanceof CheckFailure || error instanceof ConnectError)) throw error
      this.#noteProblem(url, error, known)
      const held = heldAnswer(known ?? null, nowMs)
      if (held === null) throw error
      run.observe?.(fact('last query', error.message))
      return held
    }
  }

  #remembered(known: Known, nowMs: number): Reply {
    const held = heldAnswer(known, nowMs)
    if (held !== null) return held
    const { problem, askedMs } = known
    if (problem === null) throw notNow('another check is asking the registry at this moment')
    if (nowMs - problem.atMs <= SAME_CHECK_MS) throw problem.error
    const next = spanInWords(BETWEEN_QUESTIONS_MS - (nowMs - askedMs))
    throw notNow(`the registry is asked again in ${next}: the last query failed: ${problem.error.message}`)
  }

  async #query(url: string, name: string, run: CheckRun, permission: Permission): Promise<Reply> {
    const received = await askRegistry(url, run, permission)
    const latencyMs = run.elapsedMs()
    const registration = this.#registrationIn(received, name)
    const atMs = this.#clock.monotonicMs()
    const { peer } = received
    const answer = { peer, registration, latencyMs, atMs, atWallMs: this.#clock.wallMs() }
    if (permission !== freely) this.#remember(url, { askedMs: atMs, answer, problem: null })
    return { ...answer, ageMs: 0 }
  }

  /** Null if there is no such domain. */
  #registrationIn(
    { peer, origin, status, headers, body }: RegistryAnswer,
    name: string,
  ): Registration | null {
    const object = jsonObject(body)
    const { code, title } = errorIn(object)
    const meant = status === 200 && code !== null ? code : status
    if (meant === 404) return null
    const saying = title === null ? '' : `: ${quote(title)}`
    const waitMs = waitInHeader(headers['retry-after'], this.#clock.wallMs())
    if (meant === 429 || (meant === 503 && waitMs !== null)) {
      const pauseMs = waitMs ?? USUAL_PAUSE_MS
      this.#pace.pause(origin, this.#clock.monotonicMs() + pauseMs)
      throw notNow(`${peer} asks for a pause of ${spanInWords(pauseMs)} (status ${meant})`)
    }
    if (meant !== 200) throw new CheckFailure(`${peer} answers with status ${meant}${saying}`)
    const registration = registrationIn(object, name)
    if (typeof registration === 'string') throw new CheckFailure(`${peer} ${registration}`)
    return registration
  }

  #inTurn(url: string, run: CheckRun): Permission {
    return {
      turn: (origin) => this.#turn(origin, run),
      onSend: () => {
        const answer = this.#known.get(url)?.answer ?? null
        this.#remember(url, { askedMs: this.#clock.monotonicMs(), answer, problem: null })
      },
    }
  }

  async #turn(origin: string, run: CheckRun): Promise<void> {
    const leftMs = run.timeoutMs - run.elapsedMs()
    const waitMs = this.#pace.takeTurn(origin, this.#clock.monotonicMs(), leftMs)
    if (waitMs !== null && waitMs > 0) await waitFor(waitMs, run)
    const pauseMs = this.#pace.pauseLeftMs(origin, this.#clock.monotonicMs())
    const host = new URL(origin).host
    if (pauseMs > 0) throw notNow(`${host} asked for a pause, which ends in ${spanInWords(pauseMs)}`)
    if (waitMs === null)
      throw notNow(`${host} is asked about other domains first, once per second; a later check asks it`)
  }

  #noteProblem(url: string, error: Error, before: Known | undefined): void {
    const known = this.#known.get(url)
    // What did not reach the registry may be tried again by the next check.
    if (known === undefined || known === before) return
    this.#known.set(url, { ...known, problem: { error, atMs: this.#clock.monotonicMs() } })
  }

  #remember(url: string, known: Known): void {
    // Deleted first, so that the oldest question is the first in the map.
    this.#known.delete(url)
    if (this.#known.size >= MOST_DOMAINS) forgetOldest(this.#known)
    this.#known.set(url, known)
  }
}

const freely: Permission = { turn: () => Promise.resolve(), onSend: () => {} }

function heldAnswer(known: Known | null, nowMs: number): Reply | null {
  const answer = known?.answer ?? null
  if (answer === null || nowMs - answer.atMs > ANSWER_HOLDS_MS) return null
  return { ...answer, ageMs: nowMs - answer.atMs }
}

/** Nothing was learned about the domain, and nobody is to blame. */
function notNow(words: string): ConnectError {
  return new ConnectError('CROWDED', words, 'local')
}

function waitFor(ms: number, run: CheckRun): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      run.onStop = undefined
      resolve()
    }, ms)
    const stop = (): void => {
      clearTimeout(timer)
      reject(deadlinePassed('no turn to ask the registry'))
    }
    run.onStop = stop
  })
}

/** In the largest unit that leaves a few of it. */
export function spanInWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
