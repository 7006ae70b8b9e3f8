// api/http-listener.ts: the server socket, plain or TLS, with the limits that apply before a request is
// complete. A client that sends slowly, or nothing, holds a connection for a bounded time.
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http'
import type { ServerOptions as SecureServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { v1Limits } from '@pulseward/contract'
import type { ServerIdentity } from '../config/settings/server-identity.ts'
import { http, https } from '../platform/late-modules.ts'
import {
  type ConnectionBounds,
  ConnectionLimits,
  defaultConnectionBounds,
  keepOpen,
} from './connection-limits.ts'
import { type Lane, RequestTurns, usualLane } from './request-turns.ts'

/** Takes connections that leave HTTP. */
export interface Upgrades {
  /** Whether this request asks for such a connection. */
  isFor(request: IncomingMessage): boolean
  take(request: IncomingMessage, socket: Socket, head: Buffer): void
}

const bounds: ServerOptions = {
  maxHeaderSize: v1Limits.requestHeadBytes,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than proxies keep idle connections, so that the proxy closes them and not we.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  // We refuse a missing Host header ourselves, with a problem document.
  requireHostHeader: false,
}

export function createListener(
  identity: ServerIdentity | null,
  handler: RequestListener,
  connections: ConnectionBounds = defaultConnectionBounds,
  laneOf: (request: IncomingMessage) => Lane = () => usualLane,
  upgradesOf: () => Upgrades | null = () => null,
): Server {
  const options: ServerOptions = {
    ...bounds,
    // Every other request that asks for an upgrade is answered as if it had not.
    shouldUpgradeCallback: (request) => upgradesOf()?.isFor(request) ?? false,
  }
  const server =
    identity === null
      ? http.createServer(options)
      : https().createServer({ ...options, ...secured(identity) })
  server.on('upgrade', (request, socket, head) => {
    keepOpen(socket as Socket)
    upgradesOf()?.take(request, socket as Socket, head)
  })
  const limits = new ConnectionLimits(server, connections)
  const turns = new RequestTurns(server)
  const answer: RequestListener = (request, response) => {
    limits.answering(response)
    turns.take(request.socket, () => handler(request, response), laneOf(request))
  }
  server.on('request', answer)
  // A server may ignore an unknown expectation; by default Node answers 417 without any of our headers.
  server.on('checkExpectation', answer)
  return server
}

/** Ends all connections, also those with a request in flight. */
export async function stopListening(server: Server): Promise<void> {
  // During its handshake a TLS socket is not an HTTP connection yet, so closeAllConnections would miss it.
  server.prependListener('secureConnection', (socket: Socket) => socket.destroy())
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

function secured({ certificate, key }: ServerIdentity): SecureServerOptions {
  return { cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: 10_000 }
}
