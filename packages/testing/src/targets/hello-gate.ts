// targets/hello-gate.ts: stands before a TLS server and reads the hello of each client. It passes the connection on
// or closes it, as a server does that cannot stand what the client offers.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Hello {
  /** The identity of a session comes with it: a ticket, or since TLS 1.3 a pre-shared key. */
  readonly offersSession: boolean
  /** That identity in hex; empty for none. */
  readonly ticket: string
  /** The numbers of the groups for the key exchange. */
  readonly groups: readonly number[]
}

export const X25519MLKEM768 = 0x11ec

const SUPPORTED_GROUPS = 10
const SESSION_TICKET = 35
const PRE_SHARED_KEY = 41

export class HelloGate implements AsyncDisposable {
  readonly hellos: Hello[] = []
  readonly port: number
  /** The server behind it, from the next connection on. */
  behind: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, behind: number, admits: (hello: Hello) => boolean) {
    this.#server = server
    this.behind = behind
    this.port = (server.address() as { port: number }).port
    server.on('connection', (client: Socket) => {
      this.#own(client).once('data', (bytes: Buffer) => {
        const hello = helloOf(bytes)
        this.hellos.push(hello)
        if (admits(hello)) this.#passOn(client, bytes, this.behind)
        else client.destroy()
      })
    })
  }

  static async start(behind: number, admits: (hello: Hello) => boolean): Promise<HelloGate> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new HelloGate(server, behind, admits)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #passOn(client: Socket, bytes: Buffer, behind: number): void {
    const server = this.#own(connect(behind, '127.0.0.1'))
    server.write(bytes)
    client.pipe(server).pipe(client)
  }

  #own(socket: Socket): Socket {
    this.#sockets.add(socket)
    return socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy())
  }
}

/** The hello of our client fits in one record, and the record in one packet. */
function helloOf(bytes: Buffer): Hello {
  // Record and handshake headers, version and random; then three lists that begin with their length.
  let at = 5 + 4 + 2 + 32
  at += 1 + bytes.readUInt8(at)
  at += 2 + bytes.readUInt16BE(at)
  at += 1 + bytes.readUInt8(at)
  const end = at + 2 + bytes.readUInt16BE(at)
  at += 2
  let ticket = ''
  const groups: number[] = []
  while (at < end) {
    const kind = bytes.readUInt16BE(at)
    const length = bytes.readUInt16BE(at + 2)
    if (kind === SESSION_TICKET) ticket = bytes.toString('hex', at + 4, at + 4 + length)
    if (kind === PRE_SHARED_KEY) ticket = bytes.toString('hex', at + 8, at + 8 + bytes.readUInt16BE(at + 6))
    if (kind === SUPPORTED_GROUPS)
      for (let place = at + 6; place < at + 4 + length; place += 2) groups.push(bytes.readUInt16BE(place))
    at += 4 + length
  }
  return { offersSession: ticket !== '', ticket, groups }
}
