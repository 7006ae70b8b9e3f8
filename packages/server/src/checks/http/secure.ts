// checks/http/secure.ts: TLS for one hop. The name and the client's proof that the configuration gives are for the
// configured origin alone; a redirect elsewhere gets neither.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { ConnectError } from '../../platform/network/network.ts'
import { type SecureRequest, secureSocket } from '../../platform/tls/secure-socket.ts'
import { type Attempt, Problem, STOPPED } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { type Hop, hostOf } from './hop.ts'

/** Resolves to the secured socket. On a problem the plain socket is left to the caller. */
export async function secure(
  socket: Socket,
  config: HttpConfig,
  hop: Hop,
  attempt: Attempt,
): Promise<TLSSocket | Problem> {
  attempt.awaits('no TLS handshake', 'connected')
  let secured: TLSSocket
  try {
    secured = await secureSocket(socket, requestFor(config, hop, attempt), attempt)
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error
    return error.code === 'ABORTED' ? STOPPED : new Problem(error.message, error.evidence)
  }
  if (config.http_version !== '2' || secured.alpnProtocol === 'h2') return secured
  secured.destroy()
  return new Problem('the server does not offer HTTP/2')
}

function requestFor(config: HttpConfig, hop: Hop, attempt: Attempt): SecureRequest {
  const { verify = true, ca, ...own } = config.tls ?? {}
  const identity = { ...(ca === undefined ? {} : { ca }), ...(hop.configuredOrigin ? own : {}) }
  return {
    serverName: identity.server_name ?? hostOf(hop.url),
    verify: { chain: verify, name: verify },
    identity,
    protocols: [config.http_version === '2' ? 'h2' : 'http/1.1'],
    onHandshake(certificate) {
      attempt.run.mark('tls')
      if (certificate !== undefined) attempt.sawCertificate(certificate.validToDate.getTime())
    },
  }
}
