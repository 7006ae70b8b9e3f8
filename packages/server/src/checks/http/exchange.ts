// checks/http/exchange.ts: one HTTP/1 request and its response on a connected socket. The request leaves in one
// write; the bytes that come back go to the reader until it has decided. This is the hot path of most fleets.
import type { Socket } from 'node:net'
import { isReset } from '../../platform/network/connect-errors.ts'
import { secureFailure } from '../../platform/tls/tls-wording.ts'
import { type Attempt, Problem, STOPPED } from './attempt.ts'
import type { ResponseReader } from './response-reader.ts'

/**
 * Tells `decided` once: null when the reader is complete, or why it cannot be any more. The socket is left to the
 * caller. A callback, because a promise for each step would cost more than the step.
 */
export class Exchange {
  readonly #reader: ResponseReader
  readonly #attempt: Attempt
  readonly #decided: (problem: Problem | null) => void
  #silent = true
  #isDecided = false

  constructor(reader: ResponseReader, attempt: Attempt, decided: (problem: Problem | null) => void) {
    this.#reader = reader
    this.#attempt = attempt
    this.#decided = decided
  }

  /** What the peer says has to be brought to `take`. */
  begin(socket: Socket, request: string): void {
    const finish = (): void => this.#finish()
    socket.on('end', finish)
    // A close without an end or an error before it is rare, but nobody may wait for what cannot come.
    socket.on('close', finish)
    socket.on('error', (error) => this.#decide(brokenConnection(error, this.#silent)))
    this.#attempt.onStop = () => this.#stop()
    socket.write(request)
  }

  /** The bytes are not kept. */
  take(bytes: Buffer): void {
    if (this.#silent) {
      this.#silent = false
      this.#attempt.run.mark('first_byte')
      this.#attempt.awaits('no complete response', 'the response has begun')
    }
    this.#reader.push(bytes)
    this.#judge()
  }

  #finish(): void {
    this.#reader.end()
    this.#judge()
  }

  #judge(): void {
    const { complete, problem } = this.#reader
    if (complete) this.#decide(null)
    else if (problem !== null) this.#decide(new Problem(problem))
  }

  #stop(): void {
    const { bodyBytes } = this.#reader
    if (bodyBytes !== null) this.#attempt.awaits('no end of the body', `${bodyBytes} bytes of it received`)
    this.#decide(STOPPED)
  }

  #decide(problem: Problem | null): void {
    // The close of this socket comes late, when the next hop may have put its own stop in place.
    if (this.#isDecided) return
    this.#isDecided = true
    this.#attempt.onStop = undefined
    this.#decided(problem)
  }
}

/** The same on a socket that reads by itself. */
export function exchange(
  socket: Socket,
  request: string,
  reader: ResponseReader,
  attempt: Attempt,
): Promise<Problem | null> {
  return new Promise((resolve) => {
    const conversation = new Exchange(reader, attempt, resolve)
    socket.on('data', (bytes: Buffer) => conversation.take(bytes))
    conversation.begin(socket, request)
  })
}

function brokenConnection(error: NodeJS.ErrnoException, silent: boolean): Problem {
  const { code = '' } = error
  if (isReset(code)) {
    const when = silent ? 'before a response' : 'in the middle of the response'
    return new Problem(`the server reset the connection ${when}`)
  }
  if (code.startsWith('ERR_SSL_')) return new Problem(secureFailure(code))
  return new Problem(`the connection broke (${code === '' ? 'unknown error' : code})`, 'local')
}
