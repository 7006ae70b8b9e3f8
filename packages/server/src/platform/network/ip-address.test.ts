import { SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalIp,
  formatIpv4,
  formatIpv6,
  ipVersion,
  parseIpv4,
  parseIpv6,
  reverseName,
} from './ip-address.ts'

describe('literal addresses', () => {
  it.each([
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    '127.0.0.1.',
    '1.2.3.256',
    '1..2.3',
    '',
    '1.2.3.4 ',
  ])('takes %j for no IPv4 address', (text) => {
    expect(parseIpv4(text)).toBe(-1)
    expect(ipVersion(text)).toBe(0)
  })

  it.each([
    '1::2::3',
    ':::',
    '12345::',
    '::g',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::1%',
    '::127.0.0.256',
    ':1::',
  ])('takes %j for no IPv6 address', (text) => {
    expect(parseIpv6(text)).toBeNull()
  })

  it('reads every IPv4 address that it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), (value) => {
        expect(parseIpv4(formatIpv4(value))).toBe(value)
      }),
    )
  })

  it('reads IPv6 as the system does and writes it in its one canonical form', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const groups = parseIpv6(text)
        expect(groups).not.toBeNull()
        expect(parseIpv6(formatIpv6(groups!))).toEqual(groups)
        const system = new SocketAddress({ address: formatIpv6(groups!), family: 'ipv6' }).address
        // The system writes some embedded IPv4 addresses with dots; both must mean the same.
        expect(canonicalIp(system)).toBe(formatIpv6(groups!))
        expect(parseIpv6(new SocketAddress({ address: text, family: 'ipv6' }).address)).toEqual(groups)
      }),
    )
  })

  it('makes the names of reverse lookups', () => {
    expect(reverseName('192.0.2.7')).toBe('7.2.0.192.in-addr.arpa')
    expect(reverseName('2001:db8::1')).toBe(
      '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
    )
    expect(reverseName('shop.test')).toBeNull()
  })
})
