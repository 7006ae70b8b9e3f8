// targets/smtp-target.ts: a mail server on loopback that does what a test tells it, well or badly, at every step of a
// session. It keeps the mail that it accepted. Owned: `await using server = await SmtpTarget.start()`.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { certificates, type Identity } from './certificates.ts'

export type SmtpStep = 'greeting' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'message'

/** A reply such as "550 no", or none: `hang` sends nothing more, `cut` ends the connection. */
export type SmtpReply = string | 'hang' | 'cut'

/** The reply at a step instead of a success; a function gets the line of the client. */
export type SmtpScript = Partial<Record<SmtpStep, SmtpReply | ((line: string) => SmtpReply)>>

export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** The data as sent, after undoing dot-stuffing. */
  readonly data: string
  readonly wasEncrypted: boolean
  readonly login: string | null
}

export interface SmtpTargetOptions {
  readonly security?: 'starttls' | 'tls' | 'none'
  readonly identity?: Identity
  /** Lines of the EHLO reply besides STARTTLS, such as PIPELINING or AUTH PLAIN. */
  readonly extensions?: readonly string[]
  readonly script?: SmtpScript
}

export class SmtpTarget implements AsyncDisposable {
  readonly mails: TakenMail[] = []
  /** Every line of a client outside of message data. */
  readonly lines: string[] = []
  script: SmtpScript
  readonly options: Required<Omit<SmtpTargetOptions, 'script'>>
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port = 0
  #sessions = 0

  private constructor(options: SmtpTargetOptions) {
    this.script = options.script ?? {}
    this.options = {
      security: options.security ?? 'starttls',
      identity: options.identity ?? certificates.good,
      extensions: options.extensions ?? [],
    }
    this.#server = createServer((socket) => {
      this.#sessions++
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('error', () => socket.destroy())
      new Session(this, socket).begin()
    })
  }

  static async start(options: SmtpTargetOptions = {}): Promise<SmtpTarget> {
    const target = new SmtpTarget(options)
    target.#server.listen(0, '127.0.0.1')
    await once(target.#server, 'listening')
    target.#port = (target.#server.address() as AddressInfo).port
    return target
  }

  get port(): number {
    return this.#port
  }

  /** Number of sessions so far. */
  get sessions(): number {
    return this.#sessions
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

class Session {
  readonly #target: SmtpTarget
  #socket: Socket
  #isEncrypted = false
  #login: string | null = null
  #from = ''
  #to: string[] = []
  #received = ''
  #inMessage = false

  constructor(target: SmtpTarget, socket: Socket) {
    this.#target = target
    this.#socket = socket
  }

  begin(): void {
    if (this.#target.options.security === 'tls') this.#encrypt()
    this.#listen()
    this.#say('greeting', '', '220 mail.test ready')
  }

  #listen(): void {
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1')
      this.#read()
    })
  }

  #read(): void {
    for (;;) {
      const end = this.#received.indexOf(this.#inMessage ? '\r\n.\r\n' : '\r\n')
      if (end === -1) return
      const text = this.#received.slice(0, end)
      this.#received = this.#received.slice(end + (this.#inMessage ? 5 : 2))
      if (this.#inMessage) this.#takeMessage(text)
      else this.#takeLine(text)
    }
  }

  #takeLine(line: string): void {
    this.#target.lines.push(line)
    const verb = line.split(/[ :]/, 1)[0]!.toUpperCase()
    switch (verb) {
      case 'EHLO':
        return void this.#say('ehlo', line, this.#extensions())
      case 'STARTTLS': {
        const { security } = this.#target.options
        if (security !== 'starttls') return void this.#write('502 not here')
        if (this.#say('starttls', line, '220 go on')) this.#upgrade()
        return
      }
      case 'AUTH':
        if (this.#say('auth', line, '235 welcome')) this.#login = line
        return
      case 'MAIL':
        if (this.#say('mail', line, '250 yes')) this.#from = addressIn(line)
        return
      case 'RCPT':
        if (this.#say('rcpt', line, '250 yes')) this.#to.push(addressIn(line))
        return
      case 'DATA':
        this.#inMessage = this.#say('data', line, '354 go on')
        return
      default:
        this.#write(verb === 'QUIT' ? '221 bye' : '500 what?')
    }
  }

  #takeMessage(text: string): void {
    this.#inMessage = false
    if (!this.#say('message', '', '250 taken')) return
    this.#target.mails.push({
      from: this.#from,
      to: this.#to,
      data: text.replaceAll('\r\n..', '\r\n.'),
      wasEncrypted: this.#isEncrypted,
      login: this.#login,
    })
    this.#to = []
  }

  #extensions(): string {
    const { security, extensions } = this.#target.options
    const offered = security === 'starttls' && !this.#isEncrypted ? ['STARTTLS', ...extensions] : extensions
    const lines = ['mail.test', ...offered]
    return lines.map((line, index) => `250${index === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n')
  }

  /** Replies, and returns whether the step succeeded. */
  #say(step: SmtpStep, line: string, yes: string): boolean {
    const scripted = this.#target.script[step]
    const reply = (typeof scripted === 'function' ? scripted(line) : scripted) ?? yes
    if (reply === 'cut') this.#socket.destroy()
    else if (reply !== 'hang') this.#write(reply)
    return /^[23]/.test(reply)
  }

  #write(reply: string): void {
    if (this.#socket.writable) this.#socket.write(`${reply}\r\n`)
  }

  #upgrade(): void {
    this.#socket.removeAllListeners('data')
    this.#encrypt()
    this.#received = ''
    this.#listen()
  }

  #encrypt(): void {
    const { certificate, key } = this.#target.options.identity
    const secureContext = createSecureContext({ cert: certificate, key })
    const plain = this.#socket
    this.#socket = new TLSSocket(plain, { isServer: true, secureContext })
    // A client that rejects our certificate ends the handshake with its own error.
    this.#socket.on('error', () => plain.destroy())
    this.#isEncrypted = true
  }
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
