// The mysql check against MariaDB.
import { checkFixture } from '@pulseward/testing/checks'
import { describeServer, mariadb, type RunningMariadb, startMariadb } from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Outcome } from '../driver.ts'
import { mysql } from './mysql.ts'

describeServer(mariadb, (program) => {
  let server: RunningMariadb
  const fixture = checkFixture()
  beforeAll(async () => {
    server = await startMariadb(program)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })
  const check = async (config: object, timeoutMs?: number): Promise<Outcome> => {
    const { port, user, password, database } = server
    const login = { host: '127.0.0.1', port, user, password, database }
    return (await fixture.run(mysql, { ...login, ...config } as never, timeoutMs)).outcome
  }

  it('is let in and compares the answer', async () => {
    expect(await check({})).toMatchObject({ status: 'success' })
    expect(await check({ query: 'SELECT @@read_only', expect: { value: 0 } })).toMatchObject({
      status: 'success',
    })
    expect(await check({ query: 'DO 1', expect: { max_rows: 0 } })).toMatchObject({ status: 'success' })
    expect(await check({ query: 'SELECT 41', expect: { value: 42 } })).toMatchObject({
      reason: 'the query gave "41" instead of "42"',
    })
    expect(await check({ query: 'SELECT NULL', expect: { value: 42 } })).toMatchObject({
      reason: 'the query gave NULL instead of "42"',
    })
  })

  it('says who is not let in, and what is not there', async () => {
    const peer = `127.0.0.1:${server.port}`
    const refused = { reason: `the login was refused by ${peer}` }
    expect(await check({ password: 'another' })).toMatchObject(refused)
    expect(await check({ password: undefined })).toMatchObject(refused)
    expect(await check({ user: 'stranger' })).toMatchObject(refused)
    expect(await check({ database: 'nowhere' })).toMatchObject({
      reason: `the user may not use the database "nowhere" on ${peer}`,
    })
    expect(await check({ query: 'SELECT * FROM nothing' })).toMatchObject({
      reason: `${peer} answered with an error (1146): "Table 'shop.nothing' doesn't exist"`,
    })
  })

  it('speaks TLS from the middle of the login on and sees the certificate', async () => {
    const tls = { ca: certificates.authority }
    expect(await check({ tls, query: 'SELECT 1', expect: { value: 1 } })).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    expect(await check({ tls: { ...tls, server_name: 'other.test' } })).toMatchObject({
      reason: expect.stringMatching(/^the certificate is for .*, not other\.test$/),
    })
  })

  it('ends at its deadline and within its bounds', async () => {
    const peer = `127.0.0.1:${server.port}`
    expect(await check({ query: 'SELECT sleep(30)' }, 300)).toMatchObject({
      status: 'timeout',
      reason: `no answer to the query from ${peer} within 300 ms`,
    })
    expect(await check({ query: "SELECT repeat('x', 3000000)" })).toMatchObject({
      reason: `the answer to the query of ${peer} is longer than 1 MiB`,
    })
  })
})
