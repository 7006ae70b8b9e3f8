// api/v2/secure-transport.ts: whether a request came over a private connection: our own TLS, a trusted proxy that reports
// https, or loopback. A request with forwarding headers did not come from this machine, whatever its address. A local
// proxy that omits those headers is still recognized by the Host that it passes on, unless it replaces that too.
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { TrustedProxies } from '../client-address.ts'

const passedThrough = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
]

export function isSecure(request: IncomingMessage, proxies: TrustedProxies): boolean {
  return transportFault(request, proxies) === null
}

/** Null if the connection is private, otherwise what is wrong and what the operator of the proxy or the client can do. */
export function transportFault(request: IncomingMessage, proxies: TrustedProxies): string | null {
  if (isEncrypted(request, proxies)) return null
  const peer = request.socket.remoteAddress ?? ''
  const isProxy = proxies.isProxy(peer)
  if (isLoopback(peer) && !hasPassedThrough(request)) {
    if (!isProxy || isLoopback(hostOf(request))) return null
  }
  if (isProxy)
    return schemeIn(request.headers) === null
      ? 'The proxy does not say whether the client speaks https; have it set X-Forwarded-Proto.'
      : 'The proxy says that the client speaks http; use https.'
  if (isLoopback(peer))
    return 'The request came through a proxy that is not known here; add its address to the setting proxies.'
  return 'The connection is not encrypted; use https, or ask on the machine of the service itself.'
}

/**
 * Whether a program on this machine sent it to a loopback name or address, through no proxy that could be recognized.
 * Stricter than a private connection: also where a credential is needed, a page of another site gets nothing that is
 * told only here, because its name for this machine is not a loopback name.
 */
export function isFromThisMachine(request: IncomingMessage): boolean {
  // Browsers do not speak HTTP/1.0; a proxy that hides its client often does.
  const isDirect = !hasPassedThrough(request) && request.httpVersion !== '1.0'
  return isDirect && isLoopback(request.socket.remoteAddress ?? '') && isLoopback(hostOf(request))
}

/** Whether the client speaks https, with us or with a trusted proxy. */
export function isEncrypted({ socket, headers }: IncomingMessage, proxies: TrustedProxies): boolean {
  if ((socket as TLSSocket).encrypted === true) return true
  return proxies.isProxy(socket.remoteAddress ?? '') && schemeIn(headers) === 'https'
}

/** The last value counts: our proxy wrote it. */
function schemeIn(headers: IncomingMessage['headers']): string | null {
  const proto = lastOf(headers['x-forwarded-proto'])
  if (proto !== null) return proto
  return /(?:^|;)\s*proto="?([a-z]+)"?\s*(?:;|$)/.exec(lastOf(headers.forwarded) ?? '')?.[1] ?? null
}

function lastOf(header: string | string[] | undefined): string | null {
  const text = Array.isArray(header) ? header.join(',') : header
  return text?.split(',').at(-1)?.trim().toLowerCase() ?? null
}

function hasPassedThrough({ headers }: IncomingMessage): boolean {
  return passedThrough.some((name) => headers[name] !== undefined)
}

/** The host without port and brackets. */
function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  return (URL.parse(`http://${host}`)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(host: string): boolean {
  const plain = host.replace(/^::ffff:/i, '')
  return plain === '::1' || plain === 'localhost' || /^127(?:\.[0-9]{1,3}){3}$/.test(plain)
}
