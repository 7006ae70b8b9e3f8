// api/client-error.ts: answers input that never became a request: bytes that are not HTTP, headers beyond the limit, a
// client that takes too long. Writes straight to the socket and closes it. A request whose body breaks off belongs to the
// route that answers it: the client would take a second answer for the answer to its next request.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problemMediaType } from '@pulseward/contract'
import { http } from '../platform/late-modules.ts'
import { ApiError } from '../requests/problem.ts'
import { isV2, readTarget } from './request-path.ts'
import { inWordsOfV2 } from './v2/words-of-v2.ts'

/** The answer to the last request of each connection. */
const lastAnswers = new WeakMap<Socket, ServerResponse>()

/** Called for each request, before it is answered. */
export function rememberAnswer(answer: ServerResponse): void {
  lastAnswers.set(answer.req.socket, answer)
}

/** The error that Node emits for bytes that it could not parse. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown
}

export function answerClientError(error: ClientError, socket: Socket, servesV2 = false): void {
  // The client is gone, or the TLS handshake failed: an answer could not be read.
  if (error.code === 'ECONNRESET' || !socket.writable || isHandshake(error)) {
    socket.destroy()
    return
  }
  const last = lastAnswers.get(socket)
  const unfinished = last === undefined || last.req.complete ? null : last
  if (unfinished?.headersSent) {
    socket.end()
    return
  }
  const refused = refusal(error.code)
  const isOfV2 = servesV2 && isV2(readTarget(unfinished?.req.url ?? targetIn(error.rawPacket)).path)
  const requestId = randomUUID()
  const problem = (isOfV2 ? inWordsOfV2(refused) : refused).documentFor(requestId)
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${http.STATUS_CODES[problem.status]}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${unfinished?.req.method === 'HEAD' ? '' : body}`)
}

/**
 * The target of a request whose headers were not read completely; empty if its first line arrived in an earlier packet.
 */
function targetIn(packet: unknown): string {
  const start = packet instanceof Buffer ? packet.toString('latin1', 0, 1_024) : ''
  return /^[A-Z]+ (\S+)/.exec(start)?.[1] ?? ''
}

function isHandshake({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')
}

function refusal(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('header_fields_too_large', 'The path and headers may have at most 16 KiB together.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive in time.')
    default:
      return new ApiError('invalid_request', 'The request cannot be understood.')
  }
}
