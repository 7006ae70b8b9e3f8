// platform/tls/secure-socket.ts: TLS over a connected socket. Verification happens after the handshake and before anything
// is sent. Only a full handshake shows the server's certificate; its session may be resumed for a while by later checks of
// the same monitor (handshakes.ts), for which the certificate was verified then.
import type { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { tls } from '../late-modules.ts'
import { isReset } from '../network/connect-errors.ts'
import { ConnectError } from '../network/network.ts'
import { isFor } from './certificate-names.ts'
import { EVERYTHING, type HandshakeRun, type Offer } from './handshakes.ts'
import { contextsFor } from './secure-contexts.ts'
import { slimSession } from './slim-session.ts'
import type { TlsIdentity } from './tls-options.ts'
import { refusedCertificate, secureFailure, WRONG_NAME } from './tls-wording.ts'

export interface SecureRequest {
  /** Where the server is, as HOST:PORT. */
  readonly peer: string
  /** The name or address to verify, and to ask for where it is a name. */
  readonly serverName: string
  readonly verify: { readonly chain: boolean; readonly name: boolean }
  readonly identity: TlsIdentity
  readonly protocols?: readonly string[]
  /** How long after a full handshake its session may be resumed; 0: every handshake is a full one. */
  readonly fullEveryMs: number
  /** Called when the handshake is done, before the certificate is verified. */
  onHandshake?(seen: SeenCertificate): void
}

export interface SeenCertificate {
  /** Null if the server has none. */
  readonly expiresAt: number | null
  /** Whether this handshake showed it, and not the one whose session it resumed. */
  readonly isShown: boolean
  /** Null if this handshake showed none. */
  readonly leaf: X509Certificate | null
}

/** A handshake with one server. */
interface Handshake {
  readonly request: SecureRequest
  readonly run: HandshakeRun
  readonly host: string
  /** All that a session of it may be used for. */
  readonly server: string
  readonly offer: Offer
  readonly secureContext: SecureContext
}

/** Throws ConnectError, code TLS, or ABORTED with words for the deadline; the plain socket is left to the caller. */
export async function secureSocket(
  socket: Socket,
  request: SecureRequest,
  run: HandshakeRun,
): Promise<TLSSocket> {
  const handshake = prepare(request, run)
  return await new Promise<TLSSocket>((resolve, reject) => {
    const secured = begin(socket, handshake)
    const decide = (problem: ConnectError | null): void => {
      run.onStop = undefined
      secured.off('error', onError)
      secured.off('close', onClose)
      // A destroyed socket may still have one error to say, which has no owner any more.
      secured.on('error', () => {})
      if (problem === null) return resolve(secured)
      secured.destroy()
      reject(problem)
    }
    const breakOff = (code: string): void => {
      if (mayBeOurs(code, handshake.offer)) run.handshakes?.broke()
      decide(brokenHandshake(code))
    }
    const onError = ({ code = '' }: NodeJS.ErrnoException): void => breakOff(code)
    const onClose = (): void => breakOff('ECONNRESET')
    secured.on('error', onError)
    secured.on('close', onClose)
    secured.once('secureConnect', () => {
      const problem = judge(secured, handshake)
      if (problem === null) secured.on('secureConnect', () => judgeAgain(secured, handshake))
      decide(problem)
    })
    const stop = (): void => decide(new ConnectError('ABORTED', 'no TLS handshake', 'local'))
    run.onStop = stop
  })
}

function prepare(request: SecureRequest, run: HandshakeRun): Handshake {
  const { peer, serverName, verify, identity, fullEveryMs } = request
  const contexts = contextsFor(identity)
  // The dot that ends a fully qualified name belongs to DNS, not to the handshake.
  const host = serverName.replace(/\.$/, '')
  const server = `${peer} ${host} ${verify.chain} ${verify.name} ${contexts.number}`
  const offer = run.handshakes?.offer(server, fullEveryMs) ?? EVERYTHING
  const secureContext = offer.everything ? contexts.everything : contexts.common
  return { request, run, host, server, offer, secureContext }
}

/** Node verifies the name of the certificate itself, and reads the whole chain for that: a third of a full handshake. */
const readsNothing = (() => ({})) as unknown as TLSSocket['getPeerCertificate']
const acceptsAnyName = () => undefined

function begin(socket: Socket, { request: { protocols }, host, offer, secureContext }: Handshake): TLSSocket {
  const secured = tls().connect({
    socket,
    secureContext,
    host,
    ...(offer.known === null ? {} : { session: offer.known.session }),
    // A server name that is an address is forbidden in the handshake; it is verified all the same.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(protocols === undefined ? {} : { ALPNProtocols: [...protocols] }),
    rejectUnauthorized: false,
    checkServerIdentity: acceptsAnyName,
  })
  secured.getPeerCertificate = readsNothing
  return secured
}

/** What is wrong with the server's certificate, if anything is. Keeps the session if nothing is. */
function judge(secured: TLSSocket, handshake: Handshake): ConnectError | null {
  const { request, host, offer } = handshake
  secured.getPeerCertificate = tls().TLSSocket.prototype.getPeerCertificate
  const resumed = secured.isSessionReused() ? offer.known : null
  if (resumed !== null) {
    request.onHandshake?.({ expiresAt: resumed.certificateExpiresAt, isShown: false, leaf: null })
    keepSessions(secured, handshake, resumed.certificateExpiresAt, resumed.fullAtMs)
    return null
  }
  const certificate = secured.getPeerX509Certificate()
  const expiresAt = certificate?.validToDate.getTime() ?? null
  request.onHandshake?.({ expiresAt, isShown: true, leaf: certificate ?? null })
  const code = fault(secured, certificate, host, request.verify)
  if (code !== null) return tlsError(refusedCertificate(code, certificate, host))
  if (expiresAt !== null) keepSessions(secured, handshake, expiresAt)
  return null
}

/** In TLS 1.2 a server may shake hands again at any time. It is left when the certificate that it shows then is no good. */
function judgeAgain(secured: TLSSocket, { request, host }: Handshake): void {
  if (secured.isSessionReused()) return
  const certificate = secured.getPeerX509Certificate()
  const code = fault(secured, certificate, host, request.verify)
  if (code !== null) secured.destroy(tlsError(refusedCertificate(code, certificate, host)))
}

/** The code of what is wrong with the certificate, among what is to be verified. */
function fault(
  secured: TLSSocket,
  certificate: X509Certificate | undefined,
  host: string,
  verify: SecureRequest['verify'],
): string | null {
  // Typed as an Error, but Node sets the code alone. The name is verified here, so this is about the chain.
  const code = secured.authorized ? null : String(secured.authorizationError)
  if (verify.chain && code !== null) return code
  if (!verify.name) return null
  return certificate !== undefined && isFor(certificate, host) ? null : WRONG_NAME
}

/** Since TLS 1.3 a server sends its tickets after the handshake, usually before it answers anything. */
function keepSessions(
  secured: TLSSocket,
  { run: { handshakes }, request: { fullEveryMs }, server, offer }: Handshake,
  certificateExpiresAt: number,
  fullAtMs?: number,
): void {
  if (!handshakes || fullEveryMs === 0 || offer.everything) return
  const known = { certificateExpiresAt, fullAtMs: fullAtMs ?? handshakes.nowMs }
  const keep = (session: Buffer): void =>
    handshakes.keep(server, { ...known, session: slimSession(session) }, fullEveryMs)
  if (secured.getProtocol() === 'TLSv1.3') {
    secured.on('session', keep)
    return
  }
  const session = secured.getSession()
  if (session !== undefined) keep(session)
}

/** Whether the server may have broken off the handshake because of what it was not offered, or of the session. */
function mayBeOurs(code: string, { everything, known }: Offer): boolean {
  return !everything && (known !== null || /HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY/.test(code))
}

function brokenHandshake(code: string): ConnectError {
  if (code.startsWith('ERR_SSL_')) return tlsError(secureFailure(code))
  if (isReset(code)) return tlsError('the connection was closed during the TLS handshake')
  return tlsError(`the TLS handshake broke (${code === '' ? 'unknown error' : code})`, 'local')
}

function tlsError(sentence: string, evidence: 'target' | 'local' = 'target'): ConnectError {
  return new ConnectError('TLS', sentence, evidence)
}
