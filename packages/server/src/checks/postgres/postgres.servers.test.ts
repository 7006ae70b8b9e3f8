// The postgres check against PostgreSQL itself, which asks for passwords by SCRAM-SHA-256.
import { checkFixture } from '@pulseward/testing/checks'
import {
  describeServer,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Outcome } from '../driver.ts'
import { postgres } from './postgres.ts'

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  const fixture = checkFixture()
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })
  const check = async (config: object, timeoutMs?: number): Promise<Outcome> => {
    const { port, user, password } = server
    const login = { host: '127.0.0.1', port, user, password, database: 'postgres' }
    return (await fixture.run(postgres, { ...login, ...config } as never, timeoutMs)).outcome
  }

  it('is let in and compares the answer', async () => {
    expect(await check({})).toMatchObject({ status: 'success' })
    const expected = { value: 42, min_rows: 1, max_rows: 1 }
    expect(await check({ query: 'SELECT 6 * 7', expect: expected })).toMatchObject({ status: 'success' })
    expect(await check({ query: 'SELECT true', expect: { value: true } })).toMatchObject({
      status: 'success',
    })
    expect(await check({ query: 'SELECT 41', expect: { value: 42 } })).toMatchObject({
      reason: 'the query gave "41" instead of "42"',
    })
    expect(await check({ query: 'SELECT NULL', expect: { value: 42 } })).toMatchObject({
      reason: 'the query gave NULL instead of "42"',
    })
  })

  it('says who is not let in, and what is not there', async () => {
    const peer = `127.0.0.1:${server.port}`
    expect(await check({ password: 'another' })).toMatchObject({ reason: `the login was refused by ${peer}` })
    expect(await check({ password: undefined })).toMatchObject({ reason: `${peer} asks for a password` })
    expect(await check({ database: 'nowhere' })).toMatchObject({
      reason: `there is no database "nowhere" on ${peer}`,
    })
    expect(await check({ query: 'SELECT * FROM nothing' })).toMatchObject({
      reason: `${peer} answered with an error (42P01): "relation "nothing" does not exist"`,
    })
  })

  it('speaks TLS and sees the certificate', async () => {
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
    expect(await check({ query: 'SELECT pg_sleep(30)' }, 300)).toMatchObject({
      status: 'timeout',
      reason: `no answer to the query from ${peer} within 300 ms`,
    })
    const long = "SELECT repeat('x', 1000) FROM generate_series(1, 100000)"
    expect(await check({ query: long })).toMatchObject({
      reason: `the answer to the query of ${peer} is longer than 1 MiB`,
    })
  })
})
