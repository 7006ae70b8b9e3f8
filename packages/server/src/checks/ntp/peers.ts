// checks/ntp/peers.ts: the peers that the ntp check meets in its contract.
import {
  type CheckScenarios,
  fails,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { UdpTarget } from '@pulseward/testing/targets'
import { type NtpClock, ntpReply } from './stand-in.fixture.ts'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'Nothing listens at the port.',
      sentence: 'HOST:PORT refuses datagrams: nothing listens at the port',
    },
    {
      peer: 'limiting',
      trouble: 'The server is asked too often.',
      sentence: 'HOST:PORT turns us away: it is asked too often',
    },
    {
      peer: 'denying',
      trouble: 'The server does not serve this machine.',
      sentence: 'HOST:PORT turns us away: this machine may not ask it',
    },
  ],
  black_hole: [
    { peer: 'silent', trouble: 'Nothing answers.', sentence: 'no answer from HOST:PORT within TIMEOUT' },
  ],
  wrong_credentials: [],
  wrong_protocol: [
    {
      peer: 'garbage',
      trouble: 'The server speaks another protocol.',
      sentence: 'the answer of HOST:PORT is not NTP',
    },
  ],
  slow: [],
  certificate: [],
  unhealthy: [
    {
      peer: 'unsynchronised',
      trouble: 'The server has not found the time yet.',
      sentence: 'the clock of HOST:PORT is not synchronised',
    },
    {
      peer: 'starting',
      trouble: 'The server was started a moment ago.',
      sentence: 'the clock of HOST:PORT is not synchronised',
    },
    {
      peer: 'alarmed',
      trouble: 'The server has lost the time.',
      sentence: 'the clock of HOST:PORT is not synchronised',
    },
  ],
}

const garbage = Buffer.from('this is not an NTP message, but it is as long as one of them')

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const datagrams = async (bytes: (request: Buffer) => Buffer) =>
    world.keep(await UdpTarget.start({ kind: 'reply', bytes }))
  const clock = (is: NtpClock) => datagrams((request) => ntpReply(request, is))
  const peers = {
    healthy: succeeds({ ...(await clock({})), max_offset: '10s' }),
    'healthy with a warning': succeeds({ ...(await clock({ aheadMs: 3_600_000 })), max_offset: '10s' }),
    refusing: fails(world.keep(await UdpTarget.start({ kind: 'refusing' }))),
    limiting: fails(await clock({ stratum: 0, reference: 'RATE' })),
    denying: fails(await clock({ stratum: 0, reference: 'DENY' })),
    starting: fails(await clock({ stratum: 0, reference: 'INIT' })),
    silent: timesOut(world.keep(await UdpTarget.start({ kind: 'silent' }))),
    garbage: fails(await datagrams(() => garbage)),
    short: fails(await datagrams((request) => ntpReply(request).subarray(0, 47))),
    // A sender that cannot see our request cannot answer it.
    forging: timesOut(await datagrams(() => ntpReply(Buffer.alloc(48)))),
    endless: fails(world.keep(await UdpTarget.start({ kind: 'endless', bytes: garbage }))),
    'echoing what it got': fails(world.keep(await UdpTarget.start({ kind: 'echo' }))),
    unsynchronised: fails(await clock({ stratum: 16 })),
    alarmed: fails(await clock({ leap: 3 })),
    unreachable: fails({ host: '169.254.169.254' }),
  }
  return world.scenarios({ peers, troubles })
}
