// checks/websocket/stand-in.fixture.ts: a WebSocket server on loopback, by the library that most servers use, which
// does what a test tells it. Owned: `await using server = await WebSocketTarget.start({ says: 'ready' })`.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Identity } from '@pulseward/testing/targets'
import { type WebSocket, WebSocketServer } from 'ws'

export interface WebSocketBehaviour {
  readonly identity?: Identity
  /** A message for every client that connects. */
  readonly says?: string
  /** Sends back what it is sent, headers first. */
  readonly reflects?: boolean
  /** Says it again and again. */
  readonly isEndless?: boolean
  /** Ends the connection after its message. */
  readonly closes?: boolean
  /** The status of a refusal. */
  readonly refuses?: number
  readonly subprotocol?: string
}

export class WebSocketTarget implements AsyncDisposable {
  /** The handshakes that were taken up. */
  readonly requests: IncomingMessage[] = []
  readonly #behaviour: WebSocketBehaviour
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(behaviour: WebSocketBehaviour) {
    this.#behaviour = behaviour
    const { identity, subprotocol, refuses } = behaviour
    this.#server =
      identity === undefined
        ? createServer()
        : createSecureServer({ cert: identity.certificate, key: identity.key })
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    new WebSocketServer({
      server: this.#server,
      handleProtocols: (offered) =>
        subprotocol !== undefined && offered.has(subprotocol) ? subprotocol : false,
      ...(refuses === undefined
        ? {}
        : { verifyClient: (_: unknown, done: (yes: boolean, code: number) => void) => done(false, refuses) }),
    }).on('connection', (connection, request) => this.#serve(connection, request))
  }

  static async start(behaviour: WebSocketBehaviour = {}): Promise<WebSocketTarget> {
    const target = new WebSocketTarget(behaviour)
    target.#server.listen(0, '127.0.0.1')
    await once(target.#server, 'listening')
    return target
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #serve(connection: WebSocket, request: IncomingMessage): void {
    const { says, reflects, isEndless, closes } = this.#behaviour
    this.requests.push(request)
    connection.on('error', () => {})
    if (says !== undefined) connection.send(says)
    if (isEndless) pour(connection, 'x'.repeat(16_384))
    if (closes) connection.close(1011)
    if (!reflects) return
    connection.send(JSON.stringify(request.headers))
    connection.on('message', (data) => connection.send(data))
  }
}

function pour(connection: WebSocket, text: string): void {
  const more = (error?: Error | null): void => {
    if (!error && connection.readyState === connection.OPEN) connection.send(text, more)
  }
  more()
}
