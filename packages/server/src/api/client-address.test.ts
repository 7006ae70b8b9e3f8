import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../platform/usage-error.ts'
import { TrustedProxies } from './client-address.ts'

const proxies = new TrustedProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'])

describe('the address of a client', () => {
  it.each([
    ['no proxy, no header', '192.0.2.9', undefined, '192.0.2.9'],
    ['a header from somebody who is no proxy', '192.0.2.9', '198.51.100.1', '192.0.2.9'],
    ['a proxy that says nothing', '127.0.0.1', undefined, '127.0.0.1'],
    ['one proxy', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['an entry that the client made up', '127.0.0.1', '203.0.113.7, 198.51.100.1', '198.51.100.1'],
    ['a chain of proxies', '127.0.0.1', '198.51.100.1, 10.9.9.9,10.1.1.1', '198.51.100.1'],
    ['proxies all the way', '127.0.0.1', '10.0.0.7, 10.0.0.8', '10.0.0.7'],
    ['IPv4 in the form of IPv6', '::ffff:127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a port', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['brackets and a port', '127.0.0.1', '[2001:DB9::1]:4711', '2001:db9::1'],
    ['a proxy in an IPv6 network', '2001:db8::5', '198.51.100.1', '198.51.100.1'],
    ['a word for an address', '127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
    ['a word behind a proxy', '127.0.0.1', 'unknown, 10.0.0.7', '10.0.0.7'],
    ['an empty header', '127.0.0.1', '', '127.0.0.1'],
    ['no peer any more', '', '198.51.100.1', ''],
  ])('is right for %s', (_, peer, forwardedFor, client) => {
    expect(proxies.clientOf(peer, forwardedFor)).toBe(client)
  })

  it('is never anything but the peer without configured proxies', () => {
    const nobody = new TrustedProxies([])
    fc.assert(fc.property(fc.ipV4(), fc.string(), (peer, header) => nobody.clientOf(peer, header) === peer))
  })

  it('is never chosen by what a client writes before the entry of the last proxy', () => {
    fc.assert(
      fc.property(fc.string(), (forged) => {
        return proxies.clientOf('127.0.0.1', `${forged}, 198.51.100.1`) === '198.51.100.1'
      }),
    )
  })
})

describe('a list of proxies', () => {
  it.each(['proxy.example', '10.0.0.0/33', '2001:db8::/129', '10.0.0.0/x', '10.0.0.0/', '', '*'])(
    'refuses "%s" in one sentence',
    (text) => {
      expect(() => new TrustedProxies([text])).toThrow(UsageError)
      expect(() => new TrustedProxies([text])).toThrow(
        `proxies: "${text}" is not the address or network of a proxy`,
      )
    },
  )
})
