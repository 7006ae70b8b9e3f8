import { describe, expect, it } from 'vitest'
import { clientKey } from './client-key.ts'

describe('the client of an address', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['::FFFF:255.255.255.255', '255.255.255.255'],
    ['::1', '0:0:0:0'],
    ['2001:DB8:0:1:a:b:c:d', '2001:db8:0:1'],
    ['2001:db8:0:1::', '2001:db8:0:1'],
    ['2001:0db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::', '0:0:0:0'],
    ['', ''],
  ])('%s is %s', (address, client) => {
    expect(clientKey(address)).toBe(client)
  })
})
