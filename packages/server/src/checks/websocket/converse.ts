// checks/websocket/converse.ts: the handshake and the messages of one WebSocket over a connected socket. The
// only file that loads the library. The library reports a bad handshake by destroying the socket, without a
// reason, so the answer is read here as well.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { type RawData, WebSocket } from 'ws'
import { inUtf8 } from '../../platform/network/outbound-headers.ts'
import { quote } from '../../platform/wording.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure, UnusableConfig } from '../driver.ts'
import type { WebSocketConfig } from './config.ts'

const MOST_MESSAGE_BYTES = 64 * 1024
/** RFC 6455 §1.3: proves that the server knows the protocol. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Resolves when every configured expectation was met. */
export async function converse(socket: Socket, config: WebSocketConfig, session: Session): Promise<void> {
  let key = ''
  const connection = open(socket, config, (sent) => {
    key = sent
  })
  const { expect, send, subprotocol } = config
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (words: string): void => reject(new CheckFailure(words))
      connection.on('upgrade', ({ headers }) => {
        const fault = handshakeFault(headers, key, subprotocol)
        if (fault !== null) fail(`${session.peer} ${fault}`)
      })
      connection.on('unexpected-response', (_, { statusCode }) => fail(refusal(session.peer, statusCode)))
      connection.on('error', (error) => fail(`${session.peer} ${fault(error)}`))
      connection.on('open', () => {
        if (expect !== undefined) session.awaits(`message with ${quote(expect)}`)
        const sent = expect === undefined ? resolve : () => {}
        if (send === undefined) sent()
        else connection.send(send, () => sent())
      })
      connection.on('message', (data: RawData) => {
        if (expect !== undefined && (data as Buffer).includes(expect)) resolve()
      })
    })
    connection.close(1000)
  } finally {
    // Nothing waits for later events.
    connection.removeAllListeners().on('error', () => {})
    connection.terminate()
  }
}

function open(
  socket: Socket,
  { url, headers, subprotocol }: WebSocketConfig,
  onKey: (key: string) => void,
): WebSocket {
  const { host, pathname, search } = new URL(url)
  try {
    // TLS has already been done if needed; given wss, the library would do it again.
    return new WebSocket(`ws://${host}${pathname}${search}`, subprotocol === undefined ? [] : [subprotocol], {
      createConnection: () => socket,
      headers: { ...mapped(headers), host },
      maxPayload: MOST_MESSAGE_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
      finishRequest(request) {
        onKey(String(request.getHeader('sec-websocket-key')))
        request.end()
      },
    })
  } catch {
    // Node's message may quote a secret value.
    throw new UnusableConfig('the configured headers cannot be sent')
  }
}

function mapped(headers: WebSocketConfig['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, inUtf8(value)]))
}

function refusal(peer: string, status = 0): string {
  const isLogin = status === 401 || status === 403
  return `${isLogin ? `the login was refused by ${peer}` : `${peer} takes up no WebSocket`} (status ${status})`
}

function handshakeFault(
  headers: IncomingHttpHeaders,
  key: string,
  subprotocol: string | undefined,
): string | null {
  const accept = createHash('sha1')
    .update(key + ACCEPT_SUFFIX)
    .digest('base64')
  if (headers['sec-websocket-accept'] !== accept) return 'answers the handshake wrongly'
  const isRight = headers['sec-websocket-protocol'] === subprotocol
  return isRight ? null : `does not speak the subprotocol ${quote(subprotocol ?? 'none')}`
}

function fault({ code = '' }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return 'does not speak HTTP'
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return 'sent a message of more than 64 KiB'
  return 'breaks the rules of WebSocket'
}
