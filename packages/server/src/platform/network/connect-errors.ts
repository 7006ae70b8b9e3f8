// platform/network/connect-errors.ts: describes system errors of connections, while connecting or open, in
// words for a person, and says which side they are evidence about: a refusal or a reset comes from the
// target's side, everything else can be our own fault. The only place that decides this. Errors of TLS and
// protocols have their own codes, which are not system errors.
import { formatEndpoint } from './ip-address.ts'
import { ConnectError } from './network.ts'

const sayings: Record<string, { words: (peer: string) => string; evidence: 'target' | 'local' }> = {
  ECONNREFUSED: { words: (peer) => `connection refused by ${peer}`, evidence: 'target' },
  ECONNRESET: { words: (peer) => `connection reset by ${peer}`, evidence: 'target' },
  EPIPE: { words: (peer) => `connection reset by ${peer}`, evidence: 'target' },
  ECONNABORTED: { words: (peer) => `this machine gave up the connection to ${peer}`, evidence: 'local' },
  EHOSTUNREACH: { words: (peer) => `no route to the host ${peer}`, evidence: 'local' },
  EHOSTDOWN: { words: (peer) => `the host ${peer} is down`, evidence: 'local' },
  ENETUNREACH: { words: (peer) => `no route to the network of ${peer}`, evidence: 'local' },
  ENETDOWN: { words: (peer) => `our network is down, so ${peer} cannot be reached`, evidence: 'local' },
  ETIMEDOUT: { words: (peer) => `no answer from ${peer}`, evidence: 'local' },
  EMFILE: { words: (peer) => `no file descriptor is left here to connect to ${peer}`, evidence: 'local' },
  ENFILE: { words: (peer) => `no file descriptor is left here to connect to ${peer}`, evidence: 'local' },
  ENOBUFS: { words: (peer) => `no network memory is left here to talk to ${peer}`, evidence: 'local' },
  ENOMEM: { words: (peer) => `no memory is left here to talk to ${peer}`, evidence: 'local' },
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
  const endpoint = formatEndpoint(host, port)
  return describeBrokenConnection(error, host === address ? endpoint : `${endpoint} (${address})`)
}

/** The same for a connection that was open; `peer` is its name in the sentence. */
export function describeBrokenConnection(error: NodeJS.ErrnoException, peer: string): ConnectError {
  const code = error.code ?? 'UNKNOWN'
  const saying = sayings[code]
  const words = saying?.words(peer) ?? `the connection to ${peer} failed (${code})`
  return new ConnectError(code, words, saying?.evidence ?? 'local', { cause: error })
}

/** Whether a code is a system error; those of TLS, HTTP and libraries are about what the peer sent. */
export function isSystemError(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code)
}

/** Whether the other side reset an open connection, which shows when reading or writing. */
export function isReset(code: string): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}
