// api/http-listener.ts: the server socket: plain or TLS, with the bounds that hold before a request is one. A client that
// sends slowly, or nothing, costs a connection for a bounded time.
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { v1Limits } from '@pulseward/contract'
import type { ServerIdentity } from '../config/settings/server-identity.ts'

/** Beyond it the system's own line is the only one: connections wait there or are refused. */
const mostConnections = 4_096

const bounds: ServerOptions = {
  maxHeaderSize: v1Limits.requestHeadBytes,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than proxies keep theirs, so that it is they who close idle connections.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  // Refused by us, as a problem.
  requireHostHeader: false,
}

export function createListener(identity: ServerIdentity | null, handler: RequestListener): Server {
  const server =
    identity === null
      ? createServer(bounds, handler)
      : createSecureServer(
          {
            ...bounds,
            ...{ cert: identity.certificate, key: identity.key },
            ...{ minVersion: 'TLSv1.2', handshakeTimeout: 10_000 },
          },
          handler,
        )
  server.maxConnections = mostConnections
  // Nobody has to meet an expectation that he does not know; left alone, Node answers without any of our headers.
  server.on('checkExpectation', handler)
  return server
}
