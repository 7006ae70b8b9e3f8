// checks/postgres/postgres.ts: does a PostgreSQL server let us in and answer a query as it should? The pg
// library speaks the protocol over our connection, so that the network policy applies and the deadline closes
// it. TLS is negotiated here, before the library sees the connection.
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { loadOnce } from '../driver/load-once.ts'
import { queryFields, requireRows } from '../driver/query-expectation.ts'
import { oneServer, type Server, serverFields, serverTarget } from '../driver/server-config.ts'
import { inServerSession } from '../driver/server-session.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure, defineCheck } from '../driver.ts'

const protocol = {
  scheme: 'postgres',
  otherSchemes: ['postgresql'],
  port: 5432,
  path: 'database',
  needsUser: true,
} as const

const config = oneServer(
  closed({
    ...serverFields(protocol),
    database: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 63,
        description: 'The database; that of the url, or the one named like the user, by default.',
      }),
    ),
    ...queryFields,
  }),
  protocol,
)

type PostgresConfig = Infer<typeof config>

const library = loadOnce(() => import('./ask-postgres.ts'))

/** Length 8, and the number that requests TLS instead of a protocol version. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

export const postgres = defineCheck({
  summary: 'Logs in to a PostgreSQL database, optionally runs a query and compares the answer.',
  config,
  requires: ['pg'],
  target: (config) => serverTarget(config, protocol, config.database),
  check: (config, run) =>
    inServerSession(run, config, protocol, (session, server) => talk(session, config, server)),
})

async function talk(session: Session, config: PostgresConfig, server: Server): Promise<void> {
  if (server.tls !== null) {
    await agreeOnTls(session)
    await session.secure(server.tls)
  }
  const { askPostgres } = await library()
  const rows = await askPostgres(session, server, config.database ?? server.path, config.query ?? null)
  if (config.expect !== undefined) requireRows(rows, config.expect, server.password, session.observe)
}

async function agreeOnTls(session: Session): Promise<void> {
  session.awaits('answer to the request for TLS')
  session.write(TLS_REQUEST)
  const answer = (await session.read(1)).toString('latin1')
  if (answer === 'N') throw new CheckFailure(`${session.peer} does not offer TLS`)
  if (answer !== 'S') throw session.speaksOtherThan('PostgreSQL')
}
