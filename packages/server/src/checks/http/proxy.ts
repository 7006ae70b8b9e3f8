// checks/http/proxy.ts: asks an HTTP proxy for a tunnel. The socket stays the caller's; when the tunnel is open it
// carries the bytes of the target and nothing has been read past the proxy's answer.
import type { Socket } from 'node:net'
import { type Attempt, Problem } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { exchange } from './exchange.ts'
import { hostOf, portOf } from './hop.ts'
import { authorizationOf } from './request.ts'
import { ResponseReader } from './response-reader.ts'

/** The proxy of a configuration; it may come from a credential, which nobody has looked into before. */
export function proxyOf(config: HttpConfig): URL | Problem | null {
  if (config.proxy === undefined) return null
  const proxy = URL.parse(config.proxy)
  return proxy?.protocol === 'http:' ? proxy : new Problem('the configured proxy is no http:// URL', 'local')
}

/** null when the tunnel is open. */
export async function openTunnel(
  socket: Socket,
  proxy: URL,
  target: URL,
  attempt: Attempt,
): Promise<Problem | null> {
  const host = hostOf(target)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${portOf(target)}`
  const authorization = authorizationOf(proxy)
  const credentials = authorization === '' ? '' : `Proxy-Authorization: ${authorization}\r\n`
  const request = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nUser-Agent: pulseward\r\n${credentials}\r\n`
  const reader = new ResponseReader('CONNECT', () => false, 0)
  attempt.awaits('no answer of the proxy', 'connected to the proxy')
  const problem = await exchange(socket, request, reader, attempt)
  if (problem !== null) return new Problem(`the proxy: ${problem.reason}`, problem.evidence)
  if (reader.status === 407) return new Problem('the proxy asks for other credentials (status 407)')
  if (reader.status < 200 || reader.status > 299) {
    return new Problem(`the proxy refused a tunnel to the target (status ${reader.status})`)
  }
  // The listeners of the exchange must not see what the target says.
  socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close').pause()
  return null
}
