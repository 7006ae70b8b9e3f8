// The rabbitmq check against RabbitMQ itself. Messages are brought to the queue by an ordinary client.
import { checkFixture } from '@pulseward/testing/checks'
import {
  describeServer,
  type RunningRabbitmq,
  rabbitmqServer,
  startRabbitmq,
} from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { connect } from 'amqplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Outcome } from '../driver.ts'
import { rabbitmq } from './rabbitmq.ts'

describeServer(rabbitmqServer, (program) => {
  let server: RunningRabbitmq
  const fixture = checkFixture()
  beforeAll(async () => {
    server = await startRabbitmq(program)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })
  const check = async (config: object): Promise<Outcome> => {
    const { port, user, password, vhost } = server
    const login = { url: `amqp://127.0.0.1:${port}/${vhost}`, user, password }
    return (await fixture.run(rabbitmq, { ...login, ...config } as never)).outcome
  }

  it('is let in, by its parts and by a url that holds everything', async () => {
    expect(await check({})).toMatchObject({ status: 'success' })
    const { port, user, password, vhost } = server
    const url = `amqp://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${vhost}`
    expect(await check({ url, user: undefined, password: undefined })).toMatchObject({ status: 'success' })
  })

  it('says who is not let in', async () => {
    const peer = `127.0.0.1:${server.port}`
    expect(await check({ password: 'another' })).toMatchObject({ reason: `the login was refused by ${peer}` })
    for (const vhost of ['nowhere', 'closed']) {
      expect(await check({ url: `amqp://${peer}/${vhost}` })).toMatchObject({
        reason: `the virtual host "${vhost}" is not open to this user on ${peer}`,
      })
    }
  })

  it('looks at a queue without making one', async () => {
    const { queue, port, user, password, vhost } = server
    expect(await check({ queue, max_messages: 0 })).toMatchObject({ status: 'success' })
    expect(await check({ queue, min_consumers: 1 })).toMatchObject({
      reason: `the queue "${queue}" has 0 consumers, fewer than 1`,
    })
    const noQueue = { reason: `there is no queue "refunds" on 127.0.0.1:${port}` }
    expect(await check({ queue: 'refunds' })).toMatchObject(noQueue)
    expect(await check({ queue: 'refunds' })).toMatchObject(noQueue)

    const connection = await connect({ hostname: '127.0.0.1', port, username: user, password, vhost })
    const channel = await connection.createConfirmChannel()
    channel.sendToQueue(queue, Buffer.from('one'))
    channel.sendToQueue(queue, Buffer.from('two'))
    await channel.waitForConfirms()
    await connection.close()
    expect(await check({ queue, max_messages: 1 })).toMatchObject({
      reason: `2 messages wait in the queue "${queue}", more than 1`,
    })
  })

  it('speaks TLS and sees the certificate', async () => {
    const url = `amqps://127.0.0.1:${server.securePort}/${server.vhost}`
    expect(await check({ url, tls: { ca: certificates.authority } })).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    expect(await check({ url })).toMatchObject({
      reason: expect.stringContaining('not signed by a trusted authority'),
    })
  })
})
