// checks/http/secure.ts: TLS over a connected socket. Every check makes a full handshake on purpose, since a resumed
// session would not show the server's certificate; what can be shared is the context, which is costly to make.
// Verification happens after the handshake and before the first byte of the request.
import type { Socket } from 'node:net'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { type Attempt, Problem, STOPPED } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { type Hop, hostOf, isAddress } from './hop.ts'
import { refusedCertificate, secureFailure } from './tls-wording.ts'

const MAX_CONTEXTS = 256
const contexts = new Map<string, SecureContext>()

/** Resolves to the secured socket. On a problem the plain socket is left to the caller. */
export function secure(
  socket: Socket,
  config: HttpConfig,
  hop: Hop,
  attempt: Attempt,
): Promise<TLSSocket | Problem> {
  const context = contextFor(config, hop)
  if (context instanceof Problem) return Promise.resolve(context)
  const host = serverName(config, hop)
  const protocol = config.http_version === '2' ? 'h2' : 'http/1.1'
  attempt.awaits('no TLS handshake', 'connected')
  return new Promise((resolve) => {
    const secured = connect({
      socket,
      secureContext: context,
      host,
      // A server name that is an address is forbidden in the handshake; it is verified all the same.
      ...(isAddress(host) ? {} : { servername: host }),
      ALPNProtocols: [protocol],
      rejectUnauthorized: false,
    })
    const decide = (result: TLSSocket | Problem): void => {
      attempt.onStop = undefined
      if (result instanceof Problem) secured.destroy()
      secured.off('error', onError)
      secured.off('close', onClose)
      // A destroyed socket may still have one error to say, which is nobody's any more.
      secured.on('error', () => {})
      resolve(result)
    }
    const onError = (error: NodeJS.ErrnoException): void => decide(brokenHandshake(error))
    const onClose = (): void => decide(new Problem('the connection was closed during the TLS handshake'))
    secured.on('error', onError)
    secured.on('close', onClose)
    secured.on('secureConnect', () => {
      attempt.run.mark('tls')
      decide(judged(secured, config, host, attempt))
    })
    attempt.onStop = () => decide(STOPPED)
  })
}

function judged(secured: TLSSocket, config: HttpConfig, host: string, attempt: Attempt): TLSSocket | Problem {
  const certificate = secured.getPeerX509Certificate()
  if (certificate !== undefined) attempt.sawCertificate(certificate.validToDate.getTime())
  if (!secured.authorized && config.tls?.verify !== false) {
    // Typed as an Error, but Node sets the code alone.
    return refusedCertificate(String(secured.authorizationError), certificate, host)
  }
  if (config.http_version === '2' && secured.alpnProtocol !== 'h2') {
    return new Problem('the server does not offer HTTP/2')
  }
  return secured
}

function serverName(config: HttpConfig, hop: Hop): string {
  const named = hop.configuredOrigin ? config.tls?.server_name : undefined
  // The dot that ends a fully qualified name belongs to DNS, not to the handshake.
  return named ?? hostOf(hop.url).replace(/\.$/, '')
}

function contextFor(config: HttpConfig, hop: Hop): SecureContext | Problem {
  const { ca, certificate, key } = config.tls ?? {}
  const cert = hop.configuredOrigin ? certificate : undefined
  const privateKey = hop.configuredOrigin ? key : undefined
  const id = `${ca ?? ''}\0${cert ?? ''}\0${privateKey ?? ''}`
  const known = contexts.get(id)
  if (known !== undefined) return known
  try {
    const context = createSecureContext({ ca, cert, key: privateKey })
    if (contexts.size >= MAX_CONTEXTS) contexts.delete(contexts.keys().next().value!)
    contexts.set(id, context)
    return context
  } catch {
    // The error of OpenSSL says nothing to a person, and it must not quote what it could not read.
    return new Problem('the configured ca, certificate or key of tls cannot be read', 'local')
  }
}

function brokenHandshake(error: NodeJS.ErrnoException): Problem {
  const { code = '' } = error
  if (code.startsWith('ERR_SSL_')) return secureFailure(code)
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new Problem('the connection was closed during the TLS handshake')
  }
  return new Problem(`the TLS handshake broke (${code === '' ? 'unknown error' : code})`, 'local')
}
