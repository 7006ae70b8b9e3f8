// platform/network/outbound-connect.ts: the first steps of everything that is sent: a connection through the
// policy, and TLS over it with a verified certificate. A failure here is definite: nothing was sent.
import type { Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { tls } from '../late-modules.ts'
import { durationInWords } from '../wording.ts'
import { formatEndpoint, ipVersion } from './ip-address.ts'
import { type Abandon, ConnectError, type ConnectTarget, type Network } from './network.ts'
import type { OutboundSession } from './outbound-sessions.ts'

/** When an outbound call must have ended. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Nothing has left this process; the reason is in words for a person and contains no secret. */
export class NotSent {
  readonly kind = 'not-sent'
  readonly reason: string
  /** Whether the same call may succeed later without a change of configuration. */
  readonly isRetryable: boolean

  constructor(reason: string, isRetryable: boolean) {
    this.reason = reason
    this.isRetryable = isRetryable
  }
}

/** TLS keys and certificates, in PEM; by default the system's authorities and no client certificate. */
export interface TlsMaterial {
  readonly ca?: string | undefined
  readonly certificate?: string | undefined
  readonly key?: string | undefined
  /** The name that the peer's certificate must have, if it is not the host. */
  readonly serverName?: string | undefined
}

/** Errors that a retry cannot fix. */
const LASTING = new Set(['POLICY', 'BAD_NAME', 'BAD_PORT'])

export async function connectOutbound(
  network: Network,
  target: ConnectTarget,
  deadline: Deadline,
): Promise<Socket | NotSent> {
  const { signal } = deadline
  if (signal.aborted) return new NotSent('no time was left to connect', true)
  const abandon: Abandon = {}
  const stop = (): void => abandon.onStop?.()
  signal.addEventListener('abort', stop)
  try {
    return await network.connect(target, abandon)
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error
    if (error.code === 'ABORTED') return new NotSent(late(error.message, deadline), true)
    return new NotSent(error.message, !LASTING.has(error.code))
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Closes the socket on failure. */
export function secureOutbound(
  socket: Socket,
  { host, port }: ConnectTarget,
  deadline: Deadline,
  material: TlsMaterial,
  session: OutboundSession,
): Promise<TLSSocket | NotSent> {
  const peer = formatEndpoint(host, port)
  const context = secureContextOf(material)
  if (context instanceof NotSent) {
    socket.destroy()
    return Promise.resolve(context)
  }
  return new Promise((resolve) => {
    const name = (material.serverName ?? host).replace(/\.$/, '')
    const secured = tls().connect({
      socket,
      secureContext: context,
      session: session.offer(),
      host: name,
      // The handshake forbids an address as server name; it is still verified.
      ...(ipVersion(name) === 0 ? { servername: name } : {}),
      ALPNProtocols: ['http/1.1'],
    })
    const decide = (result: TLSSocket | NotSent): void => {
      deadline.signal.removeEventListener('abort', expire)
      if (result instanceof NotSent) secured.destroy()
      resolve(result)
    }
    const expire = (): void => decide(new NotSent(late(`no TLS handshake with ${peer}`, deadline), true))
    // Stays on the socket, so that no error is uncaught before the next owner adds its own listener.
    secured.on('error', (error: NodeJS.ErrnoException) => decide(tlsFailure(error.code ?? '', peer)))
    secured.on('close', () =>
      decide(new NotSent(`${peer} closed the connection during the TLS handshake`, true)),
    )
    secured.once('secureConnect', () => {
      session.keepFrom(secured)
      decide(secured)
    })
    deadline.signal.addEventListener('abort', expire)
    if (deadline.signal.aborted) expire()
  })
}

function secureContextOf({ ca, certificate, key }: TlsMaterial): SecureContext | NotSent {
  try {
    return tls().createSecureContext({ ca, cert: certificate, key })
  } catch {
    // OpenSSL's message does not help a person, and could quote what it failed to parse.
    return new NotSent('the configured authority, certificate or key cannot be read', false)
  }
}

/** The words name the phase, such as "no answer from hooks.test:443". */
export function late(words: string, { timeoutMs }: Deadline): string {
  return `${words} within ${durationInWords(timeoutMs)}`
}

const CERTIFICATE_SENTENCES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'is revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is not signed by a trusted authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT: 'is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is not signed by a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is not signed by a trusted authority',
}

/** Why TLS failed, by the code of Node or OpenSSL; a retry does not fix a refused certificate. */
export function tlsFailure(code: string, peer: string): NotSent {
  const sentence = CERTIFICATE_SENTENCES[code]
  if (sentence !== undefined) return new NotSent(`the certificate of ${peer} ${sentence}`, false)
  if (code.startsWith('CERT_')) return new NotSent(`the certificate of ${peer} was refused (${code})`, false)
  if (code === 'ECONNRESET') return new NotSent(`connection reset by ${peer} during the TLS handshake`, true)
  return new NotSent(`TLS with ${peer} failed (${code || 'no reason given'})`, true)
}
