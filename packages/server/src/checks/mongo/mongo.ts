// checks/mongo/mongo.ts: does a MongoDB server answer, let us in, and say what it should? Talks only to the named server
// and never follows it to other members of its set. Sends one command, by default ping. The protocol is written by hand
// on top of the BSON library, because the client library opens several connections itself, past the network policy.
import { closed, type Infer, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { quote } from '../../platform/wording.ts'
import { discreetQuote } from '../driver/discreet-quote.ts'
import { loadOnce } from '../driver/load-once.ts'
import { oneServer, type Server, serverFields, serverTarget } from '../driver/server-config.ts'
import { inServerSession } from '../driver/server-session.ts'
import type { Session } from '../driver/session.ts'
import { assertion, CheckFailure, defineCheck, type Observe } from '../driver.ts'
import type { Document, MongoConnection } from './connection.ts'

const protocol = { scheme: 'mongodb', port: 27017, path: 'database' } as const

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const FieldName = Type.String({ pattern: '^[^\\u0000]+$' })

const config = oneServer(
  closed({
    ...serverFields(protocol),
    database: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The database that the command is run in; that of the url, or admin, by default.',
      }),
    ),
    auth_database: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The database that knows the user; that of the url, or admin, by default.',
      }),
    ),
    role: Type.Optional(
      oneOf(['any', 'primary', 'secondary'], 'What the server must be in its replica set.', {
        default: 'any',
      }),
    ),
    command: Type.Optional(
      Type.Record(FieldName, Type.Unknown(), {
        additionalProperties: false,
        default: { ping: 1 },
        description: 'A database command; its first key is its name.',
      }),
    ),
    expect: Type.Optional(
      Type.Record(FieldName, Scalar, {
        additionalProperties: false,
        description: 'Fields that the answer must have, with these values.',
      }),
    ),
  }),
  protocol,
)

type MongoConfig = Infer<typeof config>

const library = loadOnce(() => import('./connection.ts'))

export const mongo = defineCheck({
  summary: 'Logs in to a MongoDB server, runs one command and compares the answer.',
  config,
  requires: ['bson'],
  target: (config) => serverTarget(config, protocol),
  check: (config, run) =>
    inServerSession(run, config, protocol, (session, server) => talk(session, config, server)),
})

async function talk(session: Session, config: MongoConfig, server: Server): Promise<void> {
  if (server.tls !== null) await session.secure(server.tls)
  const { MongoConnection } = await library()
  const connection = new MongoConnection(session, server.password)
  const { user, password, path } = server
  const authDatabase = config.auth_database ?? path ?? 'admin'
  const greeting = await connection.greet(user === null ? null : `${authDatabase}.${user}`)
  if (user !== null) await connection.logIn(greeting, authDatabase, user, password ?? '')
  requireRole(greeting, config.role ?? 'any', session.peer)
  const command = config.command ?? { ping: 1 }
  const answer = await run(connection, command, config.database ?? path ?? 'admin', session)
  requireFields(answer, config.expect ?? {}, server, session.observe)
}

async function run(
  connection: MongoConnection,
  command: Document,
  database: string,
  session: Session,
): Promise<Document> {
  const name = quote(Object.keys(command)[0] ?? '')
  session.awaits(`answer to ${name}`)
  return connection.command(command, database, name)
}

function requireRole(greeting: Document, role: 'any' | 'primary' | 'secondary', peer: string): void {
  const isRight = { any: true, primary: greeting['isWritablePrimary'], secondary: greeting['secondary'] }[
    role
  ]
  if (isRight !== true) throw new CheckFailure(`${peer} is not a ${role}`)
}

function requireFields(
  answer: Document,
  expect: Readonly<Record<string, unknown>>,
  server: Server,
  observe: Observe,
): void {
  for (const [field, wanted] of Object.entries(expect)) {
    const seen = answer[field]
    // Numbers come in several types, which print alike.
    const isRight = seen !== undefined && seen !== null && String(seen) === String(wanted)
    if (isRight && observe === undefined) continue
    const isShown = ['string', 'number', 'boolean', 'bigint'].includes(typeof seen)
    const shown = isShown
      ? discreetQuote(String(seen), [server.password])
      : seen === undefined
        ? 'missing'
        : 'something else'
    observe?.(assertion(`field ${field}`, shown, quote(String(wanted)), isRight))
    if (isRight) continue
    throw new CheckFailure(
      `the field ${quote(field)} of the answer is ${shown} instead of ${quote(String(wanted))}`,
    )
  }
}
