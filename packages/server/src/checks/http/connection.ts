// checks/http/connection.ts: gets a step to a socket that is ready for its request: directly or through a proxy, with or
// without TLS. Every connection goes through the network, which applies the address policy at connect time.
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { type SecureRequest, secureSocket } from '../../platform/tls/secure-socket.ts'
import { fullHandshakeEveryMs } from '../../platform/tls/tls-options.ts'
import { CheckFailure, observeCertificate } from '../driver.ts'
import { type Attempt, atProxy, STOPPED } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { noteConnectError } from './direct-request.ts'
import { openTunnel } from './proxy.ts'
import { hostOf, isAddress, portOf, type RedirectStep } from './redirect-step.ts'

/** Returns a socket that the caller must destroy. If it fails, nothing is left open. */
export async function openConnection(
  config: HttpConfig,
  step: RedirectStep,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Socket> {
  const { url } = step
  const plain =
    proxy === null ? await connect(config, url, attempt) : await connectToProxy(config, url, proxy, attempt)
  const isSecure = url.protocol === 'https:'
  try {
    // A proxy understands the absolute form of HTTP/1; everything else it can only tunnel.
    if (proxy !== null && (isSecure || config.http_version === '2'))
      await openTunnel(plain, proxy, url, attempt)
    return isSecure ? await secure(plain, config, step, attempt) : plain
  } catch (error) {
    plain.destroy()
    throw error
  }
}

async function connect(config: HttpConfig, url: URL, attempt: Attempt): Promise<Socket> {
  const { run } = attempt
  attempt.awaits('no connection', '')
  const target = { host: hostOf(url), port: portOf(url), family: config.family ?? 'any' }
  const socket = await run.network.connect(target, run).catch((error: unknown) => {
    throw noteConnectError(error, attempt)
  })
  run.onStop = undefined
  run.mark('connect')
  if (!run.hasExpired) return socket
  // The deadline passed in the same turn in which the connection was established.
  socket.destroy()
  throw STOPPED
}

async function connectToProxy(config: HttpConfig, url: URL, proxy: URL, attempt: Attempt): Promise<Socket> {
  // The proxy resolves names, which we cannot see; a literal address can still be refused here.
  const host = hostOf(url)
  const refusal = isAddress(host) ? attempt.run.network.refuses(host) : null
  if (refusal !== null) throw new CheckFailure(refusal)
  return await connect(config, proxy, attempt).catch((error: unknown) => {
    throw atProxy(error)
  })
}

/** Returns the secured socket. If it fails, the plain socket is left to the caller. */
async function secure(
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

/**
 * The configured server name and client certificate are for the configured origin only; a redirect elsewhere
 * gets neither.
 */
function requestFor(config: HttpConfig, step: RedirectStep, attempt: Attempt): SecureRequest {
  const { verify = true, ca, full_handshake_every, ...own } = config.tls ?? {}
  const identity = { ...(ca === undefined ? {} : { ca }), ...(step.configuredOrigin ? own : {}) }
  const host = hostOf(step.url)
  return {
    peer: formatEndpoint(host, portOf(step.url)),
    serverName: identity.server_name ?? host,
    verify: { chain: verify, name: verify },
    identity,
    protocols: [config.http_version === '2' ? 'h2' : 'http/1.1'],
    fullEveryMs: fullHandshakeEveryMs(full_handshake_every),
    onHandshake(seen) {
      attempt.run.mark('tls')
      attempt.sawCertificate(seen)
      observeCertificate(attempt.run, seen.leaf)
    },
  }
}
