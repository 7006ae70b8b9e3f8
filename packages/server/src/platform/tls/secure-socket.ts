// platform/tls/secure-socket.ts: TLS over a connected socket. Every handshake is a full one on purpose, since a resumed
// session would not show the server's certificate; what can be shared is the context, which is costly to make.
// Verification happens after the handshake and before anything is sent.
import type { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { forgetOldest } from '../forget-oldest.ts'
import { tls } from '../late-modules.ts'
import { isReset } from '../network/connect-errors.ts'
import { type Abandon, ConnectError } from '../network/network.ts'
import type { TlsIdentity } from './tls-options.ts'
import { refusedCertificate, secureFailure, WRONG_NAME } from './tls-wording.ts'

const MAX_CONTEXTS = 256
const contexts = new Map<string, SecureContext>()

export interface SecureRequest {
  /** The name or address to verify, and to ask for where it is a name. */
  readonly serverName: string
  readonly verify: { readonly chain: boolean; readonly name: boolean }
  readonly identity: TlsIdentity
  readonly protocols?: readonly string[]
  /** Called when the handshake is done, before the certificate is verified. */
  onHandshake?(certificate: X509Certificate | undefined): void
}

/** Throws ConnectError, code TLS, or ABORTED with words for the deadline; the plain socket is left to the caller. */
export async function secureSocket(
  socket: Socket,
  request: SecureRequest,
  abandon: Abandon,
): Promise<TLSSocket> {
  const secureContext = contextFor(request.identity)
  // The dot that ends a fully qualified name belongs to DNS, not to the handshake.
  const host = request.serverName.replace(/\.$/, '')
  return await new Promise<TLSSocket>((resolve, reject) => {
    const secured = tls().connect({
      socket,
      secureContext,
      host,
      // A server name that is an address is forbidden in the handshake; it is verified all the same.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(request.protocols === undefined ? {} : { ALPNProtocols: [...request.protocols] }),
      rejectUnauthorized: false,
    })
    const decide = (problem: ConnectError | null): void => {
      abandon.onStop = undefined
      secured.off('error', onError)
      secured.off('close', onClose)
      // A destroyed socket may still have one error to say, which has no owner any more.
      secured.on('error', () => {})
      if (problem === null) return resolve(secured)
      secured.destroy()
      reject(problem)
    }
    const onError = (error: NodeJS.ErrnoException): void => decide(brokenHandshake(error))
    const onClose = (): void => decide(closedEarly())
    secured.on('error', onError)
    secured.on('close', onClose)
    secured.on('secureConnect', () => {
      const certificate = secured.getPeerX509Certificate()
      request.onHandshake?.(certificate)
      const code = fault(secured, certificate, host, request.verify)
      decide(code === null ? null : tlsError(refusedCertificate(code, certificate, host)))
    })
    const stop = (): void => decide(new ConnectError('ABORTED', 'no TLS handshake', 'local'))
    abandon.onStop = stop
  })
}

/** The code of what is wrong with the certificate, among what is to be verified. */
function fault(
  secured: TLSSocket,
  certificate: X509Certificate | undefined,
  host: string,
  verify: SecureRequest['verify'],
): string | null {
  // Typed as an Error, but Node sets the code alone; a fault of the chain hides one of the name.
  const code = secured.authorized ? null : String(secured.authorizationError)
  if (verify.chain && code !== null && code !== WRONG_NAME) return code
  if (!verify.name) return null
  // Not from getPeerCertificate: Node.js 24 answers it with nothing once getPeerX509Certificate was called.
  const isNamed = certificate && tls().checkServerIdentity(host, certificate.toLegacyObject()) === undefined
  return isNamed ? null : WRONG_NAME
}

function contextFor({ ca, certificate, key }: TlsIdentity): SecureContext {
  const id = `${ca ?? ''}\0${certificate ?? ''}\0${key ?? ''}`
  const known = contexts.get(id)
  if (known !== undefined) return known
  try {
    const context = tls().createSecureContext({ ca, cert: certificate, key })
    if (contexts.size >= MAX_CONTEXTS) forgetOldest(contexts)
    contexts.set(id, context)
    return context
  } catch {
    // The error of OpenSSL says nothing to a person, and it must not quote what it could not read.
    throw new ConnectError('UNUSABLE', 'the configured ca, certificate or key of tls cannot be read', 'local')
  }
}

function brokenHandshake(error: NodeJS.ErrnoException): ConnectError {
  const { code = '' } = error
  if (code.startsWith('ERR_SSL_')) return tlsError(secureFailure(code))
  if (isReset(code)) return closedEarly()
  return tlsError(`the TLS handshake broke (${code === '' ? 'unknown error' : code})`, 'local')
}

function closedEarly(): ConnectError {
  return tlsError('the connection was closed during the TLS handshake')
}

function tlsError(sentence: string, evidence: 'target' | 'local' = 'target'): ConnectError {
  return new ConnectError('TLS', sentence, evidence)
}
