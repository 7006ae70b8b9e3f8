// The redis check against Redis itself.
import { checkFixture } from '@pulseward/testing/checks'
import { describeServer, type RunningRedis, redisServer, startRedis } from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Outcome } from '../driver.ts'
import { redis } from './redis.ts'

describeServer(redisServer, (program) => {
  let server: RunningRedis
  const fixture = checkFixture()
  const host = '127.0.0.1'
  beforeAll(async () => {
    server = await startRedis(program)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })
  const check = async (config: object): Promise<Outcome> => {
    const login = { host, port: server.port, password: server.password }
    return (await fixture.run(redis, { ...login, ...config } as never)).outcome
  }

  it('is let in with the password and gets its PONG', async () => {
    expect(await check({ expect: 'PONG' })).toMatchObject({ status: 'success' })
    expect(await check({ user: server.pingUser })).toMatchObject({ status: 'success' })
    expect(await check({ user: 'default', database: 3 })).toMatchObject({ status: 'success' })
  })

  it('compares texts, numbers, lists and nothing', async () => {
    expect(await check({ command: ['SET', 'color', 'green'], expect: 'OK' })).toMatchObject({
      status: 'success',
    })
    expect(await check({ command: ['GET', 'color'], expect: 'green' })).toMatchObject({ status: 'success' })
    expect(await check({ command: ['STRLEN', 'color'], expect: '5' })).toMatchObject({ status: 'success' })
    expect(await check({ command: ['MGET', 'color', 'shape'], expect: 'green ' })).toMatchObject({
      status: 'success',
    })
    expect(await check({ command: ['GET', 'shape'], expect: 'round' })).toMatchObject({
      reason: 'the answer to "GET" is nothing instead of "round"',
    })
  })

  it('says who is not let in', async () => {
    const peer = `${host}:${server.port}`
    expect(await check({ password: 'another' })).toMatchObject({ reason: `the login was refused by ${peer}` })
    expect(await check({ password: undefined })).toMatchObject({ reason: `${peer} asks for a login` })
    expect(await check({ user: server.pingUser, command: ['GET', 'color'] })).toMatchObject({
      reason: `the user may not do this on ${peer}`,
    })
    expect(await check({ command: ['NONSENSE'] })).toMatchObject({
      reason: expect.stringMatching(/answered "NONSENSE" with an error: "ERR unknown command/),
    })
  })

  it('speaks TLS and sees the certificate', async () => {
    const secured = { port: server.securePort, tls: { ca: certificates.authority } }
    expect(await check(secured)).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    expect(await check({ ...secured, tls: {} })).toMatchObject({
      reason: expect.stringContaining('not signed by a trusted authority'),
    })
  })
})
