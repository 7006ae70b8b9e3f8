import { checkFixture, promptlyMs } from '@pulseward/testing/checks'
import { DnsTarget, type Zone } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import type { RecordType } from '../../platform/network/dns-message.ts'
import { dns } from './dns.ts'

const zone: Zone = {
  'shop.test': [
    { type: 'A', value: '192.0.2.1' },
    { type: 'A', value: '192.0.2.2' },
    { type: 'AAAA', value: '2001:db8::1' },
    { type: 'MX', preference: 10, value: 'mail.shop.test' },
    { type: 'NS', value: 'ns1.shop.test' },
    { type: 'TXT', value: ['v=spf1 ', '-all'] },
    { type: 'SRV', priority: 1, weight: 2, port: 443, value: 'edge.shop.test' },
    { type: 'CAA', flags: 0, tag: 'issue', value: 'ca.test' },
    { type: 'SOA', primary: 'ns1.shop.test', mailbox: 'ops.shop.test', numbers: [1, 2, 3, 4, 5] },
  ],
  'xn--bcher-kva.test': [{ type: 'A', value: '192.0.2.3' }],
  'www.shop.test': [{ type: 'CNAME', value: 'shop.test' }],
  '1.2.0.192.in-addr.arpa': [{ type: 'PTR', value: 'shop.test' }],
}

describe('the dns check', () => {
  it.each<[RecordType, string, string[]]>([
    ['A', 'shop.test', ['192.0.2.2', '192.0.2.1']],
    ['A', 'www.shop.test', ['192.0.2.1']],
    ['A', 'Bücher.test', ['192.0.2.3']],
    ['AAAA', 'SHOP.test', ['2001:0DB8:0::1']],
    ['CNAME', 'www.shop.test', ['Shop.Test.']],
    ['MX', 'shop.test', ['10  MAIL.shop.test.']],
    ['NS', 'shop.test.', ['ns1.shop.test.']],
    ['TXT', 'shop.test', ['v=spf1 -all']],
    ['SRV', 'shop.test', ['1 2 443 edge.shop.test.']],
    ['CAA', 'shop.test', ['0 ISSUE "ca.test"']],
    ['SOA', 'shop.test', ['ns1.shop.test. ops.shop.test. 1 2 3 4 5']],
    ['PTR', '192.0.2.1', ['shop.test']],
    ['PTR', '1.2.0.192.in-addr.arpa', ['shop.test']],
  ])('finds the expected %s records of %s', async (record_type, host, expected) => {
    await using target = await DnsTarget.start({ zone })
    using fixture = checkFixture()
    const config = { host, record_type, server: target.address, expect: expected }
    expect((await fixture.run(dns, config)).outcome).toMatchObject({ status: 'success', reason: null })
  })

  it('asks the configured resolver by default, and past its cache', async () => {
    await using target = await DnsTarget.start({ zone })
    using fixture = checkFixture({ servers: [target.address] })
    await fixture.run(dns, { host: 'shop.test' })
    await fixture.run(dns, { host: 'shop.test' })
    expect(target.questions).toEqual(['A shop.test', 'A shop.test'])
  })

  it('finds its server by name', async () => {
    await using target = await DnsTarget.start({ zone })
    using fixture = checkFixture({ hosts: '127.0.0.1 ns.test' })
    const config = { host: 'shop.test', server: `ns.test:${target.port}` }
    expect((await fixture.run(dns, config)).outcome.status).toBe('success')
  })

  it.each([
    [
      { host: 'shop.test', expect: ['192.0.2.9'] },
      'the A records of shop.test lack "192.0.2.9": there is "192.0.2.1", "192.0.2.2"',
    ],
    [
      {
        host: 'www.shop.test',
        record_type: 'MX',
        rcode: 'NOERROR',
        expect: ['10 mail.shop.test', '20 x.test'],
      },
      'the MX records of www.shop.test lack "20 x.test": there is "10 mail.shop.test"',
    ],
    [{ host: '1.2.0.192.in-addr.arpa', record_type: 'MX' }, '1.2.0.192.in-addr.arpa has no MX record'],
    [{ host: 'gone.test' }, 'the answer for gone.test is NXDOMAIN instead of NOERROR'],
    [{ host: 'shop.test', rcode: 'NXDOMAIN' }, 'the answer for shop.test is NOERROR instead of NXDOMAIN'],
    [{ host: 'bad..name' }, 'bad..name is not a valid DNS name'],
  ] as const)('fails in words: %j', async (config, reason) => {
    await using target = await DnsTarget.start({ zone })
    using fixture = checkFixture()
    const { outcome } = await fixture.run(
      dns,
      structuredClone({ ...config, server: target.address }) as never,
    )
    expect(outcome).toMatchObject({ status: 'failure', reason, evidence: 'target' })
  })

  it('succeeds when NXDOMAIN is expected and comes', async () => {
    await using target = await DnsTarget.start({ zone })
    using fixture = checkFixture()
    const config = { host: 'gone.test', rcode: 'NXDOMAIN', server: target.address } as const
    expect((await fixture.run(dns, config)).outcome.status).toBe('success')
  })

  it('takes SERVFAIL of our own resolver for no evidence about the target', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'servfail' })
    using fixture = checkFixture({ servers: [target.address] })
    const ours = (await fixture.run(dns, { host: 'shop.test' })).outcome
    expect(ours).toMatchObject({ status: 'failure', evidence: 'local' })
    const theirs = (await fixture.run(dns, { host: 'shop.test', server: target.address })).outcome
    expect(theirs).toMatchObject({ status: 'failure', evidence: 'target' })
  })

  it('asks over TCP for an answer that was truncated', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'truncate' })
    using fixture = checkFixture()
    const config = { host: 'shop.test', server: target.address, expect: ['192.0.2.2'] }
    expect((await fixture.run(dns, config)).outcome.status).toBe('success')
    expect(target.tcpQuestions).toBe(1)
  })

  it('fails in words when the answer is malformed', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: 'malformed' })
    using fixture = checkFixture()
    const { outcome } = await fixture.run(dns, { host: 'shop.test', server: target.address })
    expect(outcome).toMatchObject({ status: 'failure', evidence: 'target' })
    expect(outcome.reason).toContain('is malformed: a compressed name does not point backwards')
  })

  it.each(['nothing', 'wrong-id', 'garbage', 'wrong-question'] as const)(
    'keeps its deadline when the server sends %s',
    async (behaviour) => {
      await using target = await DnsTarget.start({ zone, behaviour })
      using fixture = checkFixture()
      const config = { host: 'shop.test', server: target.address }
      const { outcome, lateMs } = await fixture.run(dns, config, 200)
      expect(outcome).toMatchObject({
        status: 'timeout',
        reason: `no answer from the DNS server 127.0.0.1:${target.port} within 200 ms`,
      })
      expect(lateMs).toBeLessThan(promptlyMs)
    },
  )

  it('keeps its deadline when the name of its server cannot be resolved', async () => {
    await using target = await DnsTarget.start({ behaviour: 'nothing' })
    using fixture = checkFixture({ servers: [target.address] })
    const { outcome, lateMs } = await fixture.run(dns, { host: 'shop.test', server: 'ns.test' }, 200)
    expect(outcome.reason).toBe('no answer from the resolver for ns.test within 200 ms')
    expect(lateMs).toBeLessThan(promptlyMs)
  })

  it('refuses a server that the policy forbids', async () => {
    using fixture = checkFixture()
    const { outcome } = await fixture.run(dns, { host: 'shop.test', server: '169.254.169.254' })
    expect(outcome).toMatchObject({ status: 'failure' })
    expect(outcome.reason).toContain('link-local')
  })

  it('warns about an answer that takes too long', async () => {
    await using target = await DnsTarget.start({ zone, behaviour: { slowMs: 30 } })
    using fixture = checkFixture()
    const config = { host: 'shop.test', server: target.address, max_latency: '10ms' }
    expect((await fixture.run(dns, config)).outcome.warning).toMatch(/more than 10 ms$/)
  })

  it('shows its target and refuses a configuration with anything unknown', () => {
    expect(dns.target({ host: 'shop.test' })).toBe('A shop.test')
    expect(dns.target({ host: 'shop.test', record_type: 'MX', server: '9.9.9.9' })).toBe(
      'MX shop.test at 9.9.9.9',
    )
    const schema = Compile(dns.config)
    expect(schema.Check({ host: 'shop.test', record_type: 'MX', rcode: 'NXDOMAIN' })).toBe(true)
    for (const bad of [
      {},
      { host: 'a', record_type: 'ANY' },
      { host: 'a', expect: [] },
      { host: 'a', x: 1 },
    ]) {
      expect(schema.Check(bad)).toBe(false)
    }
  })
})
