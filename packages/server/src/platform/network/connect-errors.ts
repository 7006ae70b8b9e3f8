// platform/network/connect-errors.ts: what the system says about a connection, in words for a person, with whose
// side spoke: a refusal or a reset is an answer of the target's side, everything else can be our own fault.
import { formatEndpoint } from './ip-address.ts'
import { ConnectError } from './network.ts'

const sayings: Record<string, { words: (peer: string) => string; evidence: 'target' | 'local' }> = {
  ECONNREFUSED: { words: (peer) => `connection refused by ${peer}`, evidence: 'target' },
  ECONNRESET: { words: (peer) => `connection reset by ${peer}`, evidence: 'target' },
  ECONNABORTED: { words: (peer) => `connection aborted by ${peer}`, evidence: 'target' },
  EHOSTUNREACH: { words: (peer) => `no route to the host ${peer}`, evidence: 'local' },
  EHOSTDOWN: { words: (peer) => `the host ${peer} is down`, evidence: 'local' },
  ENETUNREACH: { words: (peer) => `no route to the network of ${peer}`, evidence: 'local' },
  ENETDOWN: { words: (peer) => `our network is down, so ${peer} cannot be reached`, evidence: 'local' },
  ETIMEDOUT: { words: (peer) => `no answer from ${peer}`, evidence: 'local' },
  EMFILE: { words: (peer) => `no file descriptor is left here to connect to ${peer}`, evidence: 'local' },
  ENFILE: { words: (peer) => `no file descriptor is left here to connect to ${peer}`, evidence: 'local' },
  ENOBUFS: { words: (peer) => `no network memory is left here to connect to ${peer}`, evidence: 'local' },
  EADDRNOTAVAIL: {
    words: (peer) => `no local address or port is left to connect to ${peer}`,
    evidence: 'local',
  },
  EAFNOSUPPORT: {
    words: (peer) => `this machine does not speak the address family of ${peer}`,
    evidence: 'local',
  },
  EACCES: { words: (peer) => `this machine does not permit connections to ${peer}`, evidence: 'local' },
  EPERM: { words: (peer) => `this machine does not permit connections to ${peer}`, evidence: 'local' },
}

export function describeConnectError(
  error: NodeJS.ErrnoException,
  host: string,
  address: string,
  port: number,
): ConnectError {
  const code = error.code ?? 'UNKNOWN'
  const endpoint = formatEndpoint(host, port)
  const peer = host === address ? endpoint : `${endpoint} (${address})`
  const saying = sayings[code]
  const words = saying?.words(peer) ?? `the connection to ${peer} failed (${code})`
  return new ConnectError(code, words, saying?.evidence ?? 'local', { cause: error })
}
