import { Resolver as SystemResolver } from 'node:dns/promises'
import { littleCpuMs, threadCpuMs } from '@pulseward/testing'
import { DnsTarget, type Zone } from '@pulseward/testing/targets'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DnsClient } from './dns-client.ts'
import {
  decodeMessage,
  encodeQuery,
  MalformedDnsMessage,
  type RecordType,
  recordTypes,
} from './dns-message.ts'

/** Decodes; a message may be refused, but only in the one way that callers expect. */
function decodeOrRefuse(bytes: Buffer): unknown {
  try {
    return decodeMessage(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedDnsMessage)
    return null
  }
}

function header(answers: number): Buffer {
  return Buffer.from([0, 7, 0x81, 0x80, 0, 1, answers >> 8, answers & 255, 0, 0, 0, 0])
}

const zone: Zone = {
  'shop.test': [
    { type: 'A', value: '192.0.2.1' },
    { type: 'AAAA', value: '2001:db8::a:1' },
    { type: 'MX', preference: 10, value: 'Mail.Shop.test' },
    { type: 'NS', value: 'ns1.shop.test' },
    { type: 'TXT', value: ['v=spf1 ', '-all'] },
    { type: 'SRV', priority: 1, weight: 2, port: 443, value: 'edge.shop.test' },
    { type: 'CAA', flags: 0, tag: 'issue', value: 'ca.test' },
    { type: 'SOA', primary: 'ns1.shop.test', mailbox: 'ops.shop.test', numbers: [1, 2, 3, 4, 5] },
  ],
  'www.shop.test': [{ type: 'CNAME', value: 'shop.test' }],
  '1.2.0.192.in-addr.arpa': [{ type: 'PTR', value: 'shop.test' }],
}

describe('DNS messages', () => {
  it('encodes a recursive question', () => {
    expect(encodeQuery(0x1234, 'a.test', recordTypes.AAAA)?.toString('hex')).toBe(
      '1234010000010000000000000161047465737400001c0001',
    )
  })

  it.each(['a..b', 'x'.repeat(64), 'a.'.repeat(128), 'é.test'])('does not encode %j', (name) => {
    expect(encodeQuery(1, name, 1)).toBeNull()
  })

  it('never fails on random bytes in any other way than refusing them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => void decodeOrRefuse(Buffer.from(bytes))),
      { numRuns: 2_000 },
    )
  })

  it('never fails on damaged answers in any other way than refusing them', () => {
    const question = encodeQuery(7, 'shop.test', recordTypes.MX)!.subarray(12)
    const whole = Buffer.concat([
      header(1),
      question,
      Buffer.from('c00c000f00010000012c0009000a046d61696cc00c', 'hex'),
    ])
    expect(decodeMessage(whole).answers[0]?.data).toBe('10 mail.shop.test')
    fc.assert(
      fc.property(
        fc.nat(whole.length - 1),
        fc.nat(255),
        fc.integer({ min: 0, max: whole.length }),
        (at, value, length) => {
          const damaged = Buffer.from(whole)
          damaged[at] = value
          decodeOrRefuse(damaged.subarray(0, length))
          decodeOrRefuse(damaged)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['points at itself', 'c00c00010001'],
    ['points forwards', 'c01000010001'],
    ['loops by two pointers', 'c00ec00c00010001'],
    ['runs past the end', '3f6161'],
    ['uses a reserved label form', '8000010001'],
  ])('refuses a name that %s', (_, hex) => {
    expect(() => decodeMessage(Buffer.concat([header(0), Buffer.from(hex, 'hex')]))).toThrow(
      MalformedDnsMessage,
    )
  })

  it('bounds the work that a message full of long compressed names can ask for', () => {
    const name = Buffer.concat([...Array.from({ length: 120 }, () => Buffer.from([1, 97])), Buffer.from([0])])
    const record = Buffer.from('c00e00010001000000000004c0000201', 'hex')
    const message = (count: number): Buffer =>
      Buffer.concat([header(count), name, Buffer.from([0, 1, 0, 1]), ...Array(count).fill(record)])
    const began = threadCpuMs()
    expect(decodeMessage(message(512)).answers).toHaveLength(512)
    expect(threadCpuMs() - began).toBeLessThan(littleCpuMs)
    expect(() => decodeMessage(message(513))).toThrow('more than 512 records')
  })

  it('trusts the bytes and not the count of records', () => {
    const question = encodeQuery(7, 'shop.test', 1)!.subarray(12)
    expect(() => decodeMessage(Buffer.concat([header(500), question]))).toThrow(MalformedDnsMessage)
  })

  it('tells names apart that only look alike', () => {
    const name = Buffer.from([3, 97, 46, 98, 0])
    const message = decodeMessage(Buffer.concat([header(0), name, Buffer.from([0, 1, 0, 1])]))
    expect(message.questionName).toBe('a\\046b')
  })

  it('reads every record type as the system library does', async () => {
    await using target = await DnsTarget.start({ zone })
    const system = new SystemResolver({ timeout: 2_000, tries: 1 })
    system.setServers([target.address])
    using client = new DnsClient()
    const ask = async (name: string, type: RecordType): Promise<string[]> => {
      const server = { address: '127.0.0.1', port: target.port }
      const message = await client.query(server, name, recordTypes[type], 2_000)
      return message.answers
        .filter((record) => record.type === recordTypes[type])
        .map((record) => record.data)
    }
    expect(await ask('shop.test', 'A')).toEqual(await system.resolve4('shop.test'))
    expect(await ask('shop.test', 'AAAA')).toEqual(await system.resolve6('shop.test'))
    expect(await ask('www.shop.test', 'CNAME')).toEqual(await system.resolveCname('www.shop.test'))
    expect(await ask('shop.test', 'NS')).toEqual(await system.resolveNs('shop.test'))
    expect(await ask('1.2.0.192.in-addr.arpa', 'PTR')).toEqual(await system.reverse('192.0.2.1'))
    expect(await ask('shop.test', 'TXT')).toEqual(
      (await system.resolveTxt('shop.test')).map((parts) => parts.join('')),
    )
    const [mail] = await system.resolveMx('shop.test')
    expect(await ask('shop.test', 'MX')).toEqual([`${mail!.priority} ${mail!.exchange.toLowerCase()}`])
    const [service] = await system.resolveSrv('shop.test')
    const { priority, weight, port, name } = service!
    expect(await ask('shop.test', 'SRV')).toEqual([`${priority} ${weight} ${port} ${name}`])
    const soa = await system.resolveSoa('shop.test')
    expect(await ask('shop.test', 'SOA')).toEqual([
      [soa.nsname, soa.hostmaster, soa.serial, soa.refresh, soa.retry, soa.expire, soa.minttl].join(' '),
    ])
    const [caa] = await system.resolveCaa('shop.test')
    expect(await ask('shop.test', 'CAA')).toEqual([`${caa!.critical} issue ${caa!.issue}`])
  })
})
