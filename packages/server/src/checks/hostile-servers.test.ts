// Servers that answer almost rightly: a byte changed here, an answer cut short or doubled there. Whatever comes, a check
// ends with an outcome of its own, in time, in words, without a socket left; and no library brings the process down.
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { checkFixture } from '../../../testing/src/check-fixture.ts'
import { amqpStandIn } from '../../../testing/src/targets/amqp-target.ts'
import { kafkaStandIn } from '../../../testing/src/targets/kafka-target.ts'
import { mongoStandIn } from '../../../testing/src/targets/mongo-target.ts'
import { mqttStandIn } from '../../../testing/src/targets/mqtt-target.ts'
import { mysqlStandIn } from '../../../testing/src/targets/mysql-target.ts'
import { postgresStandIn } from '../../../testing/src/targets/postgres-target.ts'
import { ProtocolTarget, type Serve } from '../../../testing/src/targets/protocol-target.ts'
import { redisStandIn } from '../../../testing/src/targets/redis-target.ts'
import type { CheckDriver } from './driver.ts'
import { checks } from './registry.ts'

const password = 'correct horse'
const login = { user: 'ward', password }
const topics = { orders: [{ leader: 0, inSync: [0, 1] }] }
const query = { query: 'SELECT 1', expect: { value: 1 } }

const servers: Record<string, [serve: Serve, configOf: (port: number) => object]> = {
  redis: [
    redisStandIn({ password, replies: { MGET: '*2\r\n$1\r\na\r\n:1\r\n' } }),
    (port) => ({ host: '127.0.0.1', port, password, command: ['MGET', 'a', 'b'] }),
  ],
  postgres: [postgresStandIn({ password }), (port) => ({ host: '127.0.0.1', port, ...login, ...query })],
  mysql: [mysqlStandIn({ password }), (port) => ({ host: '127.0.0.1', port, ...login, ...query })],
  mongo: [mongoStandIn(login), (port) => ({ host: '127.0.0.1', port, ...login })],
  rabbitmq: [
    amqpStandIn({ password, queue: { name: 'orders', messages: 1, consumers: 1 } }),
    (port) => ({ url: `amqp://127.0.0.1:${port}`, ...login, queue: 'orders' }),
  ],
  kafka: [
    kafkaStandIn({ topics, login: { mechanism: 'SCRAM-SHA-256', ...login } }),
    (port) => ({ brokers: [`127.0.0.1:${port}`], ...login, mechanism: 'scram-sha-256', topic: 'orders' }),
  ],
  mqtt: [mqttStandIn({ password }), (port) => ({ host: '127.0.0.1', port, ...login, topic: 'probe' })],
}

/** What is done to the answer with this number. */
interface Harm {
  readonly answer: number
  readonly kind: 'change' | 'cut' | 'double' | 'insert'
  readonly at: number
  readonly byte: number
}

const harm: fc.Arbitrary<Harm> = fc.record({
  answer: fc.nat(5),
  kind: fc.constantFrom('change', 'cut', 'double', 'insert'),
  at: fc.nat(120),
  byte: fc.nat(255),
})

function harmed(serve: Serve, harms: readonly Harm[]): Serve {
  return (connection) => {
    const write = connection.write.bind(connection)
    let answers = 0
    connection.write = (bytes) => {
      const number = answers++
      write(harms.filter(({ answer }) => answer === number).reduce(doHarm, Buffer.from(bytes as Buffer)))
    }
    return serve(connection)
  }
}

function doHarm(bytes: Buffer, { kind, at: anywhere, byte }: Harm): Buffer {
  const at = bytes.length === 0 ? 0 : anywhere % bytes.length
  switch (kind) {
    case 'change':
      bytes[at] = byte
      return bytes
    case 'cut':
      return bytes.subarray(0, at)
    case 'double':
      return Buffer.concat([bytes, bytes])
    case 'insert':
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(byte, byte), bytes.subarray(at)])
  }
}

const fixture = checkFixture()
afterAll(() => fixture[Symbol.dispose]())

describe.each(Object.entries(servers))('the %s check', (name, [serve, configOf]) => {
  const driver = (checks as unknown as Record<string, CheckDriver>)[name]!

  it('is content with the server as it is', async () => {
    await using target = await ProtocolTarget.start(serve)
    const { outcome } = await fixture.run(driver, configOf(target.port) as never)
    expect(outcome).toMatchObject({ status: 'success' })
  })

  it('gives an outcome whatever is done to the answers', async () => {
    const worlds = fc.sample(fc.array(harm, { minLength: 1, maxLength: 3 }), {
      numRuns: 120,
      seed: 20_260_314,
    })
    const findings = await Promise.all(worlds.map(async (harms) => [harms, await faultOf(harms)] as const))
    expect(findings.filter(([, fault]) => fault !== null)).toEqual([])
  })

  async function faultOf(harms: readonly Harm[]): Promise<string | null> {
    await using target = await ProtocolTarget.start(harmed(serve, harms))
    try {
      const { outcome } = await fixture.run(driver, configOf(target.port) as never, 1_500)
      const isWorded = outcome.status === 'success' || /^[^\p{Cc}]{10,300}$/u.test(outcome.reason ?? '')
      if (!isWorded || outcome.reason?.includes(password)) return `says ${outcome.reason}`
      return null
    } catch (error) {
      return `throws ${String(error)}`
    }
  }
})
