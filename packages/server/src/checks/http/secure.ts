// checks/http/secure.ts: TLS for one step. The server name and the client certificate of the configuration are for the
// configured origin alone; a redirect elsewhere gets neither.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type SecureRequest, secureSocket } from '../../platform/tls/secure-socket.ts'
import { CheckFailure } from '../driver.ts'
import type { Attempt } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { hostOf, type RedirectStep } from './redirect-step.ts'

/** The secured socket. Where there is none, the plain socket is left to the caller. */
export async function secure(
  socket: Socket,
  config: HttpConfig,
  step: RedirectStep,
  attempt: Attempt,
): Promise<TLSSocket> {
  attempt.awaits('no TLS handshake', 'connected')
  const secured = await secureSocket(socket, requestFor(config, step, attempt), attempt.run)
  if (config.http_version !== '2' || secured.alpnProtocol === 'h2') return secured
  secured.destroy()
  throw new CheckFailure('the server does not offer HTTP/2')
}

function requestFor(config: HttpConfig, step: RedirectStep, attempt: Attempt): SecureRequest {
  const { verify = true, ca, ...own } = config.tls ?? {}
  const identity = { ...(ca === undefined ? {} : { ca }), ...(step.configuredOrigin ? own : {}) }
  return {
    serverName: identity.server_name ?? hostOf(step.url),
    verify: { chain: verify, name: verify },
    identity,
    protocols: [config.http_version === '2' ? 'h2' : 'http/1.1'],
    onHandshake(certificate) {
      attempt.run.mark('tls')
      if (certificate !== undefined) attempt.sawCertificate(certificate.validToDate.getTime())
    },
  }
}
