// checks/grpc/ask-health.ts: one call of Health/Check over a connected socket, with Node's HTTP/2. Anything
// but a service that is serving is a CheckFailure.
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { http2 } from '../../platform/late-modules.ts'
import { quote } from '../../platform/wording.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'
import { healthRequest, readHealthResponse } from './health-messages.ts'

const MOST_HEADER_BYTES = 16 * 1024
const MOST_BODY_BYTES = 4 * 1024

const OK = 0
const NOT_FOUND = 5
/** Other statuses of a call that get a specific sentence. */
const CALL_STATUSES: Readonly<Record<number, string>> = {
  4: 'took too long itself (DEADLINE_EXCEEDED)',
  7: 'does not permit the health check (PERMISSION_DENIED)',
  8: 'is overloaded (RESOURCE_EXHAUSTED)',
  12: 'does not offer the health protocol (UNIMPLEMENTED)',
  13: 'reports an internal error (INTERNAL)',
  14: 'is unavailable (UNAVAILABLE)',
  16: 'wants a login (UNAUTHENTICATED)',
}

interface Question {
  readonly scheme: 'http' | 'https'
  readonly service: string
  onResponse(): void
}

interface Call {
  readonly headers: IncomingHttpHeaders
  /** The status of a call is here, or in the headers of a response without a body. */
  readonly trailers: IncomingHttpHeaders
  readonly body: Buffer
}

export async function askHealth(socket: Socket, question: Question, { peer }: Session): Promise<void> {
  const client = http2().connect(`${question.scheme}://${peer}`, {
    createConnection: () => socket,
    settings: { enablePush: false, maxHeaderListSize: MOST_HEADER_BYTES },
  })
  try {
    const fault = faultOf(await call(client, question, peer), question.service, peer)
    if (fault !== null) throw new CheckFailure(fault)
  } finally {
    client.on('error', () => {})
    client.destroy()
  }
}

function call(client: ClientHttp2Session, question: Question, peer: string): Promise<Call> {
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {}
    let trailers: IncomingHttpHeaders = {}
    const pieces: Buffer[] = []
    let bytes = 0
    const fail = (words: string): void => reject(new CheckFailure(`${peer} ${words}`))
    const onError = ({ code }: NodeJS.ErrnoException): void => {
      // Node's code for bytes that are not frames; everything that the protocol permits has another code.
      const isOther = code === 'ERR_HTTP2_ERROR'
      fail(isOther ? 'does not speak HTTP/2, which gRPC needs' : 'broke off the call')
    }
    client.on('error', onError)
    const stream = client.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      ':scheme': question.scheme,
      ':authority': peer,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    stream.on('error', onError)
    stream.on('response', (received) => {
      headers = received
      question.onResponse()
    })
    stream.on('trailers', (received) => {
      trailers = received
    })
    stream.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > MOST_BODY_BYTES) fail('sent far more than an answer')
      else pieces.push(piece)
    })
    stream.on('close', () => resolve({ headers, trailers, body: Buffer.concat(pieces) }))
    stream.end(healthRequest(question.service))
  })
}

/** What is wrong; null if the service is serving. */
function faultOf({ headers, trailers, body }: Call, service: string, peer: string): string | null {
  const httpStatus = headers[':status']
  const isGrpc = String(headers['content-type'] ?? '').startsWith('application/grpc')
  if (httpStatus === undefined) return `${peer} broke off the call`
  if (!isGrpc) return `${peer} speaks HTTP/2, but not gRPC (status ${httpStatus})`
  const ended = trailers['grpc-status'] ?? headers['grpc-status']
  if (ended === undefined) return `${peer} ended the call without a status`
  const callStatus = Number(ended)
  if (callStatus === NOT_FOUND) return `${peer} does not know the service ${quote(service)}`
  if (callStatus !== OK)
    return `${peer} ${CALL_STATUSES[callStatus] ?? `ended the call with status ${callStatus}`}`
  const subject = service === '' ? peer : `${quote(service)} at ${peer}`
  switch (readHealthResponse(body)) {
    case 'SERVING':
      return null
    case 'NOT_SERVING':
      return `${subject} is not serving (NOT_SERVING)`
    case 'UNKNOWN':
      return `${subject} does not know whether it is serving (UNKNOWN)`
    case 'SERVICE_UNKNOWN':
      return `${peer} does not know the service ${quote(service)}`
    case null:
      return `the answer of ${peer} is not of the health protocol`
  }
}
