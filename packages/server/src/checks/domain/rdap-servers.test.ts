import { describe, expect, it } from 'vitest'
import { rdapServerOf, registeredName } from './rdap-servers.ts'
import { rdapServers } from './rdap-servers-data.ts'

const lines = rdapServers.trim().split('\n')
const topLevels = lines.flatMap((line) => line.split(' ').slice(1))

describe('the list of RDAP servers', () => {
  it.each([
    ['shop.com', 'https://rdap.verisign.com/com/v1/'],
    ['shop.co.uk', 'https://rdap.nominet.uk/uk/'],
    ['shop.xyz', 'https://rdap.centralnic.com/xyz/'],
    ['shop.dev', 'https://pubapi.registry.google/rdap/'],
    ['shop.fr', 'https://rdap.nic.fr/'],
    ['shop.de', null],
    ['shop.test', null],
    ['shop.{tld}', null],
  ])('has for %s %s', (name, server) => {
    expect(rdapServerOf(name)).toBe(server)
  })

  it('has each top-level domain once, with a URL for its names', () => {
    expect(new Set(topLevels).size).toBe(topLevels.length)
    expect(topLevels.length).toBeGreaterThan(1_000)
    for (const topLevel of topLevels) {
      expect(registeredName(`shop.${topLevel}`)).toBe(`shop.${topLevel}`)
      expect(rdapServerOf(`shop.${topLevel}`)).toMatch(/^https?:\/\/[a-z0-9.:-]+\/(?:[\w.-]+\/)*$/)
    }
  })
})
