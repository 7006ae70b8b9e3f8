// checks/driver/session.ts: one connection to one server, from connecting to closing, for drivers that speak a protocol
// of questions and answers. Reads only what is asked for, so that a peer which never stops sending fills no memory;
// ends at the deadline wherever it stands; always closes what it opened.
import type { Socket } from 'node:net'
import { describeBrokenConnection } from '../../platform/network/connect-errors.ts'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { ConnectError, type ConnectTarget } from '../../platform/network/network.ts'
import { type SecureRequest, type SeenCertificate, secureSocket } from '../../platform/tls/secure-socket.ts'
import { fullHandshakeEveryMs } from '../../platform/tls/tls-options.ts'
import { secureFailure } from '../../platform/tls/tls-wording.ts'
import {
  CheckFailure,
  type CheckRun,
  deadlinePassed,
  type Observe,
  type Outcome,
  observeCertificate,
  outcomeOfError,
  successWithin,
} from '../driver.ts'
import type { TlsConfig } from './server-config.ts'

/** The largest answer that is read; what checks ask for is far smaller. */
export const MAX_ANSWER_BYTES = 1024 * 1024

const MAX_LINE_BYTES = 64 * 1024

/** Connects, talks, closes. The talk throws CheckFailure or ConnectError; when it ends, the check is a success. */
export async function inSession(
  run: CheckRun,
  target: ConnectTarget,
  maxLatency: string | undefined,
  talk: (session: Session) => Promise<void>,
): Promise<Outcome> {
  const session = new Session(run, target)
  const seen = (outcome: Outcome): Outcome => ({
    ...outcome,
    certificateExpiresAt: session.certificateExpiresAt,
  })
  try {
    await session.open()
    await talk(session)
    return seen(successWithin(run.elapsedMs(), maxLatency))
  } catch (error) {
    return seen(outcomeOfError(error, run))
  } finally {
    session.close()
  }
}

export class Session {
  /** How sentences name the server. */
  readonly peer: string
  /** Null too where a session was resumed, whose certificate has been reported before. */
  certificateExpiresAt: number | null = null
  readonly #run: CheckRun
  readonly #target: ConnectTarget
  #plain: Socket | null = null
  /** The plain socket or the one that secures it. */
  #socket: Socket | null = null
  /** What has arrived and was not asked for yet; joined only where one piece is needed. */
  #held: Buffer[] = []
  #heldBytes = 0
  #awaited = 'answer'
  #wake: (() => void) | null = null
  #end: ConnectError | CheckFailure | null = null
  #isLent = false
  #lentBytes = 0
  #refuse: (firstBytes: Buffer) => CheckFailure | null = () => null

  constructor(run: CheckRun, target: ConnectTarget) {
    this.#run = run
    this.#target = target
    this.peer = formatEndpoint(target.host, target.port)
  }

  async open(): Promise<void> {
    this.#plain = await this.#run.network.connect(this.#target, this.#run)
    this.#run.mark('connect')
    // A small question that Nagle's algorithm holds back would wait for the delayed acknowledgement of the peer.
    this.#plain.setNoDelay(true)
    this.#listen(this.#plain)
  }

  /** Goes on with TLS. What the server said before in the clear must have been read. */
  async secure(
    tls: TlsConfig,
    options: Partial<Pick<SecureRequest, 'verify' | 'protocols' | 'fullEveryMs'>> = {},
  ): Promise<Socket> {
    const plain = this.#connected
    this.#ignore(plain)
    // A man in the middle could have put it there, to be taken for an answer under TLS.
    if (this.#heldBytes > 0 || plain.readableLength > 0)
      throw new CheckFailure(`${this.peer} went on talking in the clear before TLS began`)
    const verify = tls.verify !== false
    const request = {
      peer: this.peer,
      serverName: tls.server_name ?? this.#target.host,
      verify: { chain: verify, name: verify },
      identity: tls,
      fullEveryMs: fullHandshakeEveryMs(tls.full_handshake_every),
      ...options,
      onHandshake: ({ expiresAt, isShown, leaf }: SeenCertificate) => {
        this.#run.mark('tls')
        observeCertificate(this.#run, leaf)
        this.certificateExpiresAt = isShown ? expiresAt : null
      },
    }
    return this.#listen(await secureSocket(plain, request, this.#run))
  }

  /** Notes what was seen; undefined where no reader asked. */
  get observe(): Observe {
    return this.#run.observe
  }

  /** Names what is waited for from now on, as in "no … from db:5432 within 5 s". */
  awaits(awaited: string): void {
    this.#awaited = awaited
  }

  write(bytes: Buffer | string): void {
    this.#connected.write(bytes)
  }

  /** Exactly this many bytes. */
  async read(count: number): Promise<Buffer> {
    await this.peek(count)
    return this.#take(count)
  }

  /** The same, but the bytes stay unread. */
  async peek(count: number): Promise<Buffer> {
    if (count > MAX_ANSWER_BYTES) throw this.#tooLong()
    while (this.#heldBytes < count) await this.#more()
    return this.#inOnePiece().subarray(0, count)
  }

  /** Up to the next line end (CR LF), which is left out. */
  async readLine(): Promise<string> {
    for (;;) {
      const end = this.#inOnePiece().indexOf('\r\n')
      if (end >= 0) return this.#take(end + 2).toString('utf8', 0, end)
      if (this.#heldBytes > MAX_LINE_BYTES)
        throw new CheckFailure(`${this.peer} sent a line longer than 64 KiB`)
      await this.#more()
    }
  }

  /**
   * Lets a library talk over the connection, bounded in time and in what it is sent. It gets the socket as long as
   * the work lasts; when the connection ends before, so does the wait for it. `refuse` sees the first bytes and can end
   * what the library would take for the beginning of something long.
   */
  lend<Value>(
    work: (socket: Socket) => Promise<Value>,
    refuse: (firstBytes: Buffer) => CheckFailure | null = () => null,
  ): Promise<Value> {
    const socket = this.#connected
    this.#ignore(socket)
    this.#isLent = true
    this.#refuse = refuse
    if (this.#heldBytes > 0) socket.unshift(this.#take(this.#heldBytes))
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end)
      this.#wake = () => {
        reject(this.#end)
        this.close()
      }
      work(socket).then(resolve, reject)
      this.#listen(socket)
      // The library listens for data, and a socket that was read by hand does not flow by itself.
      socket.resume()
    })
  }

  /** Why a lent connection ended, as the connection itself says it; it comes before the words of a library. */
  get end(): Error | null {
    return this.#end
  }

  /** What is said when the server answers, but not in this protocol. */
  speaksOtherThan(protocol: string): CheckFailure {
    return new CheckFailure(`${this.peer} does not speak ${protocol}`)
  }

  loginRefused(): CheckFailure {
    return new CheckFailure(`the login was refused by ${this.peer}`)
  }

  close(): void {
    this.#run.onStop = undefined
    // The peer is not to blame for this end, and an error for it would cost a stack trace.
    this.#socket?.off('end', this.#onEnd).off('close', this.#onEnd)
    this.#socket?.destroy()
    this.#plain?.destroy()
  }

  readonly #onReadable = (): void => this.#wake?.()
  readonly #onData = (chunk: Buffer): void => {
    if (this.#lentBytes === 0) this.#run.mark('first_byte')
    const refusal = this.#lentBytes === 0 ? this.#refuse(chunk) : null
    this.#lentBytes += chunk.length
    if (refusal !== null) this.#endWith(refusal)
    else if (this.#lentBytes > MAX_ANSWER_BYTES) this.#endWith(this.#tooLong())
  }
  readonly #onEnd = (): void =>
    this.#endWith(new CheckFailure(`${this.peer} closed the connection before its ${this.#awaited}`))
  readonly #onStop = (): void => this.#endWith(deadlinePassed(`no ${this.#awaited} from ${this.peer}`))
  readonly #onError = (error: NodeJS.ErrnoException | ConnectError): void => {
    // Of a certificate that was shown in the middle of the connection.
    if (error instanceof ConnectError) return this.#endWith(error)
    const { code = '', syscall } = error
    // In TLS 1.3 a client learns only after its handshake that the server refused it.
    if (code.startsWith('ERR_SSL_')) return this.#endWith(new CheckFailure(secureFailure(code)))
    // A library destroys what it was lent with an error of its own, and then reports what was wrong itself.
    if (this.#isLent && syscall === undefined) return this.#ignore(this.#connected)
    this.#endWith(describeBrokenConnection(error, this.peer))
  }

  get #connected(): Socket {
    if (this.#socket === null) throw new Error('The session is used before it is open.')
    return this.#socket
  }

  #listen(socket: Socket): Socket {
    this.#socket = socket
    if (this.#isLent) {
      this.#guard(socket)
      socket.on('data', this.#onData)
    } else {
      socket.on('readable', this.#onReadable)
    }
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onEnd)
    // Before the listener of a library that has the socket on loan: we decide whose side broke the connection.
    socket.prependListener('error', this.#onError)
    this.#run.onStop = this.#onStop
    return socket
  }

  /** A library that is sent nonsense may throw in its listener, where only this catches it. */
  #guard(socket: Socket): void {
    const emit = socket.emit.bind(socket) as (...event: unknown[]) => boolean
    socket.emit = (...event: unknown[]) => {
      try {
        return emit(...event)
      } catch {
        this.#endWith(new CheckFailure(`the ${this.#awaited} of ${this.peer} makes no sense`))
        return true
      }
    }
  }

  #ignore(socket: Socket): void {
    socket.off('data', this.#onData)
    socket.off('readable', this.#onReadable)
    socket.off('end', this.#onEnd)
    socket.off('close', this.#onEnd)
    socket.off('error', this.#onError)
  }

  /** The first end counts: later ones are its consequences. */
  #endWith(end: ConnectError | CheckFailure): void {
    this.#end ??= end
    this.#wake?.()
  }

  async #more(): Promise<void> {
    for (;;) {
      const isStopped = this.#end instanceof ConnectError && this.#end.code === 'ABORTED'
      const chunk: Buffer | null = isStopped ? null : this.#connected.read()
      if (chunk !== null) {
        if (this.#heldBytes === 0) this.#run.mark('first_byte')
        this.#held.push(chunk)
        this.#heldBytes += chunk.length
        return
      }
      if (this.#end !== null) throw this.#end
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #take(count: number): Buffer {
    const held = this.#inOnePiece()
    this.#held = count === held.length ? [] : [held.subarray(count)]
    this.#heldBytes -= count
    return held.subarray(0, count)
  }

  #inOnePiece(): Buffer {
    const [first] = this.#held
    if (first !== undefined && this.#held.length === 1) return first
    const joined = Buffer.concat(this.#held)
    this.#held = [joined]
    return joined
  }

  #tooLong(): CheckFailure {
    return new CheckFailure(`the ${this.#awaited} of ${this.peer} is longer than 1 MiB`)
  }
}
