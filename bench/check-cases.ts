// bench/check-cases.ts: the measured checks, each with its target and its baseline: the usual library of the
// protocol that does the same, or a bare socket loop if there is none.

import { certificates } from '@pulseward/testing/targets'
import { connectPacket, DISCONNECT } from '../packages/server/src/checks/mqtt/packets.ts'
import { ntpRequest } from '../packages/server/src/checks/ntp/message.ts'
import { encodeCommand } from '../packages/server/src/checks/redis/resp.ts'
import type { checks } from '../packages/server/src/checks/registry.ts'
import { loadLibcSockets } from '../packages/server/src/platform/network/libc-sockets.ts'
import { BareDns, bareDatagram, barePing } from './bare-datagrams.ts'
import {
  type BareProbe,
  bareExchange,
  bareHttp,
  bareHttps,
  bareTcp,
  bareTls,
  type Probe,
} from './bare-probes.ts'
import type { CheckTarget } from './check-targets.ts'
import type { ChildProcesses } from './child-processes.ts'
import type { Targets } from './fleet-file.ts'
import {
  amqpProbe,
  grpcProbe,
  kafkaProbe,
  mongoProbe,
  mysqlProbe,
  pgProbe,
  sshProbe,
  wsProbe,
} from './library-probes.ts'

export type DriverName = keyof typeof checks

export interface Case {
  readonly name: string
  readonly driver: DriverName
  readonly config: Record<string, unknown>
  /** The name of the server in the table. */
  readonly server: string
  /** The name of the baseline, and a way to start it. */
  readonly beside: string
  readonly alone: () => BareProbe | Promise<BareProbe>
  readonly inFlight: number
}

type Measured = Pick<Case, 'config' | 'beside' | 'alone'>

const host = '127.0.0.1'
const SOCKET = 'bare socket'
const tls = { ca: certificates.authority }

/** The cases of the named drivers that have a target. */
export async function prepareCases(
  children: ChildProcesses,
  drivers: readonly DriverName[],
): Promise<Case[]> {
  // The http check is also measured with TLS.
  const wanted = new Set([...drivers, ...(drivers.includes('http') ? ['tls'] : [])])
  const [{ live }, targets] = await Promise.all([
    children.helper<Targets>('fleet-targets.ts', ['2', '0']),
    children.helper<Record<string, CheckTarget>>('check-targets.ts', [...wanted]),
  ])
  const cases = [
    ...plainCases(live as [number, number]),
    ...(await pingCases()),
    ...Object.entries(targets).flatMap(([driver, target]) => casesOf(driver as DriverName, target)),
  ]
  return drivers.flatMap((driver) => cases.filter((each) => each.driver === driver))
}

function plainCases([httpPort, tcpPort]: [number, number]): Case[] {
  const url = `http://${host}:${httpPort}/health`
  const ofHttp = { driver: 'http', server: 'stand-in', inFlight: 64 } as const
  const loop = besideSocket(bareHttp(httpPort, '/health'))
  return [
    { ...ofHttp, name: 'http', config: { url }, ...loop },
    { ...ofHttp, name: 'http with body', config: { url, expect: { body: { contains: 'ok' } } }, ...loop },
    {
      name: 'tcp',
      driver: 'tcp',
      server: 'stand-in',
      inFlight: 64,
      config: { host, port: tcpPort },
      ...besideSocket(bareTcp(tcpPort)),
    },
  ]
}

/** Empty if this machine permits no echo socket: starting a ping process each time is not what is measured. */
async function pingCases(): Promise<Case[]> {
  const libc = await loadLibcSockets()
  if (libc === null) return []
  const trial = barePing(libc)
  if (trial === null) return []
  trial[Symbol.dispose]()
  return [
    {
      name: 'icmp',
      driver: 'icmp',
      server: 'the kernel',
      inFlight: 64,
      config: { host, count: 1 },
      beside: SOCKET,
      alone: () => barePing(libc)!,
    },
  ]
}

function casesOf(driver: DriverName, target: CheckTarget): Case[] {
  const make = measured[driver]
  if (make === undefined) return []
  const { server } = target
  const cases: Case[] = [{ name: driver, driver, server, inFlight: inFlightOf(driver), ...make(target) }]
  return driver === 'tls' ? [...cases, httpsCase(target)] : cases
}

function httpsCase({ server, port }: CheckTarget): Case {
  return {
    name: 'https',
    driver: 'http',
    server,
    inFlight: inFlightOf('tls'),
    config: { url: `https://${host}:${port}/health`, tls },
    ...besideSocket(bareHttps(port, tls.ca, '/health')),
  }
}

/** Servers with a process per connection accept few at once, and sshd refuses the eleventh that has not logged in yet. */
function inFlightOf(driver: DriverName): number {
  if (driver === 'ssh') return 4
  return driver === 'dns' ? 64 : 16
}

const measured: Readonly<Partial<Record<DriverName, (target: CheckTarget) => Measured>>> = {
  udp: ({ port }) => ({
    config: { host, port, send: 'ping', expect: 'ping' },
    ...besideSocket(bareDatagram(port, Buffer.from('ping'))),
  }),
  tls: ({ port }) => ({ config: { host, port, ...tls }, ...besideSocket(bareTls(port, tls.ca)) }),
  dns: ({ port, subject }) => ({
    config: { host: subject, server: `${host}:${port}` },
    beside: SOCKET,
    alone: () => BareDns.open(port, subject!),
  }),
  ntp: ({ port }) => ({ config: { host, port }, ...besideSocket(bareDatagram(port, ntpRequest())) }),
  smtp: ({ port }) => ({
    config: { host, port },
    ...besideSocket(bareExchange(port, ['', 'EHLO localhost\r\n'], 'QUIT\r\n')),
  }),
  ssh: (target) => ({
    config: { host, port: target.port, username: target.login!.user, private_key: target.key },
    ...besideLibrary('ssh2', sshProbe(target)),
  }),
  websocket: (target) => ({
    config: { url: `ws://${host}:${target.port}/`, expect: 'ready' },
    ...besideLibrary('ws', wsProbe(target)),
  }),
  grpc: (target) => ({
    config: { host, port: target.port },
    ...besideLibrary('@grpc/grpc-js', grpcProbe(target)),
  }),
  docker: ({ port, subject }) => ({
    config: { container: subject, engine: `tcp://${host}:${port}` },
    ...besideSocket(bareHttp(port, `/containers/${subject}/json`)),
  }),
  redis: ({ port, login }) => {
    const { user, password } = login!
    const commands = [['AUTH', user, password], ['PING']].map(encodeCommand)
    return { config: { host, port, ...login }, ...besideSocket(bareExchange(port, commands)) }
  },
  postgres: (target) => ({ config: withQuery(target), ...besideLibrary('pg', pgProbe(target)) }),
  mysql: (target) => ({ config: withQuery(target), ...besideLibrary('mysql2', mysqlProbe(target)) }),
  mongo: (target) => ({
    config: { host, port: target.port, ...target.login },
    ...besideLibrary('mongodb', mongoProbe(target)),
  }),
  rabbitmq: (target) => ({
    config: { url: `amqp://${host}:${target.port}/${target.subject}`, ...target.login },
    ...besideLibrary('amqplib', amqpProbe(target)),
  }),
  kafka: (target) => ({
    config: { brokers: [`${host}:${target.port}`], ...target.login },
    ...besideLibrary('@platformatic/kafka', kafkaProbe(target)),
  }),
  mqtt: ({ port, login }) => {
    // A client without a name gets one from the server, so that none replaces another.
    const hello = connectPacket('', login!.user, login!.password)
    return { config: { host, port, ...login }, ...besideSocket(bareExchange(port, [hello], DISCONNECT)) }
  },
}

function withQuery({ port, login, subject }: CheckTarget): Record<string, unknown> {
  return { host, port, ...login, database: subject, query: 'SELECT 1', expect: { value: 1 } }
}

function besideSocket(probe: Probe): Pick<Case, 'beside' | 'alone'> {
  return besideLibrary(SOCKET, probe)
}

function besideLibrary(beside: string, probe: Probe): Pick<Case, 'beside' | 'alone'> {
  return { beside, alone: () => ({ probe, [Symbol.dispose]: () => {} }) }
}
