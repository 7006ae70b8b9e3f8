// api/client-error.ts: answers what never became a request: bytes that are not HTTP, headers beyond the limit, a
// client that takes too long. Written straight to the socket, which is then closed. A request whose body breaks off
// belongs to the route that answers it: a second answer to it would be taken for the answer to the next.
import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problemMediaType } from '@pulseward/contract'
import { ApiError } from './problem.ts'

/** To the last request of each connection. */
const lastAnswers = new WeakMap<Socket, ServerResponse>()

/** Called for each request, before it is answered. */
export function rememberAnswer(answer: ServerResponse): void {
  lastAnswers.set(answer.req.socket, answer)
}

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // No client is there to read an answer, or none that has agreed on how to encrypt it.
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
  const problem = refusal(error.code).documentFor(randomUUID())
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${problem.request_id}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${unfinished?.req.method === 'HEAD' ? '' : body}`)
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
