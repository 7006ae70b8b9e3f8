// platform/network/outbound-http.ts: one outbound HTTP request. The result says exactly how far it got, because that
// decides whether it may be retried: not sent, sent without an answer, or answered. Redirects are not followed, so the
// policy's decision about the resolved address holds for everything that is sent. At most 64 KiB of an answer are read.
// No reason contains a path, a query, a header or anything from the answer.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { http } from '../late-modules.ts'
import { isOneLine } from '../schema.ts'
import { formatEndpoint } from './ip-address.ts'
import type { ConnectTarget, Network } from './network.ts'
import {
  connectOutbound,
  type Deadline,
  late,
  NotSent,
  secureOutbound,
  type TlsMaterial,
} from './outbound-connect.ts'
import { HEADER_NAME, inUtf8 } from './outbound-headers.ts'
import { OutboundSession } from './outbound-sessions.ts'

const MAX_BODY_BYTES = 64 * 1024
const MAX_HEAD_BYTES = 16 * 1024

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly tls?: TlsMaterial
}

export interface OutboundAnswer {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Its first 64 KiB. */
  readonly body: string
  /** False if there was more, or if the connection or the time ended first. */
  readonly isWhole: boolean
}

/** The request may or may not have had its effect. */
export interface NoAnswer {
  readonly kind: 'no-answer'
  readonly reason: string
}

export type OutboundResult = OutboundAnswer | NoAnswer | NotSent

export async function sendOutbound(
  network: Network,
  request: OutboundRequest,
  deadline: Deadline,
): Promise<OutboundResult> {
  const url = sendableUrl(request)
  if (url instanceof NotSent) return url
  const target = targetOf(url)
  if (url.protocol === 'https:') return await sendSecurely(network, target, request, deadline)
  const socket = await connectOutbound(network, target, deadline)
  if (socket instanceof NotSent) return socket
  return await sendOver(socket, formatEndpoint(target.host, target.port), request, deadline)
}

async function sendSecurely(
  network: Network,
  target: ConnectTarget,
  request: OutboundRequest,
  deadline: Deadline,
): Promise<OutboundResult> {
  const peer = formatEndpoint(target.host, target.port)
  const { tls = {} } = request
  const material = [tls.ca, tls.certificate, tls.key]
  const session = new OutboundSession(`${peer} ${tls.serverName ?? target.host}`, material)
  const open = async () => {
    const plain = await connectOutbound(network, target, deadline)
    return plain instanceof NotSent ? plain : await secureOutbound(plain, target, deadline, tls, session)
  }
  let socket = await open()
  if (socket instanceof NotSent && session.isOffered) {
    session.forget()
    // It may have broken because of the session.
    if (socket.isRetryable && !deadline.signal.aborted) socket = await open()
  }
  const result = socket instanceof NotSent ? socket : await sendOver(socket, peer, request, deadline)
  if (result.kind !== 'answered') session.forget()
  return result
}

/** The same over an open connection, which is closed at the end; `peer` is its name in reasons. */
export async function sendOver(
  socket: Socket,
  peer: string,
  request: OutboundRequest,
  deadline: Deadline,
): Promise<OutboundResult> {
  const url = sendableUrl(request)
  if (url instanceof NotSent || deadline.signal.aborted || socket.destroyed) {
    socket.destroy()
    return url instanceof NotSent ? url : new NotSent('the connection ended before anything was sent', true)
  }
  return await exchange(socket, peer, url, request, deadline)
}

function sendableUrl(request: OutboundRequest): URL | NotSent {
  const url = URL.parse(request.url)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return new NotSent('the URL is not an http or https URL', false)
  }
  const refused = unsendableHeader(request.headers)
  return refused === null ? url : new NotSent(`the header ${refused} cannot be sent`, false)
}

/** How a URL is shown: only its origin, since paths and queries of webhooks are often secrets. */
export function shownOrigin(url: string): string {
  return URL.parse(url)?.origin ?? 'an invalid URL'
}

function targetOf(url: URL): ConnectTarget {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return { host, port }
}

const headerName = new RegExp(HEADER_NAME)

function unsendableHeader(headers: Readonly<Record<string, string>>): string | null {
  const wrong = Object.entries(headers).find(([name, value]) => !headerName.test(name) || !isOneLine(value))
  return wrong === undefined ? null : JSON.stringify(wrong[0])
}

function exchange(
  socket: Socket,
  peer: string,
  url: URL,
  request: OutboundRequest,
  deadline: Deadline,
): Promise<OutboundResult> {
  return new Promise((resolve) => {
    let answer: AnswerReader | null = null
    const settle = (result: OutboundResult): void => {
      deadline.signal.removeEventListener('abort', expire)
      socket.destroy()
      resolve(result)
    }
    const noAnswer = (reason: string): void => settle({ kind: 'no-answer', reason })
    const expire = (): void => {
      if (answer !== null) settle(answer.soFar(false))
      else noAnswer(late(`sent, but no answer from ${peer}`, deadline))
    }
    const outgoing = http.request({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: wireHeaders(url, request),
      maxHeaderSize: MAX_HEAD_BYTES,
    })
    // The connection may also break after the head of an answer; by then the answer is known.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (answer !== null) return
      if (isRefusedClient(error)) settle(new NotSent(`${peer} refuses our client certificate`, false))
      else noAnswer(`sent, but ${brokenOff(error, peer)}`)
    })
    outgoing.on('response', (incoming) => {
      answer = new AnswerReader(incoming)
      answer.read(settle)
    })
    deadline.signal.addEventListener('abort', expire)
    // As bytes: for a text body, Node would write the head in the encoding of the body.
    outgoing.end(request.body === null ? undefined : Buffer.from(request.body))
  })
}

class AnswerReader {
  readonly #incoming: IncomingMessage
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
  }

  read(ended: (answer: OutboundAnswer) => void): void {
    this.#incoming.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk.subarray(0, MAX_BODY_BYTES - this.#bytes))
      this.#bytes += chunk.length
      if (this.#bytes > MAX_BODY_BYTES) ended(this.soFar(false))
    })
    this.#incoming.on('error', () => {})
    this.#incoming.on('close', () => ended(this.soFar(this.#incoming.complete)))
  }

  soFar(isWhole: boolean): OutboundAnswer {
    const { statusCode, headers } = this.#incoming
    const body = Buffer.concat(this.#chunks).toString('utf8')
    return { kind: 'answered', status: statusCode!, headers, body, isWhole }
  }
}

function wireHeaders(url: URL, { headers, body, method }: OutboundRequest): Record<string, string> {
  const wire: Record<string, string> = { host: url.host, 'user-agent': 'pulseward' }
  const authorization = basicAuthorization(url)
  if (authorization !== null) wire['authorization'] = authorization
  for (const [name, value] of Object.entries(headers)) wire[name.toLowerCase()] = inUtf8(value)
  wire['connection'] = 'close'
  if (body !== null || method !== 'GET') wire['content-length'] = String(Buffer.byteLength(body ?? ''))
  return wire
}

function basicAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray percent sign is kept literally.
    return part
  }
}

/**
 * In TLS 1.3 a server refuses a client certificate after our side of the handshake has ended; it then reads no request.
 */
function isRefusedClient({ code }: NodeJS.ErrnoException): boolean {
  return /^ERR_SSL_.*ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(
    code ?? '',
  )
}

function brokenOff({ code }: NodeJS.ErrnoException, peer: string): string {
  if (code?.startsWith('HPE_')) return `${peer} did not answer in HTTP`
  return `${peer} broke off before it answered`
}
