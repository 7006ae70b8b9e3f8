// checks/mysql/mysql.ts: does a MySQL or MariaDB server let us in and answer a query as it should? The mysql2 library
// speaks the protocol over our connection, so that the network policy applies and the deadline closes it.
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { loadOnce } from '../driver/load-once.ts'
import { queryFields, requireRows } from '../driver/query-expectation.ts'
import { oneServer, type Server, serverFields, serverTarget } from '../driver/server-config.ts'
import { inServerSession } from '../driver/server-session.ts'
import type { Session } from '../driver/session.ts'
import { defineCheck } from '../driver.ts'

const protocol = {
  scheme: 'mysql',
  otherSchemes: ['mariadb'],
  port: 3306,
  path: 'database',
  needsUser: true,
} as const

const config = oneServer(
  closed({
    ...serverFields(protocol),
    database: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The database; that of the url, or none, by default.',
      }),
    ),
    ...queryFields,
  }),
  protocol,
)

type MysqlConfig = Infer<typeof config>

const library = loadOnce(() => import('./ask-mysql.ts'))

const PROTOCOL_VERSION = 10
const ERROR_PACKET = 0xff
/** Far above any greeting. */
const MAX_GREETING_BYTES = 4_096

export const mysql = defineCheck({
  summary: 'Logs in to a MySQL or MariaDB server, optionally runs a query and compares the answer.',
  config,
  requires: ['mysql2'],
  target: (config) => serverTarget(config, protocol, config.database),
  check: (config, run) =>
    inServerSession(run, config, protocol, (session, server) => talk(session, config, server)),
})

async function talk(session: Session, config: MysqlConfig, server: Server): Promise<void> {
  await expectGreeting(session)
  const { askMysql } = await library()
  const rows = await askMysql(session, server, config.database ?? server.path, config.query ?? null)
  if (config.expect !== undefined) requireRows(rows, config.expect, server.password, session.observe)
}

/** The server speaks first. The library accepts anything as a greeting, and waits for the rest of it. */
async function expectGreeting(session: Session): Promise<void> {
  session.awaits('greeting')
  const head = await session.peek(5)
  const isGreeting = head[4] === PROTOCOL_VERSION || head[4] === ERROR_PACKET
  if (!isGreeting || head[3] !== 0 || head.readUIntLE(0, 3) > MAX_GREETING_BYTES)
    throw session.speaksOtherThan('MySQL')
}
