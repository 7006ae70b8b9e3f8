// api/push/serve-push.ts: the paths by which jobs report. The key in the address is the credential, so neither the
// token nor the host is asked for; whoever has no known key learns nothing. Answers are plain text, and `ok` is
// only said when the signal is on disk.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../platform/clock.ts'
import type { KeyOwner } from '../../platform/key-table.ts'
import type { PushDesk } from '../../pushing/push-desk.ts'
import type { Taken } from '../../pushing/push-monitors.ts'
import { arrivedSignal, type SignalWords } from '../../pushing/reported-signal.ts'
import type { Log } from '../../telemetry/log.ts'
import type { SignalCounts, SignalOutcome } from '../../telemetry/signal-counts.ts'
import { TrustedProxies } from '../client-address.ts'
import { clientKey } from '../client-key.ts'
import { delayAnswer } from '../delayed-answer.ts'
import { RequestPermits } from '../request-permits.ts'
import { type Lane, usualLane } from '../request-turns.ts'
import { hasBody, readTail } from './body-tail.ts'
import { isPushPath, type PushTarget, pushTarget } from './push-target.ts'
import { UnknownKeys } from './unknown-keys.ts'

export interface ServePushOptions {
  readonly desk: PushDesk
  readonly clock: Clock
  readonly log: Log
  readonly counts: SignalCounts
  readonly methods: readonly string[]
  readonly proxies: readonly string[]
}

/** Each may hold a body in memory. */
const concurrentSignals = 1_024
const retryWhenFullSeconds = 1
const guessDelayMs = 1_000
const retryWhenStoringFailsSeconds = 5

const unknownKey = 'There is nothing at this path.\n'

const answers: Readonly<Record<Exclude<Taken, 'gone'>, string>> = {
  taken: 'ok\n',
  disabled: 'ignored: disabled\n',
  snoozed: 'ignored: snoozed\n',
}

const outcomes: Readonly<Record<Exclude<Taken, 'gone'> | 'unavailable', SignalOutcome>> = {
  taken: 'stored',
  disabled: 'ignored',
  snoozed: 'ignored',
  unavailable: 'not_stored',
}

/** A request is asked for its lane when it arrives, and served when its turn comes: its key is hashed once. */
const asked = Symbol('push target')

interface PushRequest extends IncomingMessage {
  [asked]?: PushTarget | null
}

/** Until it is stored, a signal costs little. */
const signalsLane: Lane = { name: ' signals', perTurn: 64 }

export class PushPaths {
  readonly #options: ServePushOptions
  readonly #permits = new RequestPermits(concurrentSignals)
  readonly #unknown: UnknownKeys
  readonly #proxies: TrustedProxies

  constructor(options: ServePushOptions) {
    this.#options = options
    this.#unknown = new UnknownKeys(options.clock)
    this.#proxies = new TrustedProxies(options.proxies)
  }

  /** Signals with a right key do not wait for guesses of their neighbours. */
  laneOf(request: PushRequest): Lane {
    const target = targetOf(request)
    return target !== null && this.#options.desk.find(target.digest) !== null ? signalsLane : usualLane
  }

  /** False for a path that is not for signals: it is still to be answered. */
  serve(request: PushRequest, response: ServerResponse): boolean {
    const target = targetOf(request)
    if (target === null) return false
    this.#answer(request, response, target).catch((error: unknown) => {
      // The address holds a key, so it is not logged.
      this.#options.log.error({ error }, 'a signal of a job could not be answered')
      if (response.headersSent) response.destroy()
      else send(response, 500, 'Something went wrong; the log of the service says what.\n')
    })
    return true
  }

  async #answer(request: IncomingMessage, response: ServerResponse, target: PushTarget): Promise<void> {
    const { desk, methods, counts } = this.#options
    const owner = desk.find(target.digest)
    if (owner === null) return this.#refuseUnknown(request, response)
    const { method = '' } = request
    if (!methods.includes(method)) {
      counts.noteInvalid()
      response.setHeader('allow', methods.join(', '))
      return send(response, 405, `${method} is not taken here; send ${methods.join(' or ')}.\n`)
    }
    const { words } = target
    if (typeof words === 'string') {
      counts.noteInvalid()
      return send(response, 400, `${words}\n`)
    }
    if (this.#permits.take(response) === 'none left') {
      counts.noteSignal(words.kind, 'not_stored')
      return later(response, 503, retryWhenFullSeconds, 'Too many signals are in flight; send it again.\n')
    }
    const waitSeconds = desk.waitSeconds(owner, words.kind)
    if (waitSeconds > 0) {
      counts.noteSignal(words.kind, 'limited')
      return later(response, 429, waitSeconds, 'More than 10 signals in 10 s; this one was not recorded.\n')
    }
    await this.#take(request, response, owner, words)
  }

  async #take(
    request: IncomingMessage,
    response: ServerResponse,
    owner: KeyOwner,
    words: SignalWords,
  ): Promise<void> {
    const { desk, counts } = this.#options
    const { bytes, end } = await readTail(request)
    // The client is gone without knowing whether it was heard: it will say so again.
    if (end === 'broken') return
    if (end === 'cut') response.setHeader('connection', 'close')
    const taken = await desk.take(
      owner,
      arrivedSignal(words, bytes, () => desk.secretsOf(owner)),
    )
    if (taken !== 'gone') counts.noteSignal(words.kind, outcomes[taken])
    if (taken === 'unavailable')
      later(
        response,
        503,
        retryWhenStoringFailsSeconds,
        'The signal cannot be stored at the moment; send it again.\n',
      )
    else if (taken === 'gone') send(response, 404, unknownKey)
    else send(response, 200, answers[taken])
  }

  async #refuseUnknown(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const forwarded = request.headers['x-forwarded-for']
    const client = this.#proxies.clientOf(
      request.socket.remoteAddress ?? '',
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    )
    const waitSeconds = this.#unknown.waitSeconds(clientKey(client))
    // Its body is not read.
    if (hasBody(request)) response.setHeader('connection', 'close')
    this.#options.counts.noteUnknownKey(waitSeconds === 0 ? 'not_found' : 'limited')
    if (waitSeconds === 0) return send(response, 404, unknownKey)
    response.setHeader('connection', 'close')
    // However many it sends, it gets about one of these per second and connection.
    await delayAnswer(response, guessDelayMs)
    later(response, 429, waitSeconds, 'Too many unknown keys from this address.\n')
  }
}

function targetOf(request: PushRequest): PushTarget | null {
  const { url = '' } = request
  if (!isPushPath(url)) return null
  request[asked] ??= pushTarget(url)
  return request[asked]
}

function later(response: ServerResponse, status: number, seconds: number, text: string): void {
  response.setHeader('retry-after', String(seconds))
  send(response, status, text)
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(text)),
  })
  response.end(text)
}
