// checks/mysql/ask-mysql.ts: a login and at most one query with the mysql2 library, over a connection that we
// lend to it. TLS begins in the middle of the library's handshake; we do that step ourselves, so that
// certificates are verified as everywhere else, and before the password is sent.
import type { Socket } from 'node:net'
import mysql from 'mysql2'
import { ConnectError } from '../../platform/network/network.ts'
import { quote } from '../../platform/wording.ts'
import { discreetQuote } from '../driver/discreet-quote.ts'
import type { Rows } from '../driver/query-expectation.ts'
import type { Server, TlsConfig } from '../driver/server-config.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'

/** Members of the library's connection that its types do not declare. */
interface Internals {
  stream: Socket
  readonly packetParser: { execute(bytes: Buffer): void }
  startTLS(onSecure: () => void): void
}

export async function askMysql(
  session: Session,
  server: Server,
  database: string | null,
  query: string | null,
): Promise<Rows> {
  session.awaits('answer to the login')
  try {
    return await session.lend((socket) => ask(session, server, database, query, socket))
  } catch (error) {
    throw sentenceOf(error, session, server, database ?? '')
  }
}

function ask(
  session: Session,
  { user, password, tls }: Server,
  database: string | null,
  query: string | null,
  socket: Socket,
): Promise<Rows> {
  return new Promise((resolve, reject) => {
    const connection = mysql.createConnection({
      stream: () => socket,
      user: user ?? '',
      password: password ?? '',
      ...(database === null ? {} : { database }),
      ...(tls === null ? {} : { ssl: {}, enableCleartextPlugin: true }),
      // We enforce the deadline, and a server must not request files of this machine.
      connectTimeout: 0,
      flags: ['-LOCAL_FILES'],
      // Otherwise the library compiles code from the names of columns, which a server chooses.
      disableEval: true,
      // A check uses none, and the library reserves space for 16,000 of them in every connection.
      maxPreparedStatements: 1,
      rowsAsArray: true,
      typeCast: (field: { string(): string | null }) => field.string(),
    })
    if (tls !== null) secureByUs(connection as unknown as Internals, session, tls, reject)
    const conclude = (rows: Rows): void => {
      connection.end(() => {})
      resolve(rows)
    }
    connection.on('error', reject)
    // Packets out of order end the check: the library would continue, and print a line for each of them.
    connection.on('warn', (disorder: Error) => {
      throw disorder
    })
    connection.on('connect', () => {
      if (query === null) return conclude([])
      session.awaits('answer to the query')
      connection.query(query, (error: Error | null, rows: unknown) => {
        if (error !== null) reject(error)
        // A statement without rows is answered with counts instead.
        else conclude(Array.isArray(rows) ? (rows as Rows) : [])
      })
    })
  })
}

function secureByUs(
  connection: Internals,
  session: Session,
  tls: TlsConfig,
  reject: (error: unknown) => void,
): void {
  connection.startTLS = (onSecure) => {
    connection.stream.removeAllListeners('data')
    session.secure(tls).then((secured) => {
      connection.stream = secured
      secured.on('data', (bytes: Buffer) => connection.packetParser.execute(bytes))
      onSecure()
    }, reject)
  }
}

const NO_TLS = 'HANDSHAKE_NO_SSL_SUPPORT'

function sentenceOf(error: unknown, session: Session, { password }: Server, database: string): unknown {
  const { peer, end } = session
  if (error instanceof CheckFailure || error instanceof ConnectError) return error
  const { code, errno, sqlMessage } = error as { code?: string; errno?: number; sqlMessage?: string }
  if (code === NO_TLS) return new CheckFailure(`${peer} does not offer TLS`)
  // Only an error that the server itself sent has such a message.
  if (sqlMessage === undefined) return end ?? session.speaksOtherThan('MySQL')
  switch (errno) {
    case 1045:
      return session.loginRefused()
    case 1049:
      return new CheckFailure(`there is no database ${quote(database)} on ${peer}`)
    case 1044:
      return new CheckFailure(`the user may not use the database ${quote(database)} on ${peer}`)
    case 1040:
      return new CheckFailure(`${peer} has no connection left for us`)
    case 1129:
    case 1130:
      return new CheckFailure(`${peer} does not let this machine in`)
    default:
      return new CheckFailure(
        `${peer} answered with an error (${errno}): ${discreetQuote(sqlMessage, [password])}`,
      )
  }
}
