// api/client-error.ts: answers what never became a request: bytes that are not HTTP, headers beyond the limit, a
// client that takes too long. Written straight to the socket, which is then closed.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problemMediaType } from '@pulseward/contract'
import { ApiError, problemOf } from './problem.ts'

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // Nobody is there to read an answer.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = problemOf(refusal(error.code), randomUUID())
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${problemMediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${problem.request_id}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function refusal(code: string | undefined): ApiError {
  return code === 'HPE_HEADER_OVERFLOW'
    ? new ApiError('header_fields_too_large', 'The path and headers may have at most 16 KiB together.')
    : new ApiError('invalid_request', 'The request cannot be understood.')
}
