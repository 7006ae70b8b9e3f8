// checks/mysql/peers.ts: the peers that the mysql check meets in its contract.
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
import { mysqlStandIn } from './stand-in.fixture.ts'

export const troubles = serverTroubles({
  protocol: 'MySQL',
  awaited: 'greeting',
  withoutTls: 'HOST:PORT does not offer TLS',
  credentials: [
    {
      peer: 'closed to this machine',
      trouble: 'No user may come from this machine.',
      sentence: 'HOST:PORT does not let this machine in',
    },
  ],
  unhealthy: [
    {
      peer: 'full',
      trouble: 'All connections are taken.',
      sentence: 'HOST:PORT has no connection left for us',
    },
    {
      peer: 'without the database',
      trouble: 'The database is not there.',
      sentence: 'there is no database "shop" on HOST:PORT',
    },
    {
      peer: 'answering otherwise',
      trouble: 'The query gives another value.',
      sentence: 'the query gave "1" instead of "2"',
    },
    {
      peer: 'answering too much',
      trouble: 'The query gives too many rows.',
      sentence: 'the query gave 1 row, more than 0',
    },
  ],
})

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const always = { user: 'ward' }
  const standIn = async (...options: Parameters<typeof mysqlStandIn>) => ({
    ...world.keep(await ProtocolTarget.start(mysqlStandIn(...options))),
    ...always,
  })
  const common = await serverPeers(world, {
    at: (address) => address,
    open: mysqlStandIn(),
    locked: mysqlStandIn({ password }),
    offeringTls: (identity) => mysqlStandIn({ identity }),
    always,
  })
  const refusing = (code: number, text: string) => standIn({ refusal: [code, text] })
  const query = 'SELECT 1'
  const peers = {
    ...common,
    'healthy with a login and secured': succeeds({
      ...common['healthy and secured']!.config,
      ...login,
      query,
    }),
    'answering as expected': succeeds({ ...(await standIn()), query, expect: { value: '1' } }),
    'answering otherwise': fails({ ...(await standIn()), query, expect: { value: 2 } }),
    'answering too much': fails({ ...(await standIn()), query, expect: { max_rows: 0 } }),
    'without the database': fails({ ...(await refusing(1049, 'no')), database: 'shop' }),
    'closed to this machine': fails(await refusing(1130, 'no')),
    full: fails(await refusing(1040, 'no')),
    'in another trouble': fails(await refusing(1146, 'deadlock\u001b[31m\nsecond line')),
    reflecting: fails({ ...(await refusing(1146, `what is ${password}?`)), ...login }),
    'reflecting a value': fails({
      ...(await standIn({ value: password })),
      ...login,
      query,
      expect: { value: 1 },
    }),
    'endless in its answer': fails({ ...(await standIn({ isEndless: true })), query }),
  }
  return world.scenarios({ peers, troubles, credentials })
}
