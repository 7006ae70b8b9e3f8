// No Debian package brings Kafka, so its stand-in is written from the documentation. That it speaks the protocol is
// shown by an ordinary client, which must be content with it.
import { Connection, metadataV7 } from '@platformatic/kafka'
import { ProtocolTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { kafkaStandIn } from './stand-in.fixture.ts'

const user = 'ward'
const password = 'correct horse'

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
