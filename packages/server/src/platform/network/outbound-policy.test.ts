import { describe, expect, it } from 'vitest'
import { checkFixture, type FixtureOptions } from '../../../../testing/src/check-fixture.ts'
import { FakeClock } from '../../../../testing/src/fake-clock.ts'
import { DnsTarget } from '../../../../testing/src/targets/dns-target.ts'
import { answers, HttpTarget } from '../../../../testing/src/targets/http-target.ts'
import { outboundPolicy } from './address-policy.ts'
import { type OutboundResult, sendOutbound } from './outbound-http.ts'

const strict = outboundPolicy({ allowLoopback: false, allowLinkLocal: false })
const loopbackAllowed = outboundPolicy({ allowLoopback: true, allowLinkLocal: false })

async function post(url: string, options: FixtureOptions = {}): Promise<OutboundResult> {
  using fixture = checkFixture({ policy: strict, ...options })
  const request = { method: 'POST', url, headers: {}, body: '' } as const
  return await sendOutbound(fixture.network, request, {
    signal: AbortSignal.timeout(2_000),
    timeoutMs: 2_000,
  })
}

/** Every way to write this machine that a URL may hold; the port is the target's. */
const loopbackHosts = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  'localhost',
  'a.localhost',
  'LOCALHOST.',
  '127.0.0.1.',
  '①②⑦.0.0.1',
]

describe('the outbound network policy', () => {
  it.each(loopbackHosts)('refuses http://%s/ at connect time', async (host) => {
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
    '169.254.0.1',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '100.100.100.200',
  ])('refuses http://%s/, also where loopback is allowed', async (host) => {
    const result = await post(`http://${host}/latest/meta-data/`, { policy: loopbackAllowed })
    expect(result).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(/link-local|metadata/),
      isRetryable: false,
    })
  })

  it.each(['0.0.0.0', '0', '[::]', '224.0.0.1', '255.255.255.255'])(
    'refuses http://%s/, which is no single host',
    async (host) => {
      const result = await post(`http://${host}/`, { policy: loopbackAllowed })
      expect(result).toMatchObject({ kind: 'not-sent', isRetryable: false })
    },
  )

  it('lets loopback be reached only with the setting', async () => {
    await using target = await HttpTarget.start()
    expect(await post(target.url())).toMatchObject({ kind: 'not-sent' })
    expect(await post(target.url(), { policy: loopbackAllowed })).toMatchObject({ kind: 'answered' })
  })

  it.each([
    ['127.0.0.1', 'loopback'],
    ['169.254.169.254', 'link-local'],
  ])('refuses a name that resolves to %s', async (value, kind) => {
    await using dns = await DnsTarget.start({ zone: { 'hook.test': [{ type: 'A', value, ttl: 60 }] } })
    expect(await post('http://hook.test/', { servers: [dns.address] })).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(`hook.test is not reached: ${value} is a ${kind} address`),
    })
  })

  it('refuses a name that resolves to an IPv4 address inside of an IPv6 one', async () => {
    const zone = { 'hook.test': [{ type: 'AAAA', value: '::ffff:7f00:1', ttl: 60 }] } as const
    await using dns = await DnsTarget.start({ zone })
    expect(await post('http://hook.test/', { servers: [dns.address] })).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringContaining('loopback address'),
    })
  })

  it('judges the address that is connected to when a name changes between lookup and connect', async () => {
    await using target = await HttpTarget.start()
    const record = (value: string) => ({ 'hook.test': [{ type: 'A', value, ttl: 1 } as const] })
    await using dns = await DnsTarget.start({ zone: record('203.0.113.7') })
    const clock = new FakeClock()
    using fixture = checkFixture({ policy: strict, servers: [dns.address], resolver: { clock } })
    expect(await fixture.network.resolve('hook.test', 'ipv4')).toEqual(['203.0.113.7'])
    dns.zone = record('127.0.0.1')
    clock.advance(2_000)
    const request = {
      method: 'POST',
      url: `http://hook.test:${target.port}/`,
      headers: {},
      body: '',
    } as const
    const deadline = { signal: AbortSignal.timeout(2_000), timeoutMs: 2_000 }
    expect(await sendOutbound(fixture.network, request, deadline)).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringContaining('loopback address'),
    })
    expect(target.acceptedSockets).toBe(0)
  })

  it.each([301, 302, 303, 307, 308])('reaches nothing behind a redirect %s', async (status) => {
    await using inside = await HttpTarget.start()
    await using target = await HttpTarget.start()
    for (const location of [inside.url('/admin'), 'http://169.254.169.254/latest/meta-data/']) {
      target.behave(answers({ status, headers: { Location: location } }))
      expect(await post(target.url(), { policy: loopbackAllowed })).toMatchObject({
        kind: 'answered',
        status,
      })
    }
    expect(inside.acceptedSockets).toBe(0)
  })
})
