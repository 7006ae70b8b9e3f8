// servers/node-server.ts: a server of node:https, in the process of the test.
import { constants } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { certificates } from '../targets/certificates.ts'
import type { SessionServer } from './session-server.ts'

export const nodeSessions: SessionServer = {
  kind: { name: 'node:https', debianPackages: [], find: () => process.execPath },
  offers: ['tickets', 'none'],
  async start(_program, { port, version, sessions }) {
    const { certificate, key } = certificates.good
    const server = createServer(
      {
        cert: certificate,
        key,
        minVersion: version,
        maxVersion: version,
        ...(sessions === 'none' ? { secureOptions: constants.SSL_OP_NO_TICKET } : {}),
      },
      (request, answer) => answer.end((request.socket as TLSSocket).isSessionReused() ? 'resumed' : 'full'),
    )
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return {
      async [Symbol.asyncDispose]() {
        server.close()
        server.closeAllConnections()
        await once(server, 'close')
      },
    }
  },
}
