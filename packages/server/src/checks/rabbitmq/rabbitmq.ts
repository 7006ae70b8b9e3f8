// checks/rabbitmq/rabbitmq.ts: does a RabbitMQ node let us in, and does a queue exist and stay short enough?
// Opens a connection and, for a queue, a channel that asks passively, so that nothing is ever created. AMQP
// 0-9-1 is written by hand, because the client library opens its own sockets, past the network policy.
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { quote } from '../../platform/wording.ts'
import {
  IpFamily,
  MaxLatency,
  Password,
  type Server,
  serverTarget,
  Tls,
  User,
  urlOf,
} from '../driver/server-config.ts'
import { inServerSession } from '../driver/server-session.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure, defineCheck } from '../driver.ts'
import { AmqpConnection } from './connection.ts'

const protocol = {
  scheme: 'amqp',
  port: 5672,
  secureScheme: 'amqps',
  securePort: 5671,
  path: 'vhost',
} as const

const config = Type.Refine(
  closed({
    url: urlOf(protocol),
    user: Type.Optional(
      Type.Unsafe<string>({
        ...User,
        description: 'The user to log in as; guest by default, as in RabbitMQ.',
      }),
    ),
    password: Type.Optional(Password),
    tls: Type.Optional(Tls),
    family: Type.Optional(IpFamily),
    queue: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'A queue that must be there; none by default.',
      }),
    ),
    max_messages: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The most messages that may wait in the queue.' }),
    ),
    min_consumers: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The fewest consumers that the queue must have.' }),
    ),
    max_latency: Type.Optional(MaxLatency),
  }),
  ({ queue, max_messages, min_consumers }) =>
    queue !== undefined || (max_messages === undefined && min_consumers === undefined),
  () => 'needs queue for max_messages and min_consumers',
)

type RabbitConfig = Infer<typeof config>

export const rabbitmq = defineCheck({
  summary: 'Logs in to a RabbitMQ node, optionally looks at the length and the consumers of a queue.',
  config,
  target: (config) => serverTarget(config, protocol),
  check: (config, run) =>
    inServerSession(run, config, protocol, (session, server) => talk(session, config, server)),
})

async function talk(session: Session, config: RabbitConfig, server: Server): Promise<void> {
  if (server.tls !== null) await session.secure(server.tls)
  const login = { user: server.user ?? 'guest', password: server.password ?? 'guest' }
  const connection = new AmqpConnection(session, login.password)
  await connection.open(login, server.path ?? '/')
  if (config.queue !== undefined) requireQueue(config.queue, config, await connection.queue(config.queue))
  await connection.close()
}

function requireQueue(
  queue: string,
  { max_messages, min_consumers }: RabbitConfig,
  seen: { messages: number; consumers: number },
): void {
  const name = quote(queue)
  if (max_messages !== undefined && seen.messages > max_messages)
    throw new CheckFailure(
      `${seen.messages} ${seen.messages === 1 ? 'message waits' : 'messages wait'} in the queue ${name}, more than ${max_messages}`,
    )
  if (min_consumers !== undefined && seen.consumers < min_consumers)
    throw new CheckFailure(
      `the queue ${name} has ${seen.consumers} ${seen.consumers === 1 ? 'consumer' : 'consumers'}, fewer than ${min_consumers}`,
    )
}
