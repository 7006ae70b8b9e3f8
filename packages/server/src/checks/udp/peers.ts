// checks/udp/peers.ts: the peers that the udp check meets in its contract.
import {
  type CheckScenarios,
  fails,
  givesNoData,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { type UdpBehaviour, UdpTarget } from '@pulseward/testing/targets'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'Nothing listens at the port.',
      sentence: 'HOST:PORT refuses datagrams: nothing listens at the port',
    },
    {
      peer: 'refusing without an expected answer',
      trouble: 'Nothing listens at the port, and no answer is expected.',
      sentence: 'HOST:PORT refuses datagrams: nothing listens at the port',
    },
  ],
  black_hole: [
    { peer: 'silent', trouble: 'Nothing answers.', sentence: 'no answer from HOST:PORT within TIMEOUT' },
  ],
  wrong_credentials: [],
  wrong_protocol: [
    {
      peer: 'garbage',
      trouble: 'The server answers something else.',
      sentence: 'the answer of HOST:PORT is without "pong"',
    },
  ],
  slow: [],
  certificate: [],
  unhealthy: [],
}

const secret = 'correct horse battery staple'
const garbage = Buffer.from(Array.from({ length: 1_024 }, (_, index) => (index * 167 + 13) & 0xff))

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const target = async (behaviour: UdpBehaviour) => world.keep(await UdpTarget.start(behaviour))
  const closed = await target({ kind: 'refusing' })
  const silent = await target({ kind: 'silent' })
  const ping = { send: 'ping', expect: 'pong' }
  const peers = {
    healthy: succeeds({ ...(await target({ kind: 'reply', bytes: () => Buffer.from('pong') })), ...ping }),
    'healthy without an expected answer': succeeds(silent),
    refusing: fails({ ...closed, ...ping }),
    'refusing without an expected answer': fails(closed),
    silent: timesOut({ ...silent, ...ping }),
    garbage: fails({ ...(await target({ kind: 'reply', bytes: () => garbage })), ...ping }),
    endless: fails({ ...(await target({ kind: 'endless', bytes: garbage })), ...ping }),
    reflecting: fails({
      ...(await target({ kind: 'echo' })),
      send: { credential: 'LOGIN' },
      expect: 'welcome',
    }),
    unreachable: fails({ host: '169.254.169.254', port: 53, ...ping }),
    unreadable: givesNoData({ ...silent, send: 'xyz', encoding: 'hex' }),
  }
  return world.scenarios({ peers, troubles, credentials: new Map([['LOGIN', secret]]) })
}
