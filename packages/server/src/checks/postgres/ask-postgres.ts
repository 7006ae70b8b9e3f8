// checks/postgres/ask-postgres.ts: a login and at most one query with the pg library, over a connection that we lend to
// it. Nothing is taken from the environment (PGPASSWORD, a password file): only the fleet file defines a monitor.
import type { Socket } from 'node:net'
import pg from 'pg'
import { quote } from '../../platform/wording.ts'
import { discreetQuote } from '../driver/discreet-quote.ts'
import type { Rows } from '../driver/query-expectation.ts'
import type { Server } from '../driver/server-config.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'

/** Keeps values as the texts that the server sent. */
const asText = { getTypeParser: () => (value: string | Buffer) => value }

/** Possible first bytes of an answer: a step of the login, an error, a notice, another version of the protocol. */
const FIRST_MESSAGES = Buffer.from('RENv')

/** Sent by hand: the library would wait until it is sent and then end a connection that is already closed. */
const GOODBYE = Buffer.from([0x58, 0, 0, 0, 4])

export async function askPostgres(
  session: Session,
  server: Server,
  database: string | null,
  query: string | null,
): Promise<Rows> {
  const user = server.user ?? ''
  session.awaits('answer to the login')
  try {
    return await session.lend(
      async (socket) => {
        const client = new pg.Client({
          stream: () => alreadyConnected(socket),
          host: server.host,
          port: server.port,
          user,
          database: database ?? user,
          // A function, because the library would look for an empty password elsewhere.
          password: () => server.password ?? '',
          ssl: false,
          application_name: 'pulseward',
          types: asText as never,
        })
        // Later errors are consequences of the first one, which connect() and query() report.
        client.on('error', () => {})
        await client.connect()
        session.awaits('answer to the query')
        const rows = query === null ? [] : (await client.query({ text: query, rowMode: 'array' })).rows
        socket.write(GOODBYE)
        return rows
      },
      (firstBytes) =>
        FIRST_MESSAGES.includes(firstBytes.subarray(0, 1)) ? null : session.speaksOtherThan('PostgreSQL'),
    )
  } catch (error) {
    throw sentenceOf(error, session, server, database ?? user)
  }
}

/** The library connects its stream itself, but this one is already connected. */
function alreadyConnected(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'))
    return socket
  }
  return socket
}

function sentenceOf(error: unknown, session: Session, { password }: Server, database: string): unknown {
  const { peer, end } = session
  if (!(error instanceof pg.DatabaseError)) return end ?? libraryFault(error as Error, session, password)
  const { code, message } = error
  // This is how the parser reports bytes that are not a message.
  if (code === undefined) return session.speaksOtherThan('PostgreSQL')
  if (code === '28P01') return session.loginRefused()
  if (code === '3D000') return new CheckFailure(`there is no database ${quote(database)} on ${peer}`)
  if (code === '53300') return new CheckFailure(`${peer} has no connection left for us`)
  if (code.startsWith('57P')) return new CheckFailure(`${peer} is starting up or shutting down`)
  const said = discreetQuote(message, [password])
  // For other refusals the server's own words say what to do, for example about an address that pg_hba.conf
  // does not name.
  if (code.startsWith('28')) return new CheckFailure(`the login was refused by ${peer}: ${said}`)
  return new CheckFailure(`${peer} answered with an error (${code}): ${said}`)
}

/** What the library itself finds wrong: with the proof of a password, or with what came instead of an answer. */
function libraryFault({ message }: Error, session: Session, password: string | null): CheckFailure {
  if (!message.startsWith('SASL')) return session.speaksOtherThan('PostgreSQL')
  const isAsked = password === null || password === ''
  return new CheckFailure(
    isAsked
      ? `${session.peer} asks for a password`
      : `${session.peer} did not prove that it knows the password`,
  )
}
