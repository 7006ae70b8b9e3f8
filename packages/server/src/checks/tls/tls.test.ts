// What the contract does not ask of the tls check; its troubles stand in peers.ts.
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { CERTIFICATES_END_AT, certificates, HttpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { StartTlsTarget } from './stand-in.fixture.ts'
import { tls } from './tls.ts'

const ca = certificates.authority
const host = '127.0.0.1'

describe('a tls check', () => {
  it('tells when the certificate ends, and marks its phases', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.good } })
    const run = new LoopbackRun()
    expect(await runCheck(tls, { host, port: target.port, ca }, run)).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    expect(run.marks).toEqual(['connect', 'tls'])
  })

  it('tells when the certificate ended, also when it is refused', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.expired } })
    expect(await runCheck(tls, { host, port: target.port, ca })).toMatchObject({
      status: 'failure',
      certificateExpiresAt: Date.UTC(2026, 0, 2),
    })
  })

  it('asks for the configured name and verifies it', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.other } })
    const config = { host, port: target.port, ca, server_name: 'other.test' }
    expect(await runCheck(tls, config)).toMatchObject({ status: 'success' })
  })

  it('verifies the name alone where the chain is not to be verified', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.other } })
    const config = { host, port: target.port, verify: { chain: false } }
    expect(await runCheck(tls, config)).toMatchObject({
      reason: 'the certificate is for other.test, not 127.0.0.1',
    })
  })

  it('asks PostgreSQL for TLS as its protocol says', async () => {
    await using target = await StartTlsTarget.start({ reply: 'S', agrees: true })
    await runCheck(tls, { host, port: target.port, ca, starttls: 'postgres' })
    expect(target.requests.map((request) => request.toString('hex'))).toEqual(['0000000804d2162f'])
  })

  it.each([
    [undefined, '127.0.0.1:443'],
    ['smtp', '127.0.0.1:25'],
    ['imap', '127.0.0.1:143'],
    ['postgres', '127.0.0.1:5432'],
  ] as const)('begins with the usual port for starttls %s', (starttls, target) => {
    expect(tls.target({ host, ...(starttls === undefined ? {} : { starttls }) })).toBe(target)
  })
})
