// checks/docker/open-engine.ts: a connection to a Docker engine: by its socket in the file system, which the network
// policy does not cover, or by TCP through the network, with TLS where configured.
import { connect, type Socket } from 'node:net'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { ConnectError, type Family } from '../../platform/network/network.ts'
import { secureSocket } from '../../platform/tls/secure-socket.ts'
import { fullHandshakeEveryMs, type TlsIdentity } from '../../platform/tls/tls-options.ts'
import { type CheckRun, deadlinePassed, observeCertificate } from '../driver.ts'

export const DEFAULT_ENGINE = 'unix:///var/run/docker.sock'

interface EngineConfig {
  readonly engine?: string
  readonly tls?: TlsIdentity & { readonly verify?: boolean; readonly full_handshake_every?: string | 0 }
  readonly family?: Family
}

export interface Engine extends Disposable {
  readonly socket: Socket
}

/** What is wrong with the address of an engine, or null. */
export function engineMistake(engine: string): string | null {
  const form = 'must be unix:///PATH or tcp://HOST:PORT'
  const url = URL.parse(engine)
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return form
  if (url.protocol === 'unix:') return url.host === '' && url.pathname.length > 1 ? null : form
  const isTcp = url.protocol === 'tcp:' && url.hostname !== '' && url.port !== '' && url.pathname.length <= 1
  return isTcp ? null : form
}

/** How sentences name the engine. */
export function engineName({ engine = DEFAULT_ENGINE }: EngineConfig): string {
  const url = new URL(engine)
  return url.protocol === 'tcp:' ? `the Docker engine at ${url.host}` : 'the Docker engine'
}

export async function openEngine(
  config: EngineConfig,
  run: CheckRun,
  certificate: { expiresAt: number | null },
): Promise<Engine> {
  const { engine = DEFAULT_ENGINE, tls, family = 'any' } = config
  const { protocol, hostname, port, pathname } = new URL(engine)
  if (protocol === 'unix:') {
    const socket = await connectByPath(decodeURIComponent(pathname), run)
    run.mark('connect')
    return owned(socket)
  }
  // URLs write an IPv6 host in brackets.
  const host = hostname.replace(/^\[|\]$/g, '')
  const plain = await run.network.connect({ host, port: Number(port), family }, run)
  run.mark('connect')
  if (tls === undefined) return owned(plain)
  try {
    const isVerified = tls.verify !== false
    const secured = await secureSocket(
      plain,
      {
        peer: formatEndpoint(host, Number(port)),
        serverName: tls.server_name ?? host,
        verify: { chain: isVerified, name: isVerified },
        identity: tls,
        fullEveryMs: fullHandshakeEveryMs(tls.full_handshake_every),
        onHandshake({ expiresAt, isShown, leaf }) {
          run.mark('tls')
          certificate.expiresAt = isShown ? expiresAt : null
          observeCertificate(run, leaf)
        },
      },
      run,
    )
    return owned(secured)
  } catch (error) {
    plain.destroy()
    throw error
  }
}

function owned(socket: Socket): Engine {
  return { socket, [Symbol.dispose]: () => void socket.destroy() }
}

const sayings: Readonly<Record<string, { words: string; evidence: 'target' | 'local' }>> = {
  ENOENT: { words: 'the Docker engine is not running: its socket does not exist', evidence: 'target' },
  ECONNREFUSED: {
    words: 'the Docker engine is not running: nothing listens at its socket',
    evidence: 'target',
  },
  EACCES: { words: 'this process may not use the socket of the Docker engine', evidence: 'local' },
}

function connectByPath(path: string, run: CheckRun): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path })
    const settle = (end: () => void): void => {
      run.onStop = undefined
      end()
    }
    socket.on('connect', () => settle(() => resolve(socket)))
    // Stays on the socket, so that no error goes uncaught before its new owner listens.
    socket.on('error', ({ code = 'unknown error' }: NodeJS.ErrnoException) => {
      const { words, evidence } = sayings[code] ?? {
        words: `the connection to the Docker engine failed (${code})`,
        evidence: 'local',
      }
      settle(() => reject(new ConnectError(code, words, evidence)))
    })
    const stop = (): void => {
      socket.destroy()
      settle(() => reject(deadlinePassed('no connection to the Docker engine')))
    }
    run.onStop = stop
  })
}
