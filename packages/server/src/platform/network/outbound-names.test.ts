// Names are judged by the address that is connected to: whatever the DNS says, when it says it, and however often it
// changes its mind.

import { FakeClock } from '@pulseward/testing'
import { checkFixture, type FixtureOptions } from '@pulseward/testing/network'
import { DnsTarget, HttpTarget, type Zone, type ZoneRecord } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { outboundPolicy } from './address-policy.ts'
import type { Network } from './network.ts'
import { type OutboundResult, sendOutbound } from './outbound-http.ts'

const strict = outboundPolicy({ allowLoopback: false, allowLinkLocal: false })
const loopbackAllowed = outboundPolicy({ allowLoopback: true, allowLinkLocal: false })

async function postBy(network: Network, url: string): Promise<OutboundResult> {
  const request = { method: 'POST', url, headers: {}, body: '' } as const
  return await sendOutbound(network, request, { signal: AbortSignal.timeout(2_000), timeoutMs: 2_000 })
}

async function post(url: string, options: FixtureOptions): Promise<OutboundResult> {
  using fixture = checkFixture({ policy: strict, ...options })
  return await postBy(fixture.network, url)
}

const address = (value: string, ttl = 60): ZoneRecord => ({
  type: value.includes(':') ? 'AAAA' : 'A',
  value,
  ttl,
})
const hook = (...values: string[]): Zone => ({ 'hook.test': values.map((value) => address(value)) })

describe('a name of an outbound destination', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.8.8.8', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['169.254.169.254', 'link-local'],
    ['fe80::1', 'link-local'],
    ['::ffff:a9fe:a9fe', 'link-local'],
    ['fd00:ec2::254', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
  ])('is refused when it resolves to %s', async (value, kind) => {
    await using dns = await DnsTarget.start({ zone: hook(value) })
    expect(await post('http://hook.test/', { servers: [dns.address] })).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringMatching(new RegExp(`^hook\\.test is not reached: .* is (a|the) ${kind} address`)),
      isRetryable: false,
    })
  })

  it('is refused when it is another name for localhost', async () => {
    const zone: Zone = {
      'hook.test': [{ type: 'CNAME', value: 'localhost', ttl: 60 }],
      localhost: [address('127.0.0.1')],
    }
    await using dns = await DnsTarget.start({ zone })
    expect(await post('http://hook.test/', { servers: [dns.address] })).toMatchObject({ kind: 'not-sent' })
  })

  it('is refused when the hosts file leads it to this machine', async () => {
    const hosts =
      '127.0.0.1 localhost.localdomain\n::1 ip6-localhost\n169.254.169.254 metadata.google.internal'
    for (const name of ['localhost.localdomain', 'ip6-localhost', 'metadata.google.internal']) {
      expect(await post(`http://${name}/`, { hosts })).toMatchObject({
        kind: 'not-sent',
        reason: expect.stringContaining(`${name} is not reached`),
      })
    }
  })

  it('is reached only by those of its addresses that may be', async () => {
    await using target = await HttpTarget.start()
    await using dns = await DnsTarget.start({ zone: hook('169.254.169.254', '127.0.0.1', 'fd00:ec2::254') })
    const options = { policy: loopbackAllowed, servers: [dns.address] }
    expect(await post(`http://hook.test:${target.port}/`, options)).toMatchObject({ kind: 'answered' })
    expect(await post('http://hook.test/', { servers: [dns.address] })).toMatchObject({ kind: 'not-sent' })
  })

  it('is judged by the address that is connected to when it changes between lookup and connect', async () => {
    await using target = await HttpTarget.start()
    await using dns = await DnsTarget.start({ zone: { 'hook.test': [address('203.0.113.7', 1)] } })
    const clock = new FakeClock()
    using fixture = checkFixture({ policy: strict, servers: [dns.address], resolver: { clock } })
    expect(await fixture.network.resolve('hook.test', 'ipv4')).toEqual(['203.0.113.7'])
    dns.zone = hook('127.0.0.1')
    clock.advance(2_000)
    expect(await postBy(fixture.network, `http://hook.test:${target.port}/`)).toMatchObject({
      kind: 'not-sent',
      reason: expect.stringContaining('loopback address'),
    })
    expect(target.acceptedSockets).toBe(0)
  })

  it('is looked up once for a connection: what was judged is what is connected to', async () => {
    await using target = await HttpTarget.start()
    await using dns = await DnsTarget.start({ zone: { 'hook.test': [address('127.0.0.1', 0)] } })
    const options = { policy: loopbackAllowed, servers: [dns.address] }
    expect(await post(`http://hook.test:${target.port}/`, options)).toMatchObject({ kind: 'answered' })
    expect([...dns.questions].sort()).toEqual(['A hook.test', 'AAAA hook.test'])
  })

  it('is judged again for every connection, also when its address is remembered', async () => {
    await using target = await HttpTarget.start()
    await using dns = await DnsTarget.start({ zone: hook('127.0.0.1') })
    let policy = loopbackAllowed
    using fixture = checkFixture({ policy: (literal) => policy(literal), servers: [dns.address] })
    const url = `http://hook.test:${target.port}/`
    expect(await postBy(fixture.network, url)).toMatchObject({ kind: 'answered' })
    policy = strict
    expect(await postBy(fixture.network, url)).toMatchObject({ kind: 'not-sent' })
    expect([target.acceptedSockets, dns.questions.length]).toEqual([1, 2])
  })
})
