import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import {
  CERTIFICATES_END_AT,
  certificates,
  closesEarly,
  HttpTarget,
  hangs,
  sends,
  type TlsSetup,
} from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

const ca = certificates.authority
const good: TlsSetup = { identity: certificates.good }

describe('an https check', () => {
  test('succeeds and tells when the certificate ends, on one connection', async () => {
    await using target = await HttpTarget.start({ tls: good })
    const run = new LoopbackRun()
    const outcome = await runCheck(http, { url: target.url('/', 'shop.test'), tls: { ca } }, run)
    expect(outcome).toMatchObject({ status: 'success', certificateExpiresAt: CERTIFICATES_END_AT })
    expect(run.marks).toEqual(['connect', 'tls', 'first_byte'])
    expect(target.acceptedSockets).toBe(1)
  })

  test('verifies an address by the addresses of the certificate', async () => {
    await using target = await HttpTarget.start({ tls: good })
    expect(await runCheck(http, { url: target.url(), tls: { ca } })).toMatchObject({ status: 'success' })
  })

  test('reads a body over TLS', async () => {
    await using target = await HttpTarget.start({ tls: good })
    const expected = { body: { contains: 'ok' } }
    const outcome = await runCheck(http, { url: target.url(), tls: { ca }, expect: expected })
    expect(outcome.status).toBe('success')
  })

  const refusals: readonly [string, TlsSetup, Partial<HttpConfig>, string][] = [
    [
      'an expired certificate',
      { identity: certificates.expired },
      { tls: { ca } },
      'the certificate expired on 2026-01-02',
    ],
    [
      'a certificate of the future',
      { identity: certificates.future },
      { tls: { ca } },
      'the certificate is not valid before 2120-01-01',
    ],
    [
      'a certificate for another name',
      { identity: certificates.other },
      { tls: { ca } },
      'the certificate is for other.test, not shop.test',
    ],
    [
      'a self-signed certificate',
      { identity: certificates.selfSigned },
      {},
      'the certificate is not signed by a trusted authority (self-signed)',
    ],
    [
      'an unknown authority',
      good,
      {},
      'the certificate is not signed by a trusted authority (the server may not send its intermediate certificate)',
    ],
    [
      'a server name that the certificate lacks',
      good,
      { tls: { ca, server_name: 'elsewhere.test' } },
      'the certificate is for shop.test, localhost, 127.0.0.1 and 1 more, not elsewhere.test',
    ],
    [
      'a missing client certificate',
      { ...good, clientAuthority: ca },
      { tls: { ca } },
      'the server asks for a client certificate',
    ],
    [
      'a missing client certificate in TLS 1.2',
      { ...good, clientAuthority: ca, maxVersion: 'TLSv1.2' },
      { tls: { ca } },
      'the server refused the TLS handshake',
    ],
    [
      'no common HTTP version',
      { ...good, alpn: ['http/1.1'] },
      { tls: { ca }, http_version: '2' },
      'the server does not offer this protocol over TLS',
    ],
    ['a server without HTTP/2', good, { tls: { ca }, http_version: '2' }, 'the server does not offer HTTP/2'],
  ]
  test('gives no data for a client key that cannot be read', async () => {
    await using target = await HttpTarget.start({ tls: good })
    const tls = { ca, certificate: certificates.client.certificate, key: 'no key' }
    expect(await runCheck(http, { url: target.url('/', 'shop.test'), tls })).toMatchObject({
      status: 'no_data',
      reason: 'the configured ca, certificate or key of tls cannot be read',
    })
    expect(target.requests).toEqual([])
  })

  for (const [title, tls, config, reason] of refusals) {
    test(`fails on ${title}`, async () => {
      await using target = await HttpTarget.start({ tls })
      const outcome = await runCheck(http, { url: target.url('/', 'shop.test'), ...config })
      expect(outcome).toMatchObject({ status: 'failure', reason })
      expect(target.requests).toEqual([])
    })
  }

  test('tells when a refused certificate ends, as evidence of the target', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.expired } })
    const outcome = await runCheck(http, { url: target.url('/', 'shop.test'), tls: { ca } })
    expect(outcome.certificateExpiresAt).toBe(Date.UTC(2026, 0, 2))
    expect(outcome.evidence).toBe('target')
  })

  test('accepts any certificate when it need not verify', async () => {
    for (const identity of [certificates.expired, certificates.other, certificates.selfSigned]) {
      await using target = await HttpTarget.start({ tls: { identity } })
      const outcome = await runCheck(http, { url: target.url('/', 'shop.test'), tls: { verify: false } })
      expect(outcome.status).toBe('success')
      expect(outcome.certificateExpiresAt).not.toBeNull()
    }
  })

  test('asks for the server name it is given', async () => {
    await using target = await HttpTarget.start({ tls: good })
    const outcome = await runCheck(http, {
      url: target.url('/', '127.0.0.2'),
      tls: { ca, server_name: 'shop.test' },
    })
    expect(outcome.reason).toMatch(/refused/)
    const named = await runCheck(http, {
      url: target.url('/', 'alias.test'),
      tls: { ca, server_name: 'shop.test' },
    })
    expect(named.status).toBe('success')
  })

  test('presents a client certificate', async () => {
    await using target = await HttpTarget.start({ tls: { ...good, clientAuthority: ca } })
    const { certificate, key } = certificates.client
    const outcome = await runCheck(http, { url: target.url(), tls: { ca, certificate, key } })
    expect(outcome.status).toBe('success')
  })

  test('makes a full handshake every time', async () => {
    await using target = await HttpTarget.start({ tls: good })
    for (let round = 0; round < 3; round++) {
      const outcome = await runCheck(http, { url: target.url(), tls: { ca } })
      expect(outcome.certificateExpiresAt).toBe(CERTIFICATES_END_AT)
    }
  })
})

describe('a port that speaks something else', () => {
  test('is told apart when it answers plain text to https', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends(['HTTP/1.1 400 Bad Request\r\n\r\n'], 'close', 'accept'))
    const outcome = await runCheck(http, { url: target.url().replace('http:', 'https:') })
    expect(outcome).toMatchObject({
      status: 'failure',
      reason: 'the server did not speak TLS',
      evidence: 'target',
    })
  })

  test('is told apart when it answers TLS to http', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends([Buffer.from([0x15, 3, 1, 0, 2, 2, 70])], 'close'))
    const outcome = await runCheck(http, { url: target.url() })
    expect(outcome.reason).toBe('the server spoke TLS on a plain http port')
  })

  test('is told apart when a real TLS server is asked in plain text', async () => {
    await using target = await HttpTarget.start({ tls: good })
    const outcome = await runCheck(http, { url: target.url().replace('https:', 'http:') })
    expect(outcome).toMatchObject({ status: 'failure', evidence: 'target' })
    expect(outcome.reason).toMatch(
      /spoke TLS on a plain http port|closed before a response|reset the connection/,
    )
  })

  test('is told apart when it closes during the handshake', async () => {
    await using target = await HttpTarget.start()
    target.behave({ ...closesEarly(), when: 'accept' })
    const outcome = await runCheck(http, { url: target.url().replace('http:', 'https:') })
    expect(outcome).toMatchObject({
      reason: 'the connection was closed during the TLS handshake',
      evidence: 'target',
    })
  })

  test('ends at the deadline when it never answers the handshake', async () => {
    await using target = await HttpTarget.start()
    target.behave(hangs())
    const outcome = await runCheck(
      http,
      { url: target.url().replace('http:', 'https:') },
      new LoopbackRun(60),
    )
    expect(outcome).toMatchObject({ status: 'timeout', reason: 'no TLS handshake within 60 ms; connected' })
  })
})
