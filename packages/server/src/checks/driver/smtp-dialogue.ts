// checks/driver/smtp-dialogue.ts: the SMTP dialogue up to TLS, for the checks of mail servers and of certificates.
// Replies are read line by line and limited in number; whatever does not look like SMTP is a failure.
import { quote } from '../../platform/wording.ts'
import { CheckFailure } from '../driver.ts'
import type { Session } from './session.ts'

const MOST_LINES = 128
export const DEFAULT_HELO = 'localhost'

export interface SmtpReply {
  readonly code: number
  readonly lines: readonly string[]
}

/** The whole reply, which may have several lines. Not quoted if it may repeat a secret. */
export async function readReply(
  session: Session,
  awaited: string,
  inWords: 'quoted' | 'unquoted' = 'quoted',
): Promise<SmtpReply> {
  session.awaits(awaited)
  const lines: string[] = []
  for (;;) {
    const line = await session.readLine()
    const [, code, mark, text] = /^([2-5][0-9][0-9])(?:([ -])(.*))?$/.exec(line) ?? []
    if (code === undefined)
      throw new CheckFailure(
        `${session.peer} does not speak SMTP: its ${awaited} is ${inWords === 'quoted' ? quote(line) : 'something else'}`,
      )
    lines.push(text ?? '')
    if (mark !== '-') return { code: Number(code), lines }
    if (lines.length === MOST_LINES) throw new CheckFailure(`the ${awaited} of ${session.peer} does not end`)
  }
}

export async function greet(session: Session): Promise<SmtpReply> {
  const greeting = await readReply(session, 'greeting')
  if (greeting.code === 220) return greeting
  throw new CheckFailure(`${session.peer} takes no mail now: ${quoted(greeting)}`)
}

/** Says hello and returns the extensions that the server offers, in capitals. */
export async function hello(session: Session, helo: string): Promise<string[]> {
  session.write(`EHLO ${helo}\r\n`)
  const reply = await readReply(session, 'answer to EHLO')
  if (reply.code !== 250) throw new CheckFailure(`${session.peer} refuses EHLO ${helo}: ${quoted(reply)}`)
  return reply.lines.slice(1).map((line) => line.toUpperCase())
}

/** Agrees on TLS. The handshake itself is up to the caller. */
export async function requestTls(session: Session, extensions: readonly string[]): Promise<void> {
  if (!extensions.includes('STARTTLS')) throw new CheckFailure(`${session.peer} does not offer STARTTLS`)
  session.write('STARTTLS\r\n')
  const reply = await readReply(session, 'answer to STARTTLS')
  if (reply.code !== 220) throw new CheckFailure(`${session.peer} refuses STARTTLS: ${quoted(reply)}`)
}

function quoted({ code, lines }: SmtpReply): string {
  return quote(`${code} ${lines.join(' ')}`)
}
