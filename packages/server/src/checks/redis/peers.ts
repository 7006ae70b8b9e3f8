// checks/redis/peers.ts: the peers that the redis check meets in its contract.
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
} from '@pulseward/testing/checks'
import { ProtocolTarget } from '@pulseward/testing/targets'
import { redisStandIn } from './stand-in.fixture.ts'

export const troubles = serverTroubles({
  protocol: 'Redis',
  awaited: 'answer to "PING"',
  credentials: [
    {
      peer: 'locked',
      trouble: 'The server wants a login, and none is configured.',
      sentence: 'HOST:PORT asks for a login',
    },
  ],
  unhealthy: [
    {
      peer: 'loading',
      trouble: 'The server has been started and reads its data.',
      sentence: 'HOST:PORT is still loading its data',
    },
    {
      peer: 'answering otherwise',
      trouble: 'The answer is not the expected one.',
      sentence: 'the answer to "GET" is "red" instead of "green"',
    },
  ],
})

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const standIn = async (...options: Parameters<typeof redisStandIn>) =>
    world.keep(await ProtocolTarget.start(redisStandIn(...options)))
  const get = { command: ['GET', 'state'] }
  const replying = (reply: string) => standIn({ replies: { GET: reply } })
  const common = await serverPeers(world, {
    at: (address) => address,
    open: redisStandIn(),
    locked: redisStandIn({ password }),
  })
  const reflecting = await standIn({ password, replies: { GET: `-ERR no ${password}\r\n` } })
  const peers = {
    ...common,
    locked: fails(await standIn({ password })),
    loading: fails({ ...(await replying('-LOADING Redis is loading\r\n')), ...get }),
    'answering as expected': succeeds({ ...(await replying('$5\r\ngreen\r\n')), ...get, expect: 'green' }),
    'answering with a list': succeeds({
      ...(await replying('*2\r\n$1\r\na\r\n:1\r\n')),
      ...get,
      expect: 'a 1',
    }),
    'answering otherwise': fails({ ...(await replying('$3\r\nred\r\n')), ...get, expect: 'green' }),
    'answering with nothing': fails({ ...(await replying('$-1\r\n')), ...get, expect: 'green' }),
    reflecting: fails({ ...reflecting, ...login, ...get }),
    'reflecting a value': fails({
      ...(await standIn({ password, replies: { GET: `+${password}\r\n` } })),
      ...login,
      ...get,
      expect: 'green',
    }),
    'endless in its answer': fails({ ...(await endless('$1048577\r\n')), ...get }),
    'endless in parts': fails({ ...(await endless('*1048576\r\n')), ...get }),
    'endless in lists': fails({ ...(await endless('*1\r\n'.repeat(1_000))), ...get }),
    'endless in a line': fails({ ...(await endless('+')), ...get }),
  }
  return world.scenarios({ peers, troubles, credentials })

  async function endless(beginning: string) {
    const parts = Buffer.from(':1\r\n'.repeat(1_000))
    const noise = Buffer.alloc(64 * 1024, 'x')
    const target = await ProtocolTarget.start(async (connection) => {
      await connection.read(1)
      connection.write(beginning)
      await connection.pour(beginning.startsWith('*1048576') ? parts : noise)
    })
    return world.keep(target)
  }
}
