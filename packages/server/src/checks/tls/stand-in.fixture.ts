// checks/tls/stand-in.fixture.ts: a server on loopback whose protocol switches to TLS, in as few steps as possible: a
// greeting, one request, one reply. Owned: `await using server = await StartTlsTarget.start(script)`.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { certificates } from '@pulseward/testing/targets'

export interface StartTlsScript {
  readonly greeting?: string
  readonly reply: string
  /** Whether a handshake follows the reply. */
  readonly agrees: boolean
}

export class StartTlsTarget implements AsyncDisposable {
  readonly host = '127.0.0.1'
  readonly requests: Buffer[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(script: StartTlsScript) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
      if (script.greeting !== undefined) socket.write(script.greeting)
      socket.once('data', (request: Buffer) => {
        this.requests.push(request)
        socket.write(script.reply)
        if (script.agrees) secure(socket)
      })
    })
  }

  static async start(script: StartTlsScript): Promise<StartTlsTarget> {
    const target = new StartTlsTarget(script)
    target.#server.listen(0, target.host)
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
}

function secure(socket: Socket): void {
  const { certificate, key } = certificates.good
  const secureContext = createSecureContext({ cert: certificate, key })
  const secured = new TLSSocket(socket, { isServer: true, secureContext })
  secured.on('error', () => socket.destroy())
}
