// api/connection-limits.ts: how many connections may be open in total and per client. Beyond either bound an idle
// connection is closed to make room: the oldest of the client that has too many, or of the client that has the most. So
// no client can shut out other clients or the readiness probe by opening many connections. A new connection is refused
// only if all others are being answered. A connection whose refusal is being delayed counts as idle.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientKey } from './client-key.ts'
import { whenOver } from './request-end.ts'

export interface ConnectionBounds {
  readonly all: number
  readonly ofOneClient: number
}

export const defaultConnectionBounds: ConnectionBounds = { all: 4_096, ofOneClient: 1_024 }

interface Connection {
  readonly socket: Socket
  readonly client: Client
  /** Requests being answered; more than one if the client pipelines. */
  requests: number
  /** Its route lets the request wait, and bounds how many do. */
  isAside: boolean
}

interface Client {
  readonly key: string
  connections: number
  /** Connections that do not count at the moment. */
  aside: number
  /** Connections without a request whose answer matters; the one idle longest comes first. */
  readonly idle: Set<Connection>
}

const limits = Symbol('the limits that a connection counts for')

interface CountedSocket extends Socket {
  [limits]?: ConnectionLimits
}

/** Stops counting the connection while its request waits; the route that lets it wait bounds how many do. */
export function setAside(response: ServerResponse): void {
  const socket: CountedSocket = response.req.socket
  socket[limits]?.setAside(response)
}

/** Never closes this connection to make room for others; whoever took it bounds how many there are. */
export function keepOpen(socket: Socket): void {
  ;(socket as CountedSocket)[limits]?.keepOpen(socket)
}

/** Allows closing the connection of this request before its answer is sent, if room is needed. */
export function mayClose(response: ServerResponse): void {
  const socket: CountedSocket = response.req.socket
  socket[limits]?.mayClose(response)
}

export class ConnectionLimits {
  readonly #bounds: ConnectionBounds
  readonly #clients = new Map<string, Client>()
  readonly #connections = new WeakMap<Socket, Connection>()
  #count = 0

  constructor(server: Server, bounds: ConnectionBounds) {
    this.#bounds = bounds
    server.on('connection', (socket: Socket) => this.#opened(socket))
    // Counted before the TLS handshake, since a client may start many; requests arrive on the TLS socket that follows.
    const handshakes = new Map<string, Connection>()
    if (!('setSecureContext' in server)) return
    server.on('connection', (socket: Socket) => {
      const connection = this.#connections.get(socket)
      const ends = endsOf(socket)
      if (connection === undefined) return
      handshakes.set(ends, connection)
      socket.on('close', () => handshakes.delete(ends))
    })
    server.prependListener('secureConnection', (secured: Socket) => {
      const connection = handshakes.get(endsOf(secured))
      if (connection === undefined) return
      this.#connections.set(secured, connection)
      ;(secured as CountedSocket)[limits] = this
    })
  }

  setAside(response: ServerResponse): void {
    const connection = this.#connections.get(response.req.socket)
    if (connection === undefined || connection.isAside) return
    connection.isAside = true
    this.#count--
    connection.client.connections--
    connection.client.aside++
    whenOver(response, () => {
      if (!this.#connections.has(connection.socket)) return
      connection.isAside = false
      this.#count++
      connection.client.connections++
      connection.client.aside--
    })
  }

  keepOpen(socket: Socket): void {
    const connection = this.#connections.get(socket)
    connection?.client.idle.delete(connection)
  }

  mayClose({ req: { socket } }: ServerResponse): void {
    const connection = this.#connections.get(socket)
    if (connection !== undefined && !connection.socket.destroyed) connection.client.idle.add(connection)
  }

  /** Called for each request, before it is answered. */
  answering(response: ServerResponse): void {
    const connection = this.#connections.get(response.req.socket)
    if (connection === undefined) return
    connection.requests++
    connection.client.idle.delete(connection)
    whenOver(response, () => {
      if (--connection.requests === 0 && !connection.socket.destroyed) connection.client.idle.add(connection)
    })
  }

  #opened(socket: Socket): void {
    const key = clientKey(socket.remoteAddress ?? '')
    const client = this.#clients.get(key) ?? { key, connections: 0, aside: 0, idle: new Set() }
    if (!this.#makeRoom(client)) {
      socket.destroy()
      return
    }
    const connection = { socket, client, requests: 0, isAside: false }
    this.#connections.set(socket, connection)
    ;(socket as CountedSocket)[limits] = this
    this.#clients.set(key, client)
    this.#count++
    client.connections++
    client.idle.add(connection)
    socket.on('close', () => this.#forget(connection))
  }

  /** Whether there is room for another connection of the client. */
  #makeRoom(client: Client): boolean {
    const hasTooMany = client.connections >= this.#bounds.ofOneClient
    if (!hasTooMany && this.#count < this.#bounds.all) return true
    const [oldest] = (hasTooMany ? client : this.#largestIdle())?.idle ?? []
    if (oldest === undefined) return false
    oldest.socket.destroy()
    // The close event comes later, and a flood of connections does not wait for it.
    this.#forget(oldest)
    return true
  }

  #largestIdle(): Client | null {
    let largest: Client | null = null
    for (const client of this.#clients.values())
      if (client.idle.size > 0 && client.connections > (largest?.connections ?? 0)) largest = client
    return largest
  }

  #forget(connection: Connection): void {
    const { socket, client } = connection
    if (!this.#connections.delete(socket)) return
    client.idle.delete(connection)
    if (connection.isAside) client.aside--
    else {
      this.#count--
      client.connections--
    }
    if (client.connections + client.aside === 0) this.#clients.delete(client.key)
  }
}

/** A TLS socket and the plain socket below it are different objects with the same endpoints. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}
