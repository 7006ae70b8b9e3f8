// checks/postgres/peers.ts: the peers that the postgres check meets in its contract.
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
import { postgresStandIn } from './stand-in.fixture.ts'

export const troubles = serverTroubles({
  protocol: 'PostgreSQL',
  awaited: 'answer to the login',
  withoutTls: 'HOST:PORT does not offer TLS',
  credentials: [
    {
      peer: 'closed to this machine',
      trouble: 'The rules of the server do not let this machine in.',
      sentence: 'the login was refused by HOST:PORT: "no pg_hba.conf entry for host 192.0.2.1"',
    },
  ],
  unhealthy: [
    {
      peer: 'without the database',
      trouble: 'The database is not there.',
      sentence: 'there is no database "shop" on HOST:PORT',
    },
    {
      peer: 'full',
      trouble: 'All connections are taken.',
      sentence: 'HOST:PORT has no connection left for us',
    },
    {
      peer: 'starting',
      trouble: 'The server is starting up or shutting down.',
      sentence: 'HOST:PORT is starting up or shutting down',
    },
    {
      peer: 'answering otherwise',
      trouble: 'The query gives another value.',
      sentence: 'the query gave "1" instead of "2"',
    },
    {
      peer: 'answering too little',
      trouble: 'The query gives too few rows.',
      sentence: 'the query gave 1 row, fewer than 2',
    },
  ],
})

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const always = { user: 'ward' }
  const standIn = async (...options: Parameters<typeof postgresStandIn>) => ({
    ...world.keep(await ProtocolTarget.start(postgresStandIn(...options))),
    ...always,
  })
  const common = await serverPeers(world, {
    at: (address) => address,
    open: postgresStandIn(),
    locked: postgresStandIn({ password }),
    offeringTls: (identity) => postgresStandIn({ identity }),
    always,
  })
  const refusing = (code: string, text: string) => standIn({ refusal: [code, text] })
  const query = 'SELECT 1'
  const peers = {
    ...common,
    'answering as expected': succeeds({ ...(await standIn()), query, expect: { value: 1, max_rows: 1 } }),
    'answering otherwise': fails({ ...(await standIn()), query, expect: { value: 2 } }),
    'answering too little': fails({ ...(await standIn()), query, expect: { min_rows: 2 } }),
    'without the database': fails({ ...(await refusing('3D000', 'no')), database: 'shop' }),
    'closed to this machine': fails(await refusing('28000', 'no pg_hba.conf entry for host 192.0.2.1')),
    full: fails(await refusing('53300', 'too many clients')),
    starting: fails(await refusing('57P03', 'starting up')),
    'in another trouble': fails(await refusing('XX000', 'deadlock\u001b[31m\nsecond line')),
    reflecting: fails({ ...(await refusing('XX000', `what is ${password}?`)), ...login }),
    'reflecting a value': fails({
      ...(await standIn({ row: [password] })),
      ...login,
      query,
      expect: { value: 1 },
    }),
    'endless in its answer': fails({ ...(await standIn({ isEndless: true })), query }),
  }
  return world.scenarios({ peers, troubles, credentials })
}
