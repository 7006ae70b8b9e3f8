// reference-peer/reference-peer.ts: a service on loopback that implements only the contract: it answers every
// operation of v2 and every read of v1 with the example. It records all requests and can be told to
// misbehave. It has no state: a write changes nothing.
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PeerAnswer } from './answer.ts'
import { problemAnswer } from './answer.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import { type ReceivedRequest, receive } from './received-request.ts'
import { answerV1 } from './v1-routes.ts'
import { answerV2 } from './v2-routes.ts'

export class ReferencePeer implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = []
  readonly #server: Server
  readonly #token: string | null
  #misbehaviour: Misbehaviour | null = null

  private constructor(server: Server, token: string | null) {
    this.#server = server
    this.#token = token
    // Tests do not care about a client that disconnects in the middle of a request.
    server.on('request', (message, response) => {
      receive(message).then(
        (request) => this.#answer(request, response),
        () => response.destroy(),
      )
    })
  }

  /** With a token, requests without it are refused. */
  static async start({ token = null }: { token?: string | null } = {}): Promise<ReferencePeer> {
    const server = createServer()
    // Only the client closes idle connections. Peer and client share one event loop here: after a stall, the
    // peer could close a connection at the moment in which the client reuses it.
    server.keepAliveTimeout = 0
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ReferencePeer(server, token)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get lastRequest(): ReceivedRequest {
    const last = this.requests.at(-1)
    if (last === undefined) throw new Error('the peer has got no request')
    return last
  }

  /** Takes effect with the next request; null: behave. */
  misbehave(misbehaviour: Misbehaviour | null): void {
    this.#misbehaviour = misbehaviour
  }

  /** The answer to every request from now on. */
  answer(answer: PeerAnswer): void {
    this.misbehave((response) => respond(response, answer))
  }

  /** Resolves when the next request has been read. */
  async nextRequest(): Promise<void> {
    const count = this.requests.length
    while (this.requests.length === count) await once(this.#server, 'request-read')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  #answer(request: ReceivedRequest, response: ServerResponse): void {
    this.requests.push(request)
    this.#server.emit('request-read')
    const answer = this.#rightAnswer(request)
    if (this.#misbehaviour) this.#misbehaviour(response, answer)
    else respond(response, answer)
  }

  #rightAnswer(request: ReceivedRequest): PeerAnswer {
    if (this.#token !== null && request.headers.authorization !== `Bearer ${this.#token}`) {
      return problemAnswer(401, 'unauthorized', {
        headers: { 'WWW-Authenticate': 'Bearer realm="pulseward"' },
      })
    }
    return answerV2(request) ?? answerV1(request)
  }
}

function respond(response: ServerResponse, { status, headers, body }: PeerAnswer): void {
  response.writeHead(status, headers).end(body)
}
