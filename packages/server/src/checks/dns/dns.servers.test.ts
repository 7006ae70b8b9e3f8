// The dns check against Unbound.
import { checkFixture } from '@pulseward/testing/checks'
import { describeServer, type RunningUnbound, startUnbound, unbound } from '@pulseward/testing/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dns } from './dns.ts'

type DnsConfig = Parameters<typeof dns.check>[0]

const manyTexts = Array.from({ length: 40 }, (_, index) => `many.test. TXT "${index} ${'x'.repeat(100)}"`)
const records = [
  'shop.test. A 192.0.2.10',
  'shop.test. A 192.0.2.11',
  'shop.test. AAAA 2001:db8::10',
  'shop.test. MX 10 mail.shop.test.',
  'shop.test. TXT "v=spf1 -all"',
  'shop.test. SRV 1 2 443 edge.shop.test.',
  'shop.test. CAA 0 issue "ca.test"',
  '10.2.0.192.in-addr.arpa. PTR shop.test.',
  ...manyTexts,
]

describeServer(unbound, (program) => {
  const fixture = checkFixture()
  let server: RunningUnbound
  beforeAll(async () => {
    server = await startUnbound(program, records)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })

  const check = async (config: Partial<DnsConfig>) => {
    const { outcome } = await fixture.run(dns, { host: 'shop.test', server: server.address, ...config })
    return outcome
  }

  it.each<Partial<DnsConfig>>([
    { record_type: 'A', expect: ['192.0.2.11', '192.0.2.10'] },
    { record_type: 'AAAA', expect: ['2001:0db8::10'] },
    { record_type: 'MX', expect: ['10 mail.shop.test'] },
    { record_type: 'TXT', expect: ['v=spf1 -all'] },
    { record_type: 'SRV', expect: ['1 2 443 edge.shop.test'] },
    { record_type: 'CAA', expect: ['0 issue "ca.test"'] },
    { record_type: 'PTR', host: '192.0.2.10', expect: ['shop.test'] },
    { host: 'gone.test', rcode: 'NXDOMAIN' },
    { host: 'refused.test', rcode: 'REFUSED' },
  ])('answers %j', async (config) => {
    expect(await check(config)).toMatchObject({ status: 'success', reason: null })
  })

  it('answers over TCP what does not fit a datagram', async () => {
    const expected = `39 ${'x'.repeat(100)}`
    expect(await check({ host: 'many.test', record_type: 'TXT', expect: [expected] })).toMatchObject({
      status: 'success',
    })
  })

  it('has no such name, or another address', async () => {
    expect(await check({ host: 'gone.test' })).toMatchObject({
      reason: 'the answer for gone.test is NXDOMAIN instead of NOERROR',
    })
    expect((await check({ expect: ['192.0.2.99'] })).reason).toMatch(
      /^the A records of shop\.test lack "192\.0\.2\.99": there is "192\.0\.2\.1[01]", "192\.0\.2\.1[01]"$/,
    )
  })
})
