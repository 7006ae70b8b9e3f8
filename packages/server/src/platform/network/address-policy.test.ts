import { describe, expect, it } from 'vitest'
import { type AddressKind, addressKind, checkPolicy, outboundPolicy } from './address-policy.ts'

const table: [string, AddressKind | null][] = [
  ['203.0.113.9', 'ordinary'],
  ['10.0.0.1', 'ordinary'],
  ['192.168.1.1', 'ordinary'],
  ['172.16.0.1', 'ordinary'],
  ['2001:db8::1', 'ordinary'],
  ['fd12::1', 'ordinary'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['::ffff:0:127.0.0.1', 'loopback'],
  ['64:ff9b::127.0.0.1', 'loopback'],
  ['64:ff9b:1::127.0.0.1', 'loopback'],
  ['2002:7f00:1::', 'loopback'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['::ffff:a9fe:a9fe', 'link-local'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['2002:a9fe:a9fe::1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['febf::1', 'link-local'],
  ['fd00:ec2::254', 'metadata'],
  ['FD00:EC2:0:0:0:0:0:254', 'metadata'],
  ['fd20:ce::254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['::', 'unspecified'],
  ['::ffff:0.0.0.0', 'unspecified'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['0x7f.1', null],
  ['2130706433', null],
  ['0177.0.0.1', null],
  ['shop.test', null],
]

describe('the address policy', () => {
  it.each(table)('knows %s as %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind)
  })

  it.each(table)('decides about %s for checks and for outbound messages', (address, kind) => {
    const isLocal = kind === 'link-local' || kind === 'metadata'
    const everywhere = kind === 'ordinary'
    expect(checkPolicy({ allowLinkLocal: false })(address) === null).toBe(everywhere || kind === 'loopback')
    expect(checkPolicy({ allowLinkLocal: true })(address) === null).toBe(
      everywhere || kind === 'loopback' || isLocal,
    )
    const outbound = (allowLoopback: boolean, allowLinkLocal: boolean): boolean =>
      outboundPolicy({ allowLoopback, allowLinkLocal })(address) === null
    expect(outbound(false, false)).toBe(everywhere)
    expect(outbound(true, false)).toBe(everywhere || kind === 'loopback')
    expect(outbound(false, true)).toBe(everywhere || isLocal)
  })

  it('names the setting that would permit the address', () => {
    expect(outboundPolicy({ allowLoopback: false, allowLinkLocal: false })('127.0.0.1')).toBe(
      '127.0.0.1 is a loopback address, which notifications and recoveries may not reach unless network.allow_loopback_notify is set',
    )
    expect(checkPolicy({ allowLinkLocal: false })('169.254.169.254')).toContain('network.allow_link_local')
  })
})
