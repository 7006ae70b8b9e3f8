import { promptlyMs } from '@pulseward/testing'
import { DnsTarget, type Zone } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import type { Resolution } from './address-cache.ts'
import { formatEndpoint } from './ip-address.ts'
import { Resolver, type ResolverOptions } from './resolver.ts'
import { type ResolverConfig, resolverConfig } from './resolver-config.ts'

const zone: Zone = {
  '': [{ type: 'SOA', primary: 'ns.test', mailbox: 'ops.test', numbers: [1, 1, 1, 1, 20], ttl: 900 }],
  'shop.test': [
    { type: 'A', value: '192.0.2.1', ttl: 30 },
    { type: 'AAAA', value: '2001:db8::1', ttl: 90 },
  ],
  'v4.test': [{ type: 'A', value: '192.0.2.4', ttl: 0 }],
  'www.test': [{ type: 'CNAME', value: 'shop.test', ttl: 10 }],
  'loop.test': [{ type: 'CNAME', value: 'loop.test' }],
  'db.corp.test': [{ type: 'A', value: '10.1.1.1' }],
}

function passedClock(): { monotonicMs(): number; wallMs(): number; pass(seconds: number): void } {
  let now = 1_000
  return {
    monotonicMs: () => now,
    wallMs: () => now,
    pass: (seconds) => {
      now += seconds * 1_000
    },
  }
}

function resolverFor(
  servers: readonly string[],
  options: ResolverOptions & { resolvConf?: string; hosts?: string } = {},
): Resolver {
  const { resolvConf = '', hosts = '', ...rest } = options
  return new Resolver(resolverConfig({ resolvConf, hosts }, servers), { serverTimeoutMs: 200, ...rest })
}

const addresses = async (found: Resolution | Promise<Resolution>): Promise<readonly string[]> =>
  (await found).addresses

describe('the resolver', () => {
  it('finds both families, IPv4 first', async () => {
    await using target = await DnsTarget.start({ zone })
    using resolver = resolverFor([target.address])
    expect(await addresses(resolver.lookup('shop.test', 'any'))).toEqual(['192.0.2.1', '2001:db8::1'])
    expect(await addresses(resolver.lookup('shop.test', 'ipv6'))).toEqual(['2001:db8::1'])
  })

  it('goes over to other servers and hosts when the files say so, and forgets what the others said', async () => {
    await using before = await DnsTarget.start({ zone })
    await using after = await DnsTarget.start({
      zone: { 'shop.test': [{ type: 'A', value: '192.0.2.77' }] },
    })
    const clock = passedClock()
    let next: ResolverConfig | null = null
    let looks = 0
    const files = {
      async look() {
        looks++
        return next
      },
    }
    using resolver = resolverFor([before.address], { clock, files })
    expect(await addresses(resolver.lookup('shop.test', 'ipv4'))).toEqual(['192.0.2.1'])
    next = resolverConfig({ resolvConf: '', hosts: '192.0.2.5 www.test' }, [after.address])
    clock.pass(4.9)
    resolver.lookup('shop.test', 'ipv4')
    expect(looks).toBe(0)
    clock.pass(0.2)
    resolver.lookup('shop.test', 'ipv4')
    resolver.lookup('shop.test', 'ipv4')
    expect(looks).toBe(1)
    await null
    expect(await addresses(resolver.lookup('shop.test', 'ipv4'))).toEqual(['192.0.2.77'])
    expect(await addresses(resolver.lookup('www.test', 'ipv4'))).toEqual(['192.0.2.5'])
    expect(formatEndpoint(resolver.server.address, resolver.server.port)).toBe(after.address)
  })

  it('answers from the cache until the shortest TTL has passed, and asks again then', async () => {
    await using target = await DnsTarget.start({ zone })
    const clock = passedClock()
    using resolver = resolverFor([target.address], { clock })
    await resolver.lookup('shop.test', 'any')
    clock.pass(29.9)
    expect(resolver.lookup('shop.test', 'any')).not.toBeInstanceOf(Promise)
    expect(target.questions).toHaveLength(2)
    clock.pass(0.2)
    target.zone = { ...zone, 'shop.test': [{ type: 'A', value: '192.0.2.99' }] }
    expect(await addresses(resolver.lookup('shop.test', 'any'))).toEqual(['192.0.2.99'])
  })

  it('keeps an answer with a TTL of zero for one second', async () => {
    await using target = await DnsTarget.start({ zone })
    const clock = passedClock()
    using resolver = resolverFor([target.address], { clock })
    await resolver.lookup('v4.test', 'ipv4')
    clock.pass(0.9)
    await resolver.lookup('v4.test', 'ipv4')
    expect(target.questions).toHaveLength(1)
    clock.pass(0.2)
    await resolver.lookup('v4.test', 'ipv4')
    expect(target.questions).toHaveLength(2)
  })

  it('remembers that a name does not exist for as long as the zone says', async () => {
    await using target = await DnsTarget.start({ zone })
    const clock = passedClock()
    using resolver = resolverFor([target.address], { clock })
    expect((await resolver.lookup('gone.test', 'ipv4')).problem).toEqual({
      code: 'NOT_FOUND',
      message: 'the name gone.test does not exist',
      evidence: 'target',
    })
    clock.pass(19)
    await resolver.lookup('gone.test', 'ipv4')
    expect(target.questions).toHaveLength(1)
    clock.pass(2)
    await resolver.lookup('gone.test', 'ipv4')
    expect(target.questions).toHaveLength(2)
  })

  it('never remembers a missing name for more than a minute', async () => {
    const long: Zone = {
      '': [
        { type: 'SOA', primary: 'ns.test', mailbox: 'o.test', numbers: [1, 1, 1, 1, 86_400], ttl: 86_400 },
      ],
    }
    await using target = await DnsTarget.start({ zone: long })
    const clock = passedClock()
    using resolver = resolverFor([target.address], { clock })
    await resolver.lookup('gone.test', 'ipv4')
    clock.pass(61)
    await resolver.lookup('gone.test', 'ipv4')
    expect(target.questions).toHaveLength(2)
  })

  it('tells a missing name from a name without an address of the family', async () => {
    await using target = await DnsTarget.start({ zone })
    using resolver = resolverFor([target.address])
    const { problem } = await resolver.lookup('v4.test', 'ipv6')
    expect(problem).toMatchObject({ message: 'the name v4.test has no IPv6 address', evidence: 'target' })
  })

  it('asks once for everybody who waits for the same name', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: { slowMs: 30 } })
    using resolver = resolverFor([target.address])
    const found = await Promise.all(Array.from({ length: 50 }, () => resolver.lookup('shop.test', 'ipv4')))
    expect(found.every((resolution) => resolution.addresses[0] === '192.0.2.1')).toBe(true)
    expect(target.questions).toEqual(['A shop.test'])
  })

  it('follows aliases, and their TTL counts', async () => {
    await using target = await DnsTarget.start({ zone })
    const clock = passedClock()
    using resolver = resolverFor([target.address], { clock })
    expect(await addresses(resolver.lookup('www.test', 'ipv4'))).toEqual(['192.0.2.1'])
    clock.pass(11)
    expect(resolver.lookup('www.test', 'ipv4')).toBeInstanceOf(Promise)
  })

  it('gives up on aliases that go in circles', async () => {
    await using target = await DnsTarget.start({ zone })
    using resolver = resolverFor([target.address])
    expect((await resolver.lookup('loop.test', 'ipv4')).problem).toMatchObject({
      message: 'the name loop.test has too many aliases',
      evidence: 'target',
    })
    expect(target.questions.length).toBeLessThan(15)
  })

  it('goes on with the next server when one is silent or failing, and then prefers the one that answered', async () => {
    await using silent = await DnsTarget.start({ zone, behaviour: 'nothing' })
    await using failing = await DnsTarget.start({ zone, behaviour: 'servfail' })
    await using good = await DnsTarget.start({ zone })
    using resolver = resolverFor([silent.address, failing.address, good.address])
    expect(await addresses(resolver.lookup('shop.test', 'ipv4'))).toEqual(['192.0.2.1'])
    const before = silent.questions.length
    expect(await addresses(resolver.lookup('v4.test', 'ipv4'))).toEqual(['192.0.2.4'])
    expect(silent.questions).toHaveLength(before)
  })

  it('calls a silent resolver its own problem and does not remember it', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'nothing' })
    using resolver = resolverFor([target.address])
    expect((await resolver.lookup('shop.test', 'ipv4')).problem).toEqual({
      code: 'RESOLVER',
      message: 'no answer from the resolver 127.0.0.1 within 0.2 s',
      evidence: 'local',
    })
    target.behaviour = 'answer'
    expect(await addresses(resolver.lookup('shop.test', 'ipv4'))).toEqual(['192.0.2.1'])
  })

  it('does not wait long for a family that is never answered', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'nothing' })
    using resolver = resolverFor([target.address], { serverTimeoutMs: 2 * promptlyMs })
    const began = performance.now()
    const found = resolver.lookup('shop.test', 'any')
    await expect.poll(() => target.questions.length).toBe(2)
    // Lost at first, then only the IPv4 question of the repetition is answered.
    target.zone = { 'shop.test': zone['shop.test']!.slice(0, 1) }
    target.behaviour = 'answer'
    expect(await addresses(found)).toEqual(['192.0.2.1'])
    expect(performance.now() - began).toBeLessThan(promptlyMs)
  })

  it('looks for short names under the search suffixes, and for others as they stand', async () => {
    await using target = await DnsTarget.start({ zone })
    using resolver = resolverFor([target.address], {
      resolvConf: 'search lab.test corp.test\noptions ndots:1',
    })
    expect(await addresses(resolver.lookup('db', 'ipv4'))).toEqual(['10.1.1.1'])
    expect(target.questions).toEqual(['A db.lab.test', 'A db.corp.test'])
    await resolver.lookup('no.such.test', 'ipv4')
    expect(target.questions.slice(2)).toEqual(['A no.such.test'])
    await resolver.lookup('db.', 'ipv4')
    expect(target.questions.slice(3)).toEqual(['A db'])
  })

  it('asks nobody about literals, localhost and names of the hosts file', async () => {
    await using target = await DnsTarget.start({ zone })
    using resolver = resolverFor([target.address], { hosts: '10.9.9.9 Printer\n192.0.2.66 localhost' })
    expect(await addresses(resolver.lookup('10.0.0.1', 'any'))).toEqual(['10.0.0.1'])
    expect(await addresses(resolver.lookup('localhost', 'any'))).toEqual(['127.0.0.1', '::1'])
    expect(await addresses(resolver.lookup('a.LOCALHOST.', 'ipv6'))).toEqual(['::1'])
    expect(await addresses(resolver.lookup('printer', 'any'))).toEqual(['10.9.9.9'])
    expect((await resolver.lookup('printer', 'ipv6')).problem?.code).toBe('NOT_FOUND')
    expect((await resolver.lookup('10.0.0.1', 'ipv6')).problem?.message).toBe(
      '10.0.0.1 is not an IPv6 address',
    )
    expect(target.questions).toEqual([])
  })

  it.each(['0x7f.1', '2130706433', '0177.0.0.1', 'a b.test', '', '127.0.0.1.'])(
    'asks nobody about %j, which is no name',
    async (host) => {
      await using target = await DnsTarget.start({ zone })
      using resolver = resolverFor([target.address])
      expect((await resolver.lookup(host, 'any')).problem?.code).toBe('BAD_NAME')
      expect(target.questions).toEqual([])
    },
  )

  it('forgets the oldest name when it knows too many', async () => {
    await using target = await DnsTarget.start({ zone })
    using resolver = resolverFor([target.address], { maxCachedNames: 2 })
    for (const name of ['shop.test', 'v4.test', 'www.test']) await resolver.lookup(name, 'ipv4')
    expect(resolver.lookup('www.test', 'ipv4')).not.toBeInstanceOf(Promise)
    expect(resolver.lookup('shop.test', 'ipv4')).toBeInstanceOf(Promise)
  })
})
