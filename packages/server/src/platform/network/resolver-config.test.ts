import { describe, expect, it } from 'vitest'
import { resolverConfig } from './resolver-config.ts'

const none = { resolvConf: '', hosts: '' }

describe('what the machine says about names', () => {
  it('reads servers, search list and ndots, and passes over what it does not know', () => {
    const resolvConf = [
      '# a comment',
      'nameserver 127.0.0.53 ; trailing',
      'nameserver not-an-address',
      'nameserver ::1',
      'search Corp.Test lab.test',
      'options edns0 ndots:2 trust-ad',
      'sortlist 10.0.0.0',
      '',
    ].join('\n')
    const config = resolverConfig({ ...none, resolvConf })
    expect(config.servers).toEqual([
      { address: '127.0.0.53', port: 53 },
      { address: '::1', port: 53 },
    ])
    expect(config.search).toEqual(['corp.test', 'lab.test'])
    expect(config.ndots).toBe(2)
  })

  it('asks the local machine when no server is named', () => {
    expect(resolverConfig(none).servers).toEqual([{ address: '127.0.0.1', port: 53 }])
  })

  it('lets configured servers take the place of the system’s', () => {
    const config = resolverConfig({ ...none, resolvConf: 'nameserver 192.0.2.1' }, [
      '127.0.0.1:5353',
      '[::1]:54',
    ])
    expect(config.servers).toEqual([
      { address: '127.0.0.1', port: 5353 },
      { address: '::1', port: 54 },
    ])
  })

  it.each(['ns.test', '127.0.0.1:0', '127.0.0.1:99999', '0x7f.1', ''])('refuses %j as a server', (server) => {
    expect(() => resolverConfig(none, [server])).toThrow('is not the address of a resolver')
  })

  it('reads the hosts file, several lines a name', () => {
    const hosts = '10.0.0.1 shop.test Shop # one\n::2\tshop.test\nbroken line\n10.0.0.1 shop.test\n'
    const config = resolverConfig({ ...none, hosts })
    expect(config.hosts.get('shop.test')).toEqual({ ipv4: ['10.0.0.1'], ipv6: ['::2'] })
    expect(config.hosts.get('shop')).toEqual({ ipv4: ['10.0.0.1'], ipv6: [] })
    expect(config.hosts.has('line')).toBe(false)
  })
})
