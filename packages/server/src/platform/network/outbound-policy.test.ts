// What may not be reached from here, in every form in which it can be written. That names are judged by what they
// resolve to is in outbound-names.test.ts.

import { checkFixture, type FixtureOptions } from '@pulseward/testing/network'
import { answers, HttpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { outboundPolicy } from './address-policy.ts'
import { connectOutbound } from './outbound-connect.ts'
import { type OutboundResult, sendOutbound } from './outbound-http.ts'

const strict = outboundPolicy({ allowLoopback: false, allowLinkLocal: false })
const loopbackAllowed = outboundPolicy({ allowLoopback: true, allowLinkLocal: false })

const deadline = () => ({ signal: AbortSignal.timeout(2_000), timeoutMs: 2_000 })

async function post(url: string, options: FixtureOptions = {}): Promise<OutboundResult> {
  using fixture = checkFixture({ policy: strict, ...options })
  const request = { method: 'POST', url, headers: {}, body: '' } as const
  return await sendOutbound(fixture.network, request, deadline())
}

/** Every way to write this machine that a URL may hold. */
const loopbackHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7F.0x0.0x0.0x1',
  '0x7f.1',
  '0177.0.0.1',
  '0177.0.0.01',
  '017700000001',
  '127.0.0.1.',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  'hooks.test@127.0.0.1',
  'hooks.test:80@[::1]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  'a.b.LocalHost',
]

describe('the outbound network policy', () => {
  it.each(loopbackHosts)('refuses http://%s/ as loopback at connect time', async (host) => {
    await using target = await HttpTarget.start()
    expect(await post(`http://${host}:${target.port}/`)).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringContaining('loopback address'),
      isRetryable: false,
    })
    expect(target.acceptedSockets).toBe(0)
  })

  it.each([
    '169.254.169.254',
    '169.254.169.254.',
    '169.254.170.2',
    '169.254.0.1',
    '2852039166',
    '0xa9fea9fe',
    '0xa9.0xfe.0xa9.0xfe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[fe80::1]',
    '[fe80::a9fe:a9fe]',
    '[febf::1]',
    '[::169.254.169.254]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[fd00:ec2::254]',
    '[fd00:0ec2:0:0:0:0:0:0254]',
    '[fd00:ec2::23]',
    '[fd20:ce::254]',
    '100.100.100.200',
    '0x646464c8',
  ])('refuses http://%s/ as link-local or metadata, also where loopback is allowed', async (host) => {
    const result = await post(`http://${host}/latest/meta-data/`, { policy: loopbackAllowed })
    expect(result).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(/ is a (link-local|metadata) address/),
      isRetryable: false,
    })
  })

  it.each([
    '0.0.0.0',
    '0',
    '00',
    '0x0',
    '0.0.0.1',
    '[::]',
    '[0:0:0:0:0:0:0:0]',
    '[::ffff:0.0.0.0]',
    '[64:ff9b::]',
    '224.0.0.1',
    '[ff02::1]',
    '255.255.255.255',
    '[::ffff:255.255.255.255]',
  ])('refuses http://%s/, which is no single host, whatever is allowed', async (host) => {
    const policy = outboundPolicy({ allowLoopback: true, allowLinkLocal: true })
    await using target = await HttpTarget.start()
    const result = await post(`http://${host}:${target.port}/`, { policy })
    expect(result).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringContaining('no single host'),
      isRetryable: false,
    })
    expect(target.acceptedSockets).toBe(0)
  })

  it.each([
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '127.0.0.01',
    '0',
    '::ffff:127.0.0.1',
    '[::1]',
    '::1%lo',
    'fe80::1%eth0',
    '127.0.0.1%00',
    '127.0.0.1 ',
    '①②⑦.0.0.1',
    'localhost\0.hooks.test',
  ])('refuses the host %j where no URL has tidied it up, as of a mail server', async (host) => {
    await using target = await HttpTarget.start()
    using fixture = checkFixture({ policy: strict })
    const result = await connectOutbound(fixture.network, { host, port: target.port }, deadline())
    expect(result).toMatchObject({ kind: 'not-sent', isRetryable: false })
    expect(target.acceptedSockets).toBe(0)
  })

  it.each([
    'file:///etc/passwd',
    'ftp://hooks.test/',
    'gopher://127.0.0.1:25/',
    'unix:/run/docker.sock',
    '//x',
  ])('refuses %s, which is neither http nor https', async (url) => {
    expect(await post(url, { policy: loopbackAllowed })).toMatchObject({
      kind: 'not-sent',
      reason: 'the URL is not an http or https URL',
      isRetryable: false,
    })
  })

  it('lets loopback be reached only with the setting', async () => {
    await using target = await HttpTarget.start()
    expect(await post(target.url())).toMatchObject({ kind: 'not-sent' })
    expect(await post(target.url(), { policy: loopbackAllowed })).toMatchObject({ kind: 'answered' })
  })

  it.each([301, 302, 303, 307, 308])('reaches nothing behind a redirect %s', async (status) => {
    await using inside = await HttpTarget.start()
    await using target = await HttpTarget.start()
    for (const location of [
      inside.url('/admin'),
      `//127.0.0.1:${inside.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/latest/meta-data/',
    ]) {
      target.behave(answers({ status, headers: { Location: location, Refresh: `0; url=${location}` } }))
      expect(await post(target.url(), { policy: loopbackAllowed })).toMatchObject({
        kind: 'answered',
        status,
      })
    }
    expect(inside.acceptedSockets).toBe(0)
    expect(target.acceptedSockets).toBe(4)
  })
})
