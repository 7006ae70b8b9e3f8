// targets/protocol-target.ts: a server on loopback whose protocol is an async function over each connection, so that a
// stand-in reads like the protocol that it speaks. Owned: `await using target = await ProtocolTarget.start(serve)`.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Identity } from './certificates.ts'

export type Serve = (connection: ServedConnection) => Promise<void>

export class ProtocolTarget implements AsyncDisposable {
  readonly #server: Server
  readonly #open = new Set<Socket>()

  private constructor(serve: Serve, identity: Identity | null) {
    this.#server = createServer((socket) => {
      this.#open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#open.delete(socket))
      const connection = new ServedConnection(socket)
      if (identity !== null) connection.startTls(identity)
      // The client may disconnect at any point; then there is nothing more to serve.
      serve(connection).then(
        () => connection.end(),
        () => socket.destroy(),
      )
    })
  }

  /** With an identity the connection begins with TLS. */
  static async start(serve: Serve, identity: Identity | null = null): Promise<ProtocolTarget> {
    const target = new ProtocolTarget(serve, identity)
    target.#server.listen(0, '127.0.0.1')
    await once(target.#server, 'listening')
    return target
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get openSockets(): number {
    return this.#open.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** The server's side of a connection. Reading past its end rejects. */
export class ServedConnection {
  #socket: Socket
  #bytes: Buffer = Buffer.alloc(0)
  #wake = (): void => {}
  #hasEnded = false

  constructor(socket: Socket) {
    this.#socket = socket
    this.#listen()
  }

  startTls({ certificate, key }: Identity): void {
    this.#socket.removeAllListeners('data')
    this.#socket.pause()
    // The client may have started its handshake already.
    if (this.#bytes.length > 0) this.#socket.unshift(this.#take(this.#bytes.length))
    this.#socket = new TLSSocket(this.#socket, { isServer: true, cert: certificate, key })
    this.#socket.on('error', () => {})
    this.#listen()
  }

  async read(count: number): Promise<Buffer> {
    while (this.#bytes.length < count) await this.#more()
    return this.#take(count)
  }

  /** Up to and including the mark. */
  async readTo(mark: string): Promise<string> {
    for (;;) {
      const at = this.#bytes.indexOf(mark)
      if (at >= 0) return this.#take(at + mark.length).toString('utf8')
      await this.#more()
    }
  }

  write(bytes: Buffer | string): void {
    this.#socket.write(bytes)
  }

  /** Writes the bytes repeatedly until the client disconnects. */
  async pour(bytes: Buffer): Promise<never> {
    for (;;) {
      if (!this.#socket.write(bytes)) await once(this.#socket, 'drain')
      if (this.#hasEnded) throw new Error('the other side left')
    }
  }

  end(): void {
    this.#socket.end()
  }

  #listen(): void {
    this.#socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk])
      this.#wake()
    })
    this.#socket.on('close', () => {
      this.#hasEnded = true
      this.#wake()
    })
  }

  async #more(): Promise<void> {
    if (this.#hasEnded) throw new Error('the other side left')
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  #take(count: number): Buffer {
    const taken = this.#bytes.subarray(0, count)
    this.#bytes = this.#bytes.subarray(count)
    return taken
  }
}
