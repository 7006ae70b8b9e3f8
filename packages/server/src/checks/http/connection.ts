// checks/http/connection.ts: brings a hop to a socket that is ready for its request: directly or through a proxy,
// with TLS or without. Every connection goes through the network, which judges the address at connect time.
import type { Socket } from 'node:net'
import { ConnectError } from '../../platform/network/network.ts'
import { type Attempt, Problem, STOPPED } from './attempt.ts'
import type { HttpConfig } from './config.ts'
import { connectProblem } from './direct-visit.ts'
import { type Hop, hostOf, isAddress, portOf } from './hop.ts'
import { openTunnel } from './proxy.ts'
import { secure } from './secure.ts'

/** A socket that the caller must destroy, or why there is none; then nothing is left open. */
export async function openConnection(
  config: HttpConfig,
  hop: Hop,
  proxy: URL | null,
  attempt: Attempt,
): Promise<Socket | Problem> {
  const { url } = hop
  const plain =
    proxy === null ? await connect(config, url, attempt) : await connectToProxy(config, url, proxy, attempt)
  if (plain instanceof Problem) return plain
  const isSecure = url.protocol === 'https:'
  // A proxy understands the absolute form of HTTP/1; everything else it can only pass on.
  const needsTunnel = proxy !== null && (isSecure || config.http_version === '2')
  const refusal = needsTunnel ? await openTunnel(plain, proxy, url, attempt) : null
  const ready = refusal ?? (isSecure ? await secure(plain, config, hop, attempt) : plain)
  if (ready instanceof Problem) plain.destroy()
  return ready
}

async function connect(config: HttpConfig, url: URL, attempt: Attempt): Promise<Socket | Problem> {
  attempt.awaits('no connection', '')
  try {
    const target = { host: hostOf(url), port: portOf(url), family: config.family ?? 'any' }
    const socket = await attempt.run.network.connect(target, attempt)
    attempt.onStop = undefined
    attempt.run.mark('connect')
    if (!attempt.expired) return socket
    // The deadline passed in the very turn in which the connection came about.
    socket.destroy()
    return STOPPED
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error
    return connectProblem(error, attempt)
  }
}

async function connectToProxy(
  config: HttpConfig,
  url: URL,
  proxy: URL,
  attempt: Attempt,
): Promise<Socket | Problem> {
  // Names are resolved by the proxy, out of our sight; a literal address we can still judge.
  const host = hostOf(url)
  const refusal = isAddress(host) ? attempt.run.network.refuses(host) : null
  if (refusal !== null) return new Problem(refusal)
  const socket = await connect(config, proxy, attempt)
  return socket instanceof Problem ? new Problem(`the proxy: ${socket.reason}`, socket.evidence) : socket
}
