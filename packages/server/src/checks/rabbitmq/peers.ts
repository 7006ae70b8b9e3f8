// checks/rabbitmq/peers.ts: the peers that the rabbitmq check meets in its contract.
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
} from '@pulseward/testing/checks'
import { ProtocolTarget } from '@pulseward/testing/targets'
import { amqpStandIn } from './stand-in.fixture.ts'

export const troubles = serverTroubles({
  protocol: 'AMQP 0-9-1',
  awaited: 'greeting',
  credentials: [
    {
      peer: 'without the virtual host',
      trouble: 'The virtual host is not there, or not open to the user.',
      sentence: 'the virtual host "shop" is not open to this user on HOST:PORT',
    },
  ],
  unhealthy: [
    {
      peer: 'without the queue',
      trouble: 'The queue is not there.',
      sentence: 'there is no queue "refunds" on HOST:PORT',
    },
    {
      peer: 'congested',
      trouble: 'Too many messages wait in the queue.',
      sentence: '7 messages wait in the queue "orders", more than 5',
    },
    {
      peer: 'idle',
      trouble: 'Too few consumers take from the queue.',
      sentence: 'the queue "orders" has 1 consumer, fewer than 2',
    },
  ],
})

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const queue = { name: 'orders', messages: 7, consumers: 1 }
  const at = ({ host, port }: Address, isSecure: boolean) => ({
    url: `${isSecure ? 'amqps' : 'amqp'}://${host}:${port}`,
  })
  const standIn = async (...options: Parameters<typeof amqpStandIn>) =>
    at(world.keep(await ProtocolTarget.start(amqpStandIn(...options))), false)
  const common = await serverPeers(world, { at, open: amqpStandIn(), locked: amqpStandIn({ password }) })
  const elsewhere = await standIn({ vhost: '/' })
  const endless = await ProtocolTarget.start(async (connection) => {
    await connection.read(8)
    // A frame of the maximum size that never ends.
    connection.write(Buffer.from([1, 0, 0, 0, 0x0f, 0xff, 0xff]))
    await connection.pour(Buffer.alloc(64 * 1024, 'x'))
  })
  const peers = {
    ...common,
    'healthy with its queue': succeeds({
      ...(await standIn({ queue })),
      queue: 'orders',
      max_messages: 7,
      min_consumers: 1,
    }),
    'without the virtual host': fails({ url: `${elsewhere.url}/shop` }),
    'without the queue': fails({ ...(await standIn({ queue })), queue: 'refunds' }),
    congested: fails({ ...(await standIn({ queue })), queue: 'orders', max_messages: 5 }),
    idle: fails({ ...(await standIn({ queue })), queue: 'orders', min_consumers: 2 }),
    'endless in a frame': fails(at(world.keep(endless), false)),
    // It repeats what it was sent in the text that closes the connection.
    reflecting: fails({ ...(await standIn({ password: 'another one' })), ...login }),
  }
  return world.scenarios({ peers, troubles, credentials })
}
