// No Debian package brings MongoDB, so its stand-in is written from the documentation. That it speaks the protocol is
// shown by the official client, which must be content with it.
import { ProtocolTarget } from '@pulseward/testing/targets'
import { MongoClient } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { mongoStandIn } from './stand-in.fixture.ts'

const user = 'ward'
const password = 'correct horse'

describe('the stand-in for MongoDB', () => {
  const connect = (
    port: number,
    auth: { username: string; password: string },
    authMechanism?: 'SCRAM-SHA-1',
  ) =>
    new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      auth,
      serverSelectionTimeoutMS: 2_000,
      ...(authMechanism === undefined ? {} : { authMechanism }),
    })

  it.each(['SCRAM-SHA-256', 'SCRAM-SHA-1'] as const)(
    'lets the official client in by %s',
    async (mechanism) => {
      await using target = await ProtocolTarget.start(mongoStandIn({ user, password, mechanism }))
      await using client = connect(target.port, { username: user, password })
      expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 })
    },
  )

  it('refuses the official client with a wrong password', async () => {
    await using target = await ProtocolTarget.start(mongoStandIn({ user, password }))
    await using client = connect(target.port, { username: user, password: 'another' })
    await expect(client.db('admin').command({ ping: 1 })).rejects.toMatchObject({ code: 18 })
  })

  it('does not convince the official client without a proof', async () => {
    await using target = await ProtocolTarget.start(mongoStandIn({ user, password, isImpostor: true }))
    await using client = connect(target.port, { username: user, password })
    await expect(client.db('admin').command({ ping: 1 })).rejects.toThrow(/signature/i)
  })
})
