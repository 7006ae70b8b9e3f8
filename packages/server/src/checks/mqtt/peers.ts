// checks/mqtt/peers.ts: the peers that the mqtt check meets in its contract.
import {
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
import { mqttStandIn } from './stand-in.fixture.ts'

export const troubles = serverTroubles({
  protocol: 'MQTT',
  awaited: 'answer to the login',
  credentials: [
    {
      peer: 'closed to the topic',
      trouble: 'The user may not listen to the topic.',
      sentence: 'HOST:PORT refused the subscription to "probe"',
    },
  ],
  unhealthy: [
    {
      peer: 'unavailable',
      trouble: 'The broker says that it is not ready.',
      sentence: 'HOST:PORT says that the broker is unavailable',
    },
    {
      peer: 'losing messages',
      trouble: 'The message does not come back.',
      sentence: 'no message on "probe" from HOST:PORT within TIMEOUT',
    },
  ],
})

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const standIn = async (...options: Parameters<typeof mqttStandIn>) =>
    world.keep(await ProtocolTarget.start(mqttStandIn(...options)))
  const topic = 'probe'
  const common = await serverPeers(world, {
    at: (address) => address,
    open: mqttStandIn(),
    locked: mqttStandIn({ password }),
  })
  const flooding = await ProtocolTarget.start(async (connection) => {
    await connection.read(1)
    connection.write(Buffer.from([0x20, 2, 0, 0]))
    // A message that it starts again and again.
    await connection.pour(Buffer.concat([Buffer.from([0x30, 0xff, 0x7f]), Buffer.alloc(16_383)]))
  })
  const peers = {
    ...common,
    'carrying a message': succeeds({ ...(await standIn()), topic }),
    'carrying this message': succeeds({ ...(await standIn()), topic, message: 'hello', client_id: 'ward' }),
    unavailable: fails(await standIn({ code: 3 })),
    'refusing in its own way': fails(await standIn({ code: 77 })),
    'closed to the topic': fails({ ...(await standIn({ refusesTopics: true })), topic }),
    'losing messages': timesOut({ ...(await standIn({ losesMessages: true })), topic }),
    reflecting: fails({ ...(await world.tcp({ kind: 'echo' })), ...login }),
    'endless in messages': timesOut({ ...world.keep(flooding), topic }),
  }
  return world.scenarios({ peers, troubles, credentials })
}
