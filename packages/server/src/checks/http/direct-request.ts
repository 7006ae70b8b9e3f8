// checks/http/direct-request.ts: the common check, plain http without detours, from its connection to its
// response: one object, one promise, callbacks in between. Half of the cost of a large fleet is spent here.
// request.ts does the same for everything else, without the need for speed.
import type { Socket } from 'node:net'
import { discard } from '../../platform/network/discard.ts'
import { ConnectError } from '../../platform/network/network.ts'
import { type Attempt, STOPPED } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { Exchange } from './exchange.ts'
import { hostOf, portOf, type RedirectStep } from './redirect-step.ts'
import type { BodyWanted, Response } from './response.ts'
import { ResponseReader } from './response-reader.ts'

export interface RenderedRequest {
  readonly config: HttpConfig
  readonly step: RedirectStep
  /** The bytes of the request. */
  readonly text: string
  readonly bodyWanted: BodyWanted
  readonly maxBodyBytes: number
}

export function requestDirectly(rendered: RenderedRequest, attempt: Attempt): Promise<Response> {
  return new Promise((resolve, reject) => new DirectRequest(rendered, attempt, resolve, reject).start())
}

/** All that a socket keeps of its request. The socket outlives the request (discard.ts). */
interface Reading {
  exchange: Exchange | null
}

function readerOf(reading: Reading): (bytes: Buffer) => void {
  return (bytes) => reading.exchange?.take(bytes)
}

class DirectRequest {
  readonly #rendered: RenderedRequest
  readonly #attempt: Attempt
  readonly #resolve: (response: Response) => void
  readonly #reject: (error: unknown) => void
  readonly #reading: Reading = { exchange: null }

  constructor(
    rendered: RenderedRequest,
    attempt: Attempt,
    resolve: (response: Response) => void,
    reject: (error: unknown) => void,
  ) {
    this.#rendered = rendered
    this.#attempt = attempt
    this.#resolve = resolve
    this.#reject = reject
  }

  start(): void {
    const { config, step } = this.#rendered
    this.#attempt.awaits('no connection', '')
    this.#attempt.run.network.dial(
      {
        host: hostOf(step.url),
        port: portOf(step.url),
        family: config.family ?? 'any',
        onBytes: readerOf(this.#reading),
      },
      this.#attempt.run,
      (socket) => this.#connected(socket),
      (error) => this.#reject(noteConnectError(error, this.#attempt)),
    )
  }

  #connected(socket: Socket): void {
    const attempt = this.#attempt
    const { step, text, bodyWanted, maxBodyBytes } = this.#rendered
    const { run } = attempt
    run.onStop = undefined
    run.mark('connect')
    if (run.hasExpired) {
      // The deadline passed in the same turn in which the connection was established.
      discard(socket)
      this.#reject(STOPPED)
      return
    }
    attempt.awaits('no response', 'connected, request sent')
    const reader = new ResponseReader(step.method, bodyWanted, maxBodyBytes)
    const exchange = new Exchange(reader, attempt, (error) => {
      this.#reading.exchange = null
      discard(socket)
      if (error === null) this.#resolve(reader)
      else this.#reject(error)
    })
    this.#reading.exchange = exchange
    exchange.begin(socket, text)
  }
}

/** The network knows best how far it got: "no answer from the resolver for …", "no connection to …". */
export function noteConnectError(error: unknown, attempt: Attempt): unknown {
  if (!(error instanceof ConnectError)) return error
  if (attempt.run.hasExpired) attempt.awaits(error.message, '')
  attempt.crowded = error.code === 'CROWDED'
  return error
}
