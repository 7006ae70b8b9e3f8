// api/early-listener.ts: a listener that is open before the service behind it: a process that stands by answers there, and
// its service takes over the same address, with the connections that are open. It closes once.
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { ListenAddress } from '../config/settings/listen-address.ts'
import type { ServerIdentity } from '../config/settings/server-identity.ts'
import { answerClientError, rememberAnswer } from './client-error.ts'
import { createListener, type Upgrades } from './http-listener.ts'
import { type ApiServer, openListener } from './open-listener.ts'
import { type Lane, usualLane } from './request-turns.ts'

type LaneOf = (request: IncomingMessage) => Lane

interface Answers {
  answer: RequestListener
  upgrades: Upgrades | null
  laneOf: LaneOf
}

export class EarlyListener implements AsyncDisposable {
  readonly #opened: ApiServer
  readonly #current: Answers
  #closing: Promise<void> | null = null

  private constructor(opened: ApiServer, current: Answers) {
    this.#opened = opened
    this.#current = current
  }

  static async open(
    listen: ListenAddress,
    identity: ServerIdentity | null,
    { answer, servesV2 }: { readonly answer: RequestListener; readonly servesV2: boolean },
  ): Promise<EarlyListener> {
    const current: Answers = { answer, upgrades: null, laneOf: () => usualLane }
    const server = createListener(
      identity,
      (request, response) => {
        rememberAnswer(response)
        current.answer(request, response)
      },
      undefined,
      (request) => current.laneOf(request),
      () => current.upgrades,
    )
    server.on('clientError', (error, socket: Socket) => answerClientError(error, socket, servesV2))
    const isSecure = identity !== null
    return new EarlyListener(await openListener(server, { listen, isSecure, setting: '--listen' }), current)
  }

  get url(): string {
    return this.#opened.url
  }

  /** From now on the service answers. */
  serve({ answer, upgrades, laneOf }: Readonly<Answers>): ApiServer {
    Object.assign(this.#current, { answer, upgrades, laneOf })
    const { address, url } = this.#opened
    return { address, url, [Symbol.asyncDispose]: () => this[Symbol.asyncDispose]() }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#opened[Symbol.asyncDispose]()
    return this.#closing
  }
}
