// api/v2/secure-transport.ts: whether a request came over a way on which nobody listens: TLS of our own, a proxy of ours
// that says it was https, or this machine itself. A request that names other hosts it passed through, and does not come
// from a proxy of ours, did not come from this machine, whatever its address is.
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
  const { socket, headers } = request
  if (isEncrypted(request, proxies)) return true
  const peer = socket.remoteAddress ?? ''
  if (proxies.isProxy(peer)) return false
  return isLoopback(peer) && passedThrough.every((name) => headers[name] === undefined)
}

/** Whether the client speaks https, with us or with a proxy of ours. */
export function isEncrypted({ socket, headers }: IncomingMessage, proxies: TrustedProxies): boolean {
  if ((socket as TLSSocket).encrypted === true) return true
  return proxies.isProxy(socket.remoteAddress ?? '') && saysHttps(headers)
}

/** The last word counts: it is the one that our proxy has written. */
function saysHttps(headers: IncomingMessage['headers']): boolean {
  const proto = lastOf(headers['x-forwarded-proto'])
  if (proto !== null) return proto === 'https'
  const forwarded = lastOf(headers.forwarded)
  return forwarded !== null && /(?:^|;)\s*proto="?https"?\s*(?:;|$)/i.test(forwarded)
}

function lastOf(header: string | string[] | undefined): string | null {
  const text = Array.isArray(header) ? header.join(',') : header
  return text?.split(',').at(-1)?.trim().toLowerCase() ?? null
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || /^127(?:\.[0-9]{1,3}){3}$/.test(plain)
}
