// checks/kafka/peers.ts: the peers that the kafka check meets in its contract.
import {
  type Address,
  type CheckScenarios,
  credentials,
  fails,
  login,
  password,
  ScenarioWorld,
  serverPeers,
  serverTroubles,
  succeeds,
  timesOut,
} from '@pulseward/testing/checks'
import { ProtocolTarget } from '@pulseward/testing/targets'
import { type KafkaStandIn, kafkaStandIn } from './stand-in.fixture.ts'

export const troubles = serverTroubles({
  protocol: 'Kafka',
  awaited: 'answer about its versions',
  credentials: [
    {
      peer: 'with another login',
      trouble: 'The broker does not take this way of logging in.',
      sentence: 'HOST:PORT takes no login by "scram-sha-256"',
    },
  ],
  unhealthy: [
    {
      peer: 'short of brokers',
      trouble: 'Brokers are missing.',
      sentence: 'the cluster of HOST:PORT has 2 brokers, fewer than 3',
    },
    {
      peer: 'without the topic',
      trouble: 'The topic is not there.',
      sentence: 'there is no topic "refunds"',
    },
    {
      peer: 'leaderless',
      trouble: 'Partitions cannot be written to.',
      sentence: '1 of 2 partitions of the topic "payments" have no leader',
    },
    {
      peer: 'lagging',
      trouble: 'Replicas are behind.',
      sentence: '1 of 2 partitions of the topic "orders" have fewer than 3 replicas in sync',
    },
  ],
})

const topics = {
  orders: [
    { leader: 0, inSync: [0, 1, 2] },
    { leader: 1, inSync: [0, 1] },
  ],
  payments: [
    { leader: 0, inSync: [0] },
    { leader: -1, inSync: [] },
  ],
}

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const at = ({ host, port }: Address) => ({ brokers: [`${host}:${port}`] })
  const standIn = async (options: KafkaStandIn = {}) =>
    at(world.keep(await ProtocolTarget.start(kafkaStandIn({ topics, ...options }))))
  const user = 'ward'
  const byPlain = { mechanism: 'PLAIN', user, password }
  const by = (mechanism: string) => ({ ...login, mechanism })
  const common = await serverPeers(world, {
    at,
    open: kafkaStandIn(),
    locked: kafkaStandIn({ login: byPlain }),
  })
  const closed = at(await world.closedPort())
  const healthy = await standIn()
  const hole = at(await world.blackHole())
  const endless = await ProtocolTarget.start(async (connection) => {
    await connection.read(1)
    connection.write(Buffer.from([0, 0x0f, 0xff, 0xff]))
    await connection.pour(Buffer.alloc(64 * 1024, 'x'))
  })
  const scram = (mechanism: string) => standIn({ login: { mechanism, user, password } })
  const peers = {
    ...common,
    'healthy by SCRAM-SHA-256': succeeds({ ...(await scram('SCRAM-SHA-256')), ...by('scram-sha-256') }),
    'healthy by SCRAM-SHA-512': succeeds({ ...(await scram('SCRAM-SHA-512')), ...by('scram-sha-512') }),
    'healthy in its oldest version': succeeds({ ...(await standIn({ metadata: [0, 4] })), topic: 'orders' }),
    'healthy with its topic': succeeds({
      ...healthy,
      topic: 'orders',
      min_brokers: 1,
      min_in_sync_replicas: 2,
    }),
    'healthy behind one that is down': succeeds({ brokers: [...closed.brokers, ...healthy.brokers] }),
    'healthy behind a black hole': succeeds({ brokers: [...hole.brokers, ...healthy.brokers] }),
    'all down': fails({ brokers: [...closed.brokers, ...closed.brokers] }),
    'all black holes': timesOut({ brokers: [...hole.brokers, ...hole.brokers] }),
    'with another login': fails({ ...(await standIn({ login: byPlain })), ...by('scram-sha-256') }),
    'too old': fails(await standIn({ metadata: [0, 3] })),
    'short of brokers': fails({ ...(await standIn({ brokers: 2 })), min_brokers: 3 }),
    'without the topic': fails({ ...healthy, topic: 'refunds' }),
    leaderless: fails({ ...healthy, topic: 'payments' }),
    lagging: fails({ ...healthy, topic: 'orders', min_in_sync_replicas: 3 }),
    reflecting: fails({ ...at(await world.tcp({ kind: 'echo' })), ...login }),
    'endless in its answer': fails(at(world.keep(endless))),
  }
  return world.scenarios({ peers, troubles, credentials })
}
