// checks/http/exchange.ts: one HTTP/1 request and its response on a connected socket. The request leaves in one
// write; the bytes that come back go to the reader until it has decided. This is the hot path of most fleets.
import type { Socket } from 'node:net'
import { secureFailure } from '../../platform/tls/tls-wording.ts'
import { type Attempt, Problem, STOPPED } from './attempt.ts'
import type { ResponseReader } from './response-reader.ts'

/** Where the bytes of a plain connection go; it is named when connecting, and taken over by the exchange. */
export class ByteSink {
  take: (bytes: Buffer) => void = () => {}
}

/**
 * Tells `decided` once: null when the reader is complete, or why it cannot be any more. The socket is left to the
 * caller. Callbacks, because a promise for each step would cost more than the step.
 */
export function exchange(
  socket: Socket,
  sink: ByteSink | null,
  request: string,
  reader: ResponseReader,
  attempt: Attempt,
  decided: (problem: Problem | null) => void,
): void {
  let silent = true
  let isDecided = false
  const decide = (problem: Problem | null): void => {
    // The close of this socket comes late, when the next hop may have put its own stop in place.
    if (isDecided) return
    isDecided = true
    attempt.onStop = undefined
    decided(problem)
  }
  const judge = (): void => {
    if (reader.complete) decide(null)
    else if (reader.problem !== null) decide(new Problem(reader.problem))
  }
  const onBytes = (bytes: Buffer): void => {
    if (silent) {
      silent = false
      attempt.run.mark('first_byte')
      attempt.awaits('no complete response', 'the response has begun')
    }
    // The reader may keep what it gets; the bytes of a sink are gone after this call.
    reader.push(sink === null ? bytes : Buffer.from(bytes))
    judge()
  }
  const finish = (): void => {
    reader.end()
    judge()
  }
  if (sink === null) socket.on('data', onBytes)
  else sink.take = onBytes
  socket.on('end', finish)
  // A close without an end or an error before it is rare, but nobody may wait for what cannot come.
  socket.on('close', finish)
  socket.on('error', (error) => decide(brokenConnection(error, silent)))
  attempt.onStop = () => {
    if (reader.bodyBytes !== null) {
      attempt.awaits('no end of the body', `${reader.bodyBytes} bytes of it received`)
    }
    decide(STOPPED)
  }
  socket.write(request)
}

function brokenConnection(error: NodeJS.ErrnoException, silent: boolean): Problem {
  const { code = '' } = error
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    const when = silent ? 'before a response' : 'in the middle of the response'
    return new Problem(`the server reset the connection ${when}`)
  }
  if (code.startsWith('ERR_SSL_')) return new Problem(secureFailure(code))
  return new Problem(`the connection broke (${code === '' ? 'unknown error' : code})`, 'local')
}
