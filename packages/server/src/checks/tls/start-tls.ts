// checks/tls/start-tls.ts: the dialogue before the handshake, for protocols in which TLS begins later.
import { quote } from '../../platform/wording.ts'
import type { Session } from '../driver/session.ts'
import { DEFAULT_HELO, greet, hello, requestTls } from '../driver/smtp-dialogue.ts'
import { CheckFailure } from '../driver.ts'

/** Length 8, then the number with which PostgreSQL requests TLS. */
const POSTGRES_TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

interface StartTls {
  readonly port: number
  agree(session: Session): Promise<void>
}

export const startTls = {
  smtp: {
    port: 25,
    async agree(session) {
      await greet(session)
      await requestTls(session, await hello(session, DEFAULT_HELO))
    },
  },
  imap: {
    port: 143,
    async agree(session) {
      session.awaits('greeting')
      const greeting = await session.readLine()
      if (!/^\* (OK|PREAUTH)\b/i.test(greeting))
        throw new CheckFailure(`${session.peer} does not greet as an IMAP server: ${quote(greeting)}`)
      session.awaits('answer to STARTTLS')
      session.write('a STARTTLS\r\n')
      const answer = await session.readLine()
      if (!/^a OK\b/i.test(answer))
        throw new CheckFailure(`${session.peer} refuses STARTTLS: ${quote(answer)}`)
    },
  },
  postgres: {
    port: 5432,
    async agree(session) {
      session.awaits('answer to the request for TLS')
      session.write(POSTGRES_TLS_REQUEST)
      const answer = (await session.read(1)).toString('latin1')
      if (answer === 'N') throw new CheckFailure(`${session.peer} does not offer TLS`)
      if (answer !== 'S') throw new CheckFailure(`${session.peer} does not speak the protocol of PostgreSQL`)
    },
  },
} as const satisfies Record<string, StartTls>
