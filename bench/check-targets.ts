// bench/check-targets.ts: a process with the targets of the checks named on its command line: the real server
// if it is installed on this machine, otherwise a stand-in of the tests. Prints their addresses and runs
// until its standard input closes; then it stops everything that it started.
import { once } from 'node:events'
import {
  aiosmtpd,
  chronyd,
  mariadb,
  mosquitto,
  nginx,
  postgresql,
  rabbitmqServer,
  redisServer,
  type ServerKind,
  sshd,
  startAiosmtpd,
  startChronyd,
  startMariadb,
  startMosquitto,
  startNginx,
  startPostgresql,
  startRabbitmq,
  startRedis,
  startSshd,
  startUnbound,
  unbound,
} from '@pulseward/testing/servers'
import {
  certificates,
  DnsTarget,
  HttpTarget,
  ProtocolTarget,
  type Serve,
  SmtpTarget,
  UdpTarget,
} from '@pulseward/testing/targets'
import { DockerTarget } from '../packages/server/src/checks/docker/stand-in.fixture.ts'
import { GrpcTarget } from '../packages/server/src/checks/grpc/stand-in.fixture.ts'
import { kafkaStandIn } from '../packages/server/src/checks/kafka/stand-in.fixture.ts'
import { mongoStandIn } from '../packages/server/src/checks/mongo/stand-in.fixture.ts'
import { mqttStandIn } from '../packages/server/src/checks/mqtt/stand-in.fixture.ts'
import { mysqlStandIn } from '../packages/server/src/checks/mysql/stand-in.fixture.ts'
import { ntpReply } from '../packages/server/src/checks/ntp/stand-in.fixture.ts'
import { postgresStandIn } from '../packages/server/src/checks/postgres/stand-in.fixture.ts'
import { amqpStandIn } from '../packages/server/src/checks/rabbitmq/stand-in.fixture.ts'
import { redisStandIn } from '../packages/server/src/checks/redis/stand-in.fixture.ts'
import { SshTarget, userKey } from '../packages/server/src/checks/ssh/stand-in.fixture.ts'
import { WebSocketTarget } from '../packages/server/src/checks/websocket/stand-in.fixture.ts'

/** Where a target listens on 127.0.0.1, and how to log in. */
export interface CheckTarget {
  /** The name of the server in the table. */
  readonly server: string
  readonly port: number
  readonly login?: { readonly user: string; readonly password: string }
  /** The private key with which the user logs in without a password. */
  readonly key?: string
  /** What the check asks about: a name, a container, a database, a virtual host. */
  readonly subject?: string
}

type Found = Omit<CheckTarget, 'server'>

const login = { user: 'ward', password: 'correct horse battery staple' }
const dnsName = 'shop.test'
const container = 'shop'

const ended = once(process.stdin.resume(), 'end')
// Ctrl-C in a terminal also signals the benchmark, which closes our input: nothing must be left behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The same if the benchmark that reads our output has ended.
process.stdout.on('error', () => {})

await using owned = new AsyncDisposableStack()

async function own<Target extends AsyncDisposable>(starting: Promise<Target>): Promise<Target> {
  return owned.use(await starting)
}

/** The real server if there is one, otherwise the stand-in. */
async function either(
  kind: ServerKind,
  startReal: (program: string) => Promise<Found>,
  startStandIn: () => Promise<Found>,
): Promise<CheckTarget> {
  const program = kind.find()
  if (program === null) return standIn(await startStandIn())
  return { server: kind.name, ...(await startReal(program)) }
}

function standIn(found: Found): CheckTarget {
  return { server: 'stand-in', ...found }
}

async function speaking(serve: Serve): Promise<Found> {
  const { port } = await own(ProtocolTarget.start(serve))
  return { port, login }
}

const portOf = async (starting: Promise<AsyncDisposable & { readonly port: number }>): Promise<Found> => ({
  port: (await own(starting)).port,
})

const starters: Readonly<Record<string, () => Promise<CheckTarget>>> = {
  udp: async () => standIn(await portOf(UdpTarget.start({ kind: 'echo' }))),
  tls: () =>
    either(
      nginx,
      async (program) => ({ port: (await own(startNginx(program))).ports.good }),
      () => portOf(HttpTarget.start({ tls: { identity: certificates.good } })),
    ),
  dns: () =>
    either(
      unbound,
      async (program) => {
        const { address } = await own(startUnbound(program, [`${dnsName}. A 192.0.2.1`]))
        return { port: Number(address.split(':')[1]), subject: dnsName }
      },
      async () => {
        const zone = { [dnsName]: [{ type: 'A', value: '192.0.2.1' }] } as const
        return { ...(await portOf(DnsTarget.start({ zone }))), subject: dnsName }
      },
    ),
  ntp: () =>
    either(
      chronyd,
      (program) => portOf(startChronyd(program, true)),
      () => portOf(UdpTarget.start({ kind: 'reply', bytes: ntpReply })),
    ),
  smtp: () =>
    either(
      aiosmtpd,
      (program) => portOf(startAiosmtpd(program, { ...login, mechanism: 'PLAIN' })),
      () => portOf(SmtpTarget.start()),
    ),
  ssh: () =>
    either(
      sshd,
      async (program) => {
        const { port, user, key } = await own(startSshd(program))
        return { port, login: { user, password: '' }, key }
      },
      async () => {
        const { port, user } = await own(SshTarget.start())
        return { port, login: { user, password: '' }, key: userKey.private }
      },
    ),
  websocket: async () => standIn(await portOf(WebSocketTarget.start({ says: 'ready' }))),
  grpc: async () => standIn(await portOf(GrpcTarget.start({ health: { '': 'SERVING' } }))),
  docker: async () => {
    const engine = DockerTarget.start({ [container]: { Status: 'running' } }, { by: 'port' })
    return standIn({ ...(await portOf(engine)), subject: container })
  },
  redis: () =>
    either(
      redisServer,
      async (program) => {
        const { port, password } = await own(startRedis(program))
        return { port, login: { user: 'default', password } }
      },
      () => speaking(redisStandIn(login)),
    ),
  postgres: () =>
    either(
      postgresql,
      async (program) => {
        const { port, user, password } = await own(startPostgresql(program))
        return { port, login: { user, password }, subject: 'postgres' }
      },
      async () => ({ ...(await speaking(postgresStandIn(login))), subject: 'postgres' }),
    ),
  mysql: () =>
    either(
      mariadb,
      async (program) => {
        const { port, user, password, database } = await own(startMariadb(program))
        return { port, login: { user, password }, subject: database }
      },
      async () => ({ ...(await speaking(mysqlStandIn(login))), subject: 'shop' }),
    ),
  mongo: async () => standIn(await speaking(mongoStandIn(login))),
  rabbitmq: () =>
    either(
      rabbitmqServer,
      async (program) => {
        const { port, user, password, vhost } = await own(startRabbitmq(program))
        return { port, login: { user, password }, subject: vhost }
      },
      async () => ({ ...(await speaking(amqpStandIn(login))), subject: 'shop' }),
    ),
  kafka: async () => standIn(await speaking(kafkaStandIn({ login: { mechanism: 'PLAIN', ...login } }))),
  mqtt: () =>
    either(
      mosquitto,
      async (program) => {
        const { port, user, password } = await own(startMosquitto(program))
        return { port, login: { user, password } }
      },
      () => speaking(mqttStandIn(login)),
    ),
}

const targets: Record<string, CheckTarget> = {}
const names = process.argv.slice(2).filter((name) => name in starters)
// Waits for all of them even if one fails: what is still starting cannot be stopped yet.
await Promise.all(
  names.map(async (name) => {
    try {
      targets[name] = await starters[name]!()
    } catch (error) {
      console.error(`There is no target for ${name}: ${(error as Error).message}`)
    }
  }),
)
process.stdout.write(`${JSON.stringify(targets)}\n`)
await ended
