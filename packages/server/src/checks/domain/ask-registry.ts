// checks/domain/ask-registry.ts: one query to an RDAP server, with the redirects that it answers with. Every connection
// goes through the network of the check; of an answer, 256 KiB are read at most.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { http } from '../../platform/late-modules.ts'
import { describeBrokenConnection, isReset, isSystemError } from '../../platform/network/connect-errors.ts'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { secureSocket } from '../../platform/tls/secure-socket.ts'
import { quote } from '../../platform/wording.ts'
import { CheckFailure, type CheckRun, deadlinePassed, fact, observeCertificate } from '../driver.ts'

const MOST_ANSWER_BYTES = 256 * 1024
const MOST_REDIRECTS = 3

export interface RegistryAnswer {
  /** The one that answered in the end, as HOST:PORT. */
  readonly peer: string
  readonly origin: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What the caller decides before each request. */
export interface Permission {
  /** Resolves when a query may go to this origin; throws if that takes too long. */
  turn(origin: string): Promise<void>
  /** The first request is about to be sent. */
  onSend(): void
}

/** Throws CheckFailure and ConnectError. */
export async function askRegistry(
  first: string,
  run: CheckRun,
  permission: Permission,
): Promise<RegistryAnswer> {
  let url = new URL(first)
  for (let followed = 0; ; followed++) {
    await permission.turn(url.origin)
    const peer = formatEndpoint(hostOf(url), portOf(url))
    using connection = await connect(url, peer, run)
    if (followed === 0) permission.onSend()
    const answer = { ...(await get(connection.socket, url, peer, run)), peer, origin: url.origin }
    const { location } = answer.headers
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer
    if (followed === MOST_REDIRECTS)
      throw new CheckFailure(`more than ${MOST_REDIRECTS} redirects in a row, the last from ${peer}`)
    url = redirected(url, location, peer)
    run.observe?.(fact('redirect', url.origin))
  }
}

/** Where a redirect leads. Throws CheckFailure if it must not be followed. */
export function redirected(from: URL, location: string, peer: string): URL {
  const url = URL.parse(location, from)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CheckFailure(`${peer} redirects to an address that cannot be used: ${quote(location)}`)
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw new CheckFailure(`${peer} redirects from https to http`)
  url.username = ''
  url.password = ''
  return url
}

interface Connection extends Disposable {
  readonly socket: Socket
}

async function connect(url: URL, peer: string, run: CheckRun): Promise<Connection> {
  const host = hostOf(url)
  const plain = await run.network.connect({ host, port: portOf(url) }, run)
  run.mark('connect')
  if (url.protocol === 'http:') return owned(plain)
  try {
    const secured = await secureSocket(
      plain,
      {
        peer,
        serverName: host,
        verify: { chain: true, name: true },
        identity: {},
        fullEveryMs: 0,
        onHandshake({ leaf }) {
          run.mark('tls')
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

function owned(socket: Socket): Connection {
  return { socket, [Symbol.dispose]: () => void socket.destroy() }
}

type Received = Pick<RegistryAnswer, 'status' | 'headers' | 'body'>

function get(socket: Socket, url: URL, peer: string, run: CheckRun): Promise<Received> {
  return new Promise((resolve, reject) => {
    const asked = http.request({
      createConnection: () => socket,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        accept: 'application/rdap+json, application/json;q=0.9',
        'user-agent': 'pulseward',
        connection: 'close',
      },
    })
    const fail = (error: Error): void => {
      run.onStop = undefined
      reject(error)
    }
    asked.on('error', (error) => fail(broken(error, peer, 'before its answer')))
    asked.on('response', (response) => {
      run.mark('first_byte')
      collect(response, peer).then((body) => {
        run.onStop = undefined
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      }, fail)
    })
    const stop = (): void => fail(deadlinePassed(`no answer from ${peer}`))
    run.onStop = stop
    asked.end()
  })
}

function collect(response: IncomingMessage, peer: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    response.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > MOST_ANSWER_BYTES) reject(new CheckFailure(`the answer of ${peer} is longer than 256 KiB`))
      else pieces.push(piece)
    })
    response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
    response.on('error', (error) => reject(broken(error, peer, 'in the middle of its answer')))
  })
}

function broken(error: NodeJS.ErrnoException, peer: string, when: string): Error {
  const { code = '' } = error
  if (code.startsWith('HPE_')) return new CheckFailure(`${peer} does not speak HTTP`)
  // Node also reports a reset when the other side just closed the connection.
  if (isSystemError(code) && !isReset(code)) return describeBrokenConnection(error, peer)
  return new CheckFailure(`${peer} closed the connection ${when}`)
}

/** URLs write an IPv6 host in brackets, connections do not. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
