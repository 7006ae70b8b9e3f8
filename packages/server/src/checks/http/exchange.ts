// checks/http/exchange.ts: one HTTP/1 request and its response on a connected socket. The request is sent in one write;
// the bytes that come back go to the reader until it has decided. This is the hot path of most fleets.
import type { Socket } from 'node:net'
import { isReset } from '../../platform/network/connect-errors.ts'
import { ConnectError } from '../../platform/network/network.ts'
import { secureFailure } from '../../platform/tls/tls-wording.ts'
import { CheckFailure } from '../driver.ts'
import { type Attempt, STOPPED } from './attempt.ts'
import type { ResponseReader } from './response-reader.ts'

/**
 * Calls `ended` once: with null if the reader is complete, or with the reason why it cannot become so. The
 * socket is left to the caller. A callback, because a promise for each step would cost more than the step.
 */
export class Exchange {
  readonly #reader: ResponseReader
  readonly #attempt: Attempt
  readonly #ended: (error: Error | null) => void
  #silent = true
  #hasEnded = false

  constructor(reader: ResponseReader, attempt: Attempt, ended: (error: Error | null) => void) {
    this.#reader = reader
    this.#attempt = attempt
    this.#ended = ended
  }

  /** The caller must pass what the peer sends to `take`. */
  begin(socket: Socket, request: string): void {
    const finish = (): void => this.#finish()
    const stop = (): void => this.#stop()
    socket.on('end', finish)
    // A close without a preceding end or error is rare, but then nothing else would end the wait.
    socket.on('close', finish)
    socket.on('error', (error) => this.#end(brokenConnection(error, this.#silent)))
    this.#attempt.run.onStop = stop
    socket.write(request)
  }

  /** Does not keep the bytes. */
  take(bytes: Buffer): void {
    if (this.#silent) {
      this.#silent = false
      this.#attempt.run.mark('first_byte')
      this.#attempt.awaits('no complete response', 'the response has begun')
    }
    this.#reader.push(bytes)
    this.#read()
  }

  #finish(): void {
    this.#reader.end()
    this.#read()
  }

  #read(): void {
    const { complete, problem } = this.#reader
    if (complete) this.#end(null)
    else if (problem !== null) this.#end(new CheckFailure(problem))
  }

  #stop(): void {
    const { bodyBytes } = this.#reader
    if (bodyBytes !== null) this.#attempt.awaits('no end of the body', `${bodyBytes} bytes of it received`)
    this.#end(STOPPED)
  }

  #end(error: Error | null): void {
    // The close of this socket comes late, when the next step may already have set its own stop.
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#attempt.run.onStop = undefined
    this.#ended(error)
  }
}

/** The same for a socket that emits its own data events. */
export function exchange(
  socket: Socket,
  request: string,
  reader: ResponseReader,
  attempt: Attempt,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const conversation = new Exchange(reader, attempt, (error) =>
      error === null ? resolve() : reject(error),
    )
    socket.on('data', (bytes: Buffer) => conversation.take(bytes))
    conversation.begin(socket, request)
  })
}

function brokenConnection(
  error: NodeJS.ErrnoException | ConnectError,
  silent: boolean,
): CheckFailure | ConnectError {
  // Of a certificate that was shown in the middle of a connection.
  if (error instanceof ConnectError) return error
  const { code = '' } = error
  if (isReset(code)) {
    const when = silent ? 'before a response' : 'in the middle of the response'
    return new CheckFailure(`the server reset the connection ${when}`)
  }
  if (code.startsWith('ERR_SSL_')) return new CheckFailure(secureFailure(code))
  return new CheckFailure(`the connection broke (${code === '' ? 'unknown error' : code})`, 'local')
}
