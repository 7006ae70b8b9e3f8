// targets/http-target.ts: an HTTP server on loopback that does what a test tells it, well or badly, at the level
// of bytes. What it does can change at any time; every connection is counted, and closing leaves none open.

import { constants, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import {
  createServer as createTlsServer,
  type TLSSocket,
  type TlsOptions,
  type Server as TlsServer,
} from 'node:tls'
import type { Identity } from './certificates.ts'

export interface TlsSetup {
  readonly identity: Identity
  /** Asks for a client certificate signed by this authority and refuses connections without one. */
  readonly clientAuthority?: string
  readonly alpn?: readonly string[]
  readonly maxVersion?: 'TLSv1.2' | 'TLSv1.3'
  /** The groups of the key exchange, as OpenSSL names them. */
  readonly groups?: string
  readonly ciphers?: string
  /** Gives no ticket that could be resumed. */
  readonly withoutTickets?: boolean
  /** Keeps the sessions of TLS 1.2 itself, without tickets, and lets each be resumed once. */
  readonly resumesOnce?: boolean
  /** After how many seconds a ticket is refused. */
  readonly ticketSeconds?: number
}

/** What happens to a connection: at once when it is accepted, or when its request has been read. */
export interface Behaviour {
  readonly when: 'accept' | 'request'
  act(socket: Socket, request: string): void
}

export class HttpTarget implements AsyncDisposable {
  /** Every request as it came, head and body. */
  readonly requests: string[] = []
  /** How TLS began, for every connection. */
  readonly handshakes: ('full' | 'resumed')[] = []
  readonly port: number
  readonly #server: Server
  readonly #scheme: 'http' | 'https'
  readonly #sockets = new Set<Socket>()
  #behaviour: Behaviour = answers()
  #accepted = 0

  private constructor(server: Server, scheme: 'http' | 'https') {
    this.#server = server
    this.#scheme = scheme
    this.port = (server.address() as { port: number }).port
    server.on('connection', (socket: Socket) => this.#track(socket))
    server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket | TLSSocket) => {
      if ('isSessionReused' in socket) this.handshakes.push(socket.isSessionReused() ? 'resumed' : 'full')
      this.#serve(socket)
    })
    // A client that refuses our certificate ends the handshake with an error of its own making.
    server.on('tlsClientError', () => {})
  }

  static async start(options: { tls?: TlsSetup; host?: string } = {}): Promise<HttpTarget> {
    const { tls, host = '127.0.0.1' } = options
    const server = tls === undefined ? createServer({ allowHalfOpen: true }) : secureServer(tls)
    server.listen(0, host)
    await once(server, 'listening')
    return new HttpTarget(server, tls === undefined ? 'http' : 'https')
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  get acceptedSockets(): number {
    return this.#accepted
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `${this.#scheme}://${host}:${this.port}${path}`
  }

  /** Another certificate, with the tickets given before still good. */
  presents(tls: TlsSetup): void {
    const server = this.#server as TlsServer
    server.setSecureContext({ ...contextOf(tls), ticketKeys: server.getTicketKeys() })
  }

  /** Knows none of its tickets any more, as another server behind the same address. */
  forgetsTickets(): void {
    ;(this.#server as TlsServer).setTicketKeys(randomBytes(48))
  }

  /** Its tickets name the key of another server, but cannot be read with that. */
  claimsTicketsOf(other: HttpTarget): void {
    const name = (other.#server as TlsServer).getTicketKeys().subarray(0, 16)
    ;(this.#server as TlsServer).setTicketKeys(Buffer.concat([name, randomBytes(32)]))
  }

  /** From the next connection or request on. */
  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour
  }

  /** Waits until clients have closed every connection. */
  async idle(): Promise<void> {
    for (const socket of this.#sockets) {
      await new Promise((resolve) => socket.once('close', resolve))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #track(socket: Socket): void {
    this.#accepted++
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }

  #serve(socket: Socket): void {
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    const behaviour = this.#behaviour
    if (behaviour.when === 'accept') behaviour.act(socket, '')
    let received = ''
    let whole = false
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      received += text
      if (whole || !isWhole(received)) return
      whole = true
      this.requests.push(received)
      if (behaviour.when === 'request') this.#behaviour.act(socket, received)
    })
    socket.on('end', () => {
      // Half-open is for us to end: a client that has gone gets no more bytes.
      socket.end()
    })
  }
}

function secureServer(tls: TlsSetup): Server {
  // Not half-open: then Node does not notice a client that goes away in the middle of the handshake.
  const server = createTlsServer({
    ...contextOf(tls),
    ...(tls.alpn === undefined ? {} : { ALPNProtocols: [...tls.alpn] }),
    ...(tls.clientAuthority === undefined
      ? {}
      : { ca: tls.clientAuthority, requestCert: true, rejectUnauthorized: true }),
  })
  if (tls.resumesOnce === true) resumeOnce(server)
  return server
}

function resumeOnce(server: TlsServer): void {
  const sessions = new Map<string, Buffer>()
  server.on('newSession', (id: Buffer, session: Buffer, kept: () => void) => {
    sessions.set(id.toString('hex'), session)
    kept()
  })
  server.on('resumeSession', (id: Buffer, answer: (error: Error | null, session: Buffer | null) => void) => {
    const name = id.toString('hex')
    answer(null, sessions.get(name) ?? null)
    sessions.delete(name)
  })
}

function contextOf(tls: TlsSetup): TlsOptions {
  return {
    cert: tls.identity.certificate,
    key: tls.identity.key,
    ...(tls.maxVersion === undefined ? {} : { maxVersion: tls.maxVersion }),
    ...(tls.groups === undefined ? {} : { ecdhCurve: tls.groups }),
    ...(tls.ciphers === undefined ? {} : { ciphers: tls.ciphers }),
    ...(tls.withoutTickets === true || tls.resumesOnce === true
      ? { secureOptions: constants.SSL_OP_NO_TICKET }
      : {}),
    ...(tls.ticketSeconds === undefined ? {} : { sessionTimeout: tls.ticketSeconds }),
  }
}

function isWhole(request: string): boolean {
  const headEnd = request.indexOf('\r\n\r\n')
  if (headEnd === -1) return false
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(request.slice(0, headEnd + 2))?.[1] ?? '0'
  return request.length >= headEnd + 4 + Number(length)
}

export interface OrdinaryAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly delayMs?: number
}

/** An ordinary answer with a Content-Length. */
export function answers(answer: OrdinaryAnswer = {}): Behaviour {
  const { status = 200, headers = {}, body = 'ok', delayMs = 0 } = answer
  const bytes = Buffer.from(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} Said\r\nContent-Length: ${bytes.length}\r\n${lines.join('')}\r\n`
  const whole = Buffer.concat([Buffer.from(head, 'latin1'), bytes])
  return {
    when: 'request',
    act(socket) {
      if (delayMs === 0) socket.end(whole)
      else later(socket, delayMs, () => socket.end(whole))
    },
  }
}

/** Decides for each request; the request line is its first line. */
export function answersBy(choose: (request: string) => OrdinaryAnswer): Behaviour {
  return { when: 'request', act: (socket, request) => answers(choose(request)).act(socket, request) }
}

/** Raw pieces, each in a write of its own, then an end of the connection or none. */
export function sends(
  pieces: readonly (string | Buffer)[],
  then: 'close' | 'hold' | 'reset' = 'close',
  when: Behaviour['when'] = 'request',
): Behaviour {
  return {
    when,
    act(socket) {
      const rest = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece))
      const next = (): void => {
        const piece = rest.shift()
        if (socket.destroyed) return
        if (piece !== undefined) socket.write(piece, () => setImmediate(next))
        else if (then === 'close') socket.end()
        else if (then === 'reset') socket.resetAndDestroy()
      }
      next()
    },
  }
}

/** Accepts and never says anything. */
export function hangs(): Behaviour {
  return { when: 'accept', act: () => {} }
}

/** Promises a body and never sends it. */
export function hangsAfterHead(): Behaviour {
  return sends(['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'], 'hold')
}

/** Sends single bytes, slowly. */
export function drips(bytes: string, everyMs: number): Behaviour {
  return {
    when: 'request',
    act(socket) {
      let at = 0
      const timer = setInterval(() => {
        if (at < bytes.length) socket.write(bytes.charAt(at++), 'latin1')
        else clearInterval(timer)
      }, everyMs)
      socket.on('close', () => clearInterval(timer))
    },
  }
}

export function sendsEndlessHeaders(): Behaviour {
  return endless('HTTP/1.1 200 OK\r\n', `X-Padding: ${'a'.repeat(1_000)}\r\n`)
}

export function sendsEndlessBody(): Behaviour {
  return endless('HTTP/1.1 200 OK\r\n\r\n', 'lorem ipsum dolor sit amet\n'.repeat(600))
}

export function closesEarly(): Behaviour {
  return { when: 'request', act: (socket) => socket.end() }
}

/**
 * In TLS 1.2 a server may shake hands again at any time, here before it does something else. It shows another certificate
 * then only if it gives no tickets: otherwise the two resume what they have.
 */
export function renegotiates(next: Behaviour, as?: Identity): Behaviour {
  return {
    when: 'request',
    act(socket, request) {
      const secured = socket as TLSSocket
      if (as !== undefined) secured.setKeyCert({ cert: as.certificate, key: as.key })
      secured.renegotiate({}, (error) => {
        if (error === null) next.act(socket, request)
        else socket.destroy()
      })
    },
  }
}

/** Ends the connection with a reset instead of an orderly close. */
export function resets(): Behaviour {
  return { when: 'request', act: (socket) => socket.resetAndDestroy() }
}

function endless(first: string, again: string): Behaviour {
  return {
    when: 'request',
    act(socket) {
      const pour = (): void => {
        while (!socket.destroyed && socket.write(again)) {}
      }
      socket.on('drain', pour)
      socket.write(first)
      pour()
    },
  }
}

function later(socket: Socket, delayMs: number, act: () => void): void {
  const timer = setTimeout(() => {
    if (!socket.destroyed) act()
  }, delayMs)
  socket.on('close', () => clearTimeout(timer))
}
