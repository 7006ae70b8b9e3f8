// checks/http/proxy.ts: asks an HTTP proxy for a tunnel. The caller keeps the socket; once the tunnel is open
// it carries the bytes of the target, and nothing has been read past the proxy's answer.
import type { Socket } from 'node:net'
import { CheckFailure, UnusableConfig } from '../driver.ts'
import { type Attempt, atProxy } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { exchange } from './exchange.ts'
import { hostOf, portOf } from './redirect-step.ts'
import { authorizationOf } from './render-request.ts'
import { ResponseReader } from './response-reader.ts'

/** The proxy of a configuration. It may come from a credential, whose value is only known now. */
export function proxyOf(config: HttpConfig): URL | null {
  if (config.proxy === undefined) return null
  const proxy = URL.parse(config.proxy)
  if (proxy?.protocol === 'http:') return proxy
  throw new UnusableConfig('the configured proxy is not an http:// URL')
}

export async function openTunnel(socket: Socket, proxy: URL, target: URL, attempt: Attempt): Promise<void> {
  const host = hostOf(target)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${portOf(target)}`
  const authorization = authorizationOf(proxy)
  const credentials = authorization === '' ? '' : `Proxy-Authorization: ${authorization}\r\n`
  const request = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nUser-Agent: pulseward\r\n${credentials}\r\n`
  const reader = new ResponseReader('CONNECT', () => false, 0)
  attempt.awaits('no answer of the proxy', 'connected to the proxy')
  await exchange(socket, request, reader, attempt).catch((error: unknown) => {
    throw atProxy(error)
  })
  if (reader.status === 407) throw new CheckFailure('the proxy asks for other credentials (status 407)')
  if (reader.status < 200 || reader.status > 299) {
    throw new CheckFailure(`the proxy refused a tunnel to the target (status ${reader.status})`)
  }
  // The listeners of the exchange must not see what the target sends.
  socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close').pause()
}
