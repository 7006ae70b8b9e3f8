// checks/redis/redis.ts: does a Redis (or Valkey, or anything that speaks RESP) answer, let us in, and say
// what it should? The protocol is written by hand: it is a few lines, and a client library would bring its
// own pool and reconnects. Sends one command, by default PING, and nothing else.
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { quote } from '../../platform/wording.ts'
import { discreetQuote } from '../driver/discreet-quote.ts'
import { oneServer, type Server, serverFields, serverTarget } from '../driver/server-config.ts'
import { inServerSession } from '../driver/server-session.ts'
import type { Session } from '../driver/session.ts'
import { assertion, CheckFailure, defineCheck, fact } from '../driver.ts'
import { encodeCommand, type Reply, readReply } from './resp.ts'

const protocol = {
  scheme: 'redis',
  port: 6379,
  secureScheme: 'rediss',
  path: 'database',
  pathPattern: /^\d{1,5}$/,
} as const

const config = oneServer(
  closed({
    ...serverFields(protocol),
    database: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'The number of the database; that of the url, or 0, by default.',
      }),
    ),
    command: Type.Optional(
      Type.Array(Type.String({ maxLength: 4_096 }), {
        minItems: 1,
        maxItems: 64,
        default: ['PING'],
        description: 'A command and its arguments, one word each.',
      }),
    ),
    expect: Type.Optional(
      Type.String({
        maxLength: 4_096,
        description: 'The whole answer as text; by default any answer but an error will do.',
      }),
    ),
  }),
  protocol,
)

type RedisConfig = Infer<typeof config>

/** What the code at the start of an error means for the operator. */
const sentences: Readonly<Record<string, (peer: string) => string>> = {
  NOAUTH: (peer) => `${peer} asks for a login`,
  NOPERM: (peer) => `the user may not do this on ${peer}`,
  LOADING: (peer) => `${peer} is still loading its data`,
  MASTERDOWN: (peer) => `${peer} has lost its master`,
  CLUSTERDOWN: (peer) => `the cluster of ${peer} is down`,
}

export const redis = defineCheck({
  summary: 'Logs in to a Redis server, sends one command and compares the answer.',
  config,
  target: (config) => serverTarget(config, protocol),
  check: (config, run) =>
    inServerSession(run, config, protocol, (session, server) => talk(session, config, server)),
})

async function talk(session: Session, config: RedisConfig, server: Server): Promise<void> {
  const { user, password, tls } = server
  if (tls !== null) await session.secure(tls)
  if (password !== null) {
    const login = user === null ? [password] : [user, password]
    const reply = await ask(session, ['AUTH', ...login], 'answer to the login')
    if (reply.isError) throw session.loginRefused()
  }
  const database = config.database ?? Number(server.path ?? 0)
  if (database !== 0) refuseError(await ask(session, ['SELECT', String(database)]), 'SELECT', session, server)
  const command = config.command ?? ['PING']
  const name = nameOf(command)
  const reply = await ask(session, command)
  refuseError(reply, name, session, server)
  const { expect } = config
  const isRight = expect === undefined || reply.text === expect
  if (isRight && session.observe === undefined) return
  const said = reply.text === null ? 'nothing' : discreetQuote(reply.text, [password])
  const about = `answer to ${name}`
  session.observe?.(expect === undefined ? fact(about, said) : assertion(about, said, quote(expect), isRight))
  if (isRight) return
  throw new CheckFailure(`the answer to ${name} is ${said} instead of ${quote(expect)}`)
}

async function ask(
  session: Session,
  command: readonly string[],
  awaited = `answer to ${nameOf(command)}`,
): Promise<Reply> {
  session.awaits(awaited)
  session.write(encodeCommand(command))
  return readReply(session)
}

function nameOf([name = '']: readonly string[]): string {
  return quote(name.toUpperCase())
}

function refuseError({ isError, text }: Reply, name: string, { peer }: Session, { password }: Server): void {
  if (!isError) return
  const said = text ?? ''
  const code = said.slice(0, said.indexOf(' '))
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  throw new CheckFailure(
    known?.(peer) ?? `${peer} answered ${name} with an error: ${discreetQuote(said, [password])}`,
  )
}
