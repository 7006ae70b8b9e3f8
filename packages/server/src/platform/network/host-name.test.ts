import { describe, expect, it } from 'vitest'
import { canonicalHostName } from './host-name.ts'

describe('host names', () => {
  it.each([
    ['Shop.Test', 'shop.test'],
    ['_sip._tcp.shop.test', '_sip._tcp.shop.test'],
    ['shop.test.', 'shop.test.'],
    ['bücher.test', 'xn--bcher-kva.test'],
    ['1and1.test', '1and1.test'],
    ['a', 'a'],
  ])('reads %s as %s', (host, name) => {
    expect(canonicalHostName(host)).toBe(name)
  })

  it.each([
    '2130706433',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0x',
    '１２７.0.0.1',
    '127.0.0.1.',
    'shop..test',
    '.test',
    '',
    'a b',
    'shop.test:80',
    'x'.repeat(64),
    'a.'.repeat(128),
    'shop\u0000.test',
  ])('refuses %j', (host) => {
    expect(canonicalHostName(host)).toBeNull()
  })
})
