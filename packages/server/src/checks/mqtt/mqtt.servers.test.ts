// The mqtt check against Mosquitto.
import { checkFixture } from '@pulseward/testing/checks'
import { describeServer, mosquitto, type RunningMosquitto, startMosquitto } from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Outcome } from '../driver.ts'
import { mqtt } from './mqtt.ts'

describeServer(mosquitto, (program) => {
  let server: RunningMosquitto
  const fixture = checkFixture()
  beforeAll(async () => {
    server = await startMosquitto(program)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })
  const check = async (config: object, timeoutMs?: number): Promise<Outcome> => {
    const { port, user, password } = server
    const login = { host: '127.0.0.1', port, user, password }
    return (await fixture.run(mqtt, { ...login, ...config } as never, timeoutMs)).outcome
  }

  it('is let in and gets its message back', async () => {
    const { topic } = server
    expect(await check({})).toMatchObject({ status: 'success' })
    expect(await check({ topic })).toMatchObject({ status: 'success' })
    expect(await check({ topic, message: 'ü'.repeat(2_000) })).toMatchObject({ status: 'success' })
  })

  it('says who is not let in', async () => {
    const refused = { reason: `the login was refused by 127.0.0.1:${server.port}` }
    expect(await check({ password: 'another' })).toMatchObject(refused)
    expect(await check({ user: undefined, password: undefined })).toMatchObject(refused)
    expect(await check({ topic: 'elsewhere' }, 300)).toMatchObject({
      status: 'timeout',
      reason: `no message on "elsewhere" from 127.0.0.1:${server.port} within 300 ms`,
    })
  })

  it('speaks TLS and sees the certificate', async () => {
    const secured = { port: server.securePort, tls: { ca: certificates.authority } }
    expect(await check({ ...secured, topic: server.topic })).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    expect(await check({ ...secured, tls: {} })).toMatchObject({
      reason: expect.stringContaining('not signed by a trusted authority'),
    })
  })
})
