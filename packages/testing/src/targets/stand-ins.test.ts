// Servers that no Debian package brings have stand-ins here, written from their documentation. That they speak the
// protocol is not for us to say: the clients that everybody uses must be content with them.
import { Connection, metadataV7 } from '@platformatic/kafka'
import { MongoClient } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { kafkaStandIn } from './kafka-target.ts'
import { mongoStandIn } from './mongo-target.ts'
import { ProtocolTarget } from './protocol-target.ts'

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

describe('the stand-in for Kafka', () => {
  const topics = { orders: [{ leader: 0, inSync: [0, 1] }] }
  const open = async (port: number, mechanism: string, given: string) => {
    const sasl = { mechanism: mechanism as 'PLAIN', username: user, password: given }
    const connection = new Connection('test', { sasl })
    await connection.connect('127.0.0.1', port)
    return connection
  }

  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])(
    'lets an ordinary client in by %s',
    async (mechanism) => {
      const login = { mechanism, user, password }
      await using target = await ProtocolTarget.start(kafkaStandIn({ login, topics, brokers: 3 }))
      const connection = await open(target.port, mechanism, password)
      const metadata = await metadataV7.api.async(connection, ['orders'], false, false)
      await connection.close()
      expect(metadata.brokers).toHaveLength(3)
      expect(metadata.topics).toMatchObject([
        { name: 'orders', partitions: [{ leaderId: 0, isrNodes: [0, 1], offlineReplicas: [] }] },
      ])
    },
  )

  it.each(['PLAIN', 'SCRAM-SHA-256'])(
    'refuses an ordinary client with a wrong password by %s',
    async (mechanism) => {
      const login = { mechanism, user, password }
      await using target = await ProtocolTarget.start(kafkaStandIn({ login }))
      await expect(open(target.port, mechanism, 'another')).rejects.toThrow()
    },
  )
})
