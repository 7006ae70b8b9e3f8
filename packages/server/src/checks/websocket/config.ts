// checks/websocket/config.ts: what a fleet file may say about a websocket check. Mistakes that can be seen without the
// network are refused at load.
import { HEADER_NAME, headersWith } from '../../platform/network/outbound-headers.ts'
import { closed, type Infer, OpenOrSecret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { tlsOptions } from '../../platform/tls/tls-options.ts'
import { IpFamily, MaxLatency } from '../driver/server-config.ts'

export const USUAL_PORTS: Readonly<Record<string, number>> = { 'ws:': 80, 'wss:': 443 }
/** The library writes these itself; a second one would contradict it. */
const OWN_HEADERS = /^(connection|upgrade|host|sec-websocket-.*|content-length|transfer-encoding)$/i

const Url = Type.Refine(
  Type.String({ maxLength: 8_192, description: 'A ws or wss URL.' }),
  (text) => urlMistake(text) === null,
  (text) => urlMistake(text) ?? '',
)

function urlMistake(text: string): string | null {
  const url = URL.parse(text)
  if (url === null || !(url.protocol in USUAL_PORTS))
    return 'must be a ws or wss URL with a valid host and port'
  if (url.username !== '' || url.password !== '') return 'must not hold a login: use headers'
  return url.hash === '' ? null : 'must not have a fragment'
}

const Headers = headersWith({
  description: 'Headers of the handshake, each an open string or { credential: NAME }.',
  own: OWN_HEADERS,
  refusal: 'must not set host, connection, upgrade or sec-websocket-…: the check sets them itself',
})

export const webSocketConfig = closed({
  url: Url,
  headers: Type.Optional(Headers),
  subprotocol: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: HEADER_NAME,
      description: 'The subprotocol to ask for; a server that does not choose it fails.',
    }),
  ),
  send: Type.Optional(
    Type.Unsafe<string>({ ...OpenOrSecret, description: 'A text message to send once connected.' }),
  ),
  expect: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'Text that must occur in a message; by default the handshake is enough.',
    }),
  ),
  tls: Type.Optional(tlsOptions),
  family: Type.Optional(IpFamily),
  max_latency: Type.Optional(MaxLatency),
})

export type WebSocketConfig = Infer<typeof webSocketConfig>
