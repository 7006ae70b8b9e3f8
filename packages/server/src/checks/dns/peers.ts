// checks/dns/peers.ts: the peers that the dns check meets in its contract.
import {
  type CheckScenarios,
  checkFixture,
  fails,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import { type DnsBehaviour, DnsTarget } from '@pulseward/testing/targets'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'The server does not answer questions of this machine.',
      sentence: 'the answer for shop.test is REFUSED instead of NOERROR',
    },
  ],
  black_hole: [
    {
      peer: 'silent',
      trouble: 'Nothing answers.',
      sentence: 'no answer from the DNS server HOST:PORT within TIMEOUT',
    },
  ],
  wrong_credentials: [],
  wrong_protocol: [
    {
      peer: 'malformed',
      trouble: 'The answer breaks off or contradicts itself.',
      sentence: 'the answer of HOST:PORT is malformed: a compressed name does not point backwards',
    },
  ],
  slow: [],
  certificate: [],
  unhealthy: [
    {
      peer: 'failing',
      trouble: 'The server cannot find the answer.',
      sentence: 'the answer for shop.test is SERVFAIL instead of NOERROR',
    },
  ],
}

const host = 'shop.test'
const zone = {
  [host]: [
    { type: 'A', value: '192.0.2.1' },
    // About as much as one message can hold, each of them longer than a sentence.
    ...Array.from({ length: 220 }, () => ({ type: 'TXT', value: 'x'.repeat(255) }) as const),
  ],
} as const

export async function startPeers(): Promise<CheckScenarios> {
  await using owned = new AsyncDisposableStack()
  const server = async (behaviour: DnsBehaviour) =>
    owned.use(await DnsTarget.start({ zone, behaviour })).address
  const peers = {
    healthy: succeeds({ host, server: await server('answer'), expect: ['192.0.2.1'] }),
    refusing: fails({ host, server: await server('refused') }),
    failing: fails({ host, server: await server('servfail') }),
    silent: timesOut({ host, server: await server('nothing') }),
    // A message that does not answer the question is dropped, as if nothing had come.
    garbage: timesOut({ host, server: await server('garbage') }),
    'forging ids': timesOut({ host, server: await server('wrong-id') }),
    'answering another question': timesOut({ host, server: await server('wrong-question') }),
    malformed: fails({ host, server: await server('malformed') }),
    endless: fails({ host, server: await server('truncate'), record_type: 'TXT', expect: ['y'.repeat(255)] }),
  }
  const fixture = owned.use(checkFixture())
  const opened = owned.move()
  return {
    network: fixture.network,
    credentials: new Map(),
    peers,
    troubles,
    openConnections: () => 0,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
