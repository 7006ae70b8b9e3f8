// notify/email/session.ts: one SMTP session over a connected socket: greeting, TLS, login, envelope, message. Reports
// how it ended and whether the message had started to leave by then: from that point on, a lost answer makes the
// outcome unknown. The socket is always closed at the end.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import SmtpConnection from 'nodemailer/lib/smtp-connection'

export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: 'starttls' | 'tls' | 'none'
  readonly login: { readonly username: string; readonly password: string } | null
}

export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly message: Buffer
}

/** What nodemailer reports about a failure, without any text of the server. */
export interface SmtpFailure {
  /** The code of nodemailer, such as EAUTH. */
  readonly code: string
  /** The code of the system or of TLS beneath it. */
  readonly systemCode: string
  /** The reply of the server; null when there was none. */
  readonly reply: number | null
}

export type SessionEnd =
  | { readonly kind: 'sent'; readonly refused: number; readonly recipients: number }
  | { readonly kind: 'stopped'; readonly messageLeft: boolean }
  | { readonly kind: 'failed'; readonly failure: SmtpFailure; readonly messageLeft: boolean }

/** A reply is one or two lines. */
const MAX_REPLY_BYTES = 64 * 1024

export function sendMail(
  socket: Socket,
  server: MailServer,
  mail: Mail,
  signal: AbortSignal,
): Promise<SessionEnd> {
  return new Promise((resolve) => {
    const message = new DepartingMessage(mail.message)
    const connection = new SmtpConnection({
      connection: socket,
      host: server.host,
      port: server.port,
      secure: server.security === 'tls',
      requireTLS: server.security === 'starttls',
      ignoreTLS: server.security === 'none',
      maxResponseSize: MAX_REPLY_BYTES,
    })
    const end = (result: SessionEnd): void => {
      // Before closing, so that the events of closing come too late to change the result.
      resolve(result)
      signal.removeEventListener('abort', stop)
      connection.close()
      // close() waits for the server to close its side, which it may never do.
      socket.destroy()
    }
    const fail = (error: SmtpError): void =>
      end({ kind: 'failed', failure: failureOf(error), messageLeft: message.hasLeft })
    const stop = (): void => end({ kind: 'stopped', messageLeft: message.hasLeft })
    const send = (): void =>
      connection.send({ from: mail.from, to: [...mail.to] }, message, (error, info) => {
        if (error) fail(error)
        else end({ kind: 'sent', refused: info.rejected.length, recipients: mail.to.length })
      })
    connection.on('error', fail)
    // If a server says 421, this event comes before the callback that knows the reply.
    connection.on('end', () => setImmediate(() => fail({ code: 'ECONNECTION' })))
    signal.addEventListener('abort', stop)
    if (signal.aborted) return stop()
    connection.connect((error) => {
      if (error) return fail(error)
      if (server.login === null) return send()
      if (!connection.allowsAuth) return fail({ code: 'ENOAUTH' })
      const { username: user, password: pass } = server.login
      connection.login({ credentials: { user, pass } }, (refusal) => (refusal ? fail(refusal) : send()))
    })
  })
}

interface SmtpError {
  readonly code?: string | undefined
  readonly originalCode?: string | undefined
  readonly responseCode?: number | undefined
}

function failureOf({ code, originalCode, responseCode }: SmtpError): SmtpFailure {
  return { code: code ?? '', systemCode: originalCode ?? '', reply: responseCode ?? null }
}

/** The bytes of the mail, which are read only once the server has agreed to take them. */
class DepartingMessage extends Readable {
  hasLeft = false
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    super()
    this.#bytes = bytes
  }

  override _read(): void {
    this.hasLeft = true
    this.push(this.#bytes)
    this.push(null)
  }
}
