// checks/mongo/peers.ts: the peers that the mongo check meets in its contract.
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
import { mongoStandIn } from './stand-in.fixture.ts'

export const troubles = serverTroubles({
  protocol: 'MongoDB',
  awaited: 'greeting',
  credentials: [
    {
      peer: 'locked',
      trouble: 'The server wants a login, and none is configured.',
      sentence: 'HOST:PORT asks for a login',
    },
    {
      peer: 'an impostor',
      trouble: 'Something else answers in the name of the server.',
      sentence: 'HOST:PORT did not prove that it knows the password',
    },
  ],
  unhealthy: [
    {
      peer: 'recovering',
      trouble: 'The member is neither primary nor secondary, or not the one that is wanted.',
      sentence: 'HOST:PORT is not a primary',
    },
    {
      peer: 'answering otherwise',
      trouble: 'The answer to the command is another.',
      sentence: 'the field "state" of the answer is "2" instead of "1"',
    },
  ],
})

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const standIn = async (...options: Parameters<typeof mongoStandIn>) =>
    world.keep(await ProtocolTarget.start(mongoStandIn(...options)))
  const user = 'ward'
  const common = await serverPeers(world, {
    at: (address) => address,
    open: mongoStandIn(),
    locked: mongoStandIn({ user, password }),
  })
  const command = { replSetGetStatus: 1 }
  const replies = { replSetGetStatus: { state: 2, note: password, ok: 1 } }
  const failing = {
    replSetGetStatus: { ok: 0, code: 76, codeName: 'NoReplicationEnabled', errmsg: password },
  }
  const endless = await ProtocolTarget.start(async (connection) => {
    const head = Buffer.from(await connection.read(16))
    head.writeInt32LE(1024 * 1024, 0)
    head.copy(head, 8, 4, 8)
    connection.write(head)
    await connection.pour(Buffer.alloc(64 * 1024, 'x'))
  })
  const peers = {
    ...common,
    'healthy with an old login': succeeds({
      ...(await standIn({ user, password, mechanism: 'SCRAM-SHA-1' })),
      ...login,
    }),
    'a primary': succeeds({ ...(await standIn()), role: 'primary' }),
    'answering as expected': succeeds({
      ...(await standIn({ replies })),
      command,
      expect: { state: 2, ok: 1 },
    }),
    locked: fails(await standIn({ user, password })),
    'an impostor': fails({ ...(await standIn({ user, password, isImpostor: true })), ...login }),
    recovering: fails({ ...(await standIn({ greeting: { maxWireVersion: 25 } })), role: 'primary' }),
    'answering otherwise': fails({ ...(await standIn({ replies })), command, expect: { state: 1 } }),
    'answering too little': fails({ ...(await standIn({ replies })), command, expect: { members: 3 } }),
    'without the command': fails({ ...(await standIn()), command }),
    reflecting: fails({ ...(await standIn({ user, password, replies: failing })), ...login, command }),
    'reflecting a value': fails({
      ...(await standIn({ user, password, replies })),
      ...login,
      command,
      expect: { note: 'fine' },
    }),
    'endless in its answer': fails(world.keep(endless)),
  }
  return world.scenarios({ peers, troubles, credentials })
}
