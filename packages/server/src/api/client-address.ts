// api/client-address.ts: the address of the client behind proxies. X-Forwarded-For is read from the right,
// and only as far as trusted proxies wrote it: a client can forge everything further left.
import { BlockList, isIP } from 'node:net'
import { UsageError } from '../platform/usage-error.ts'

export class TrustedProxies {
  readonly #proxies = new BlockList()

  /** Takes addresses, or networks as address/prefix. */
  constructor(proxies: readonly string[]) {
    for (const text of proxies) this.#add(text)
  }

  /** The peer's address, unless the peer is a proxy: then the nearest forwarded address that is not a proxy. */
  clientOf(peer: string, forwardedFor: string | undefined): string {
    let client = plainAddress(peer) ?? peer
    const hops = forwardedFor?.split(',') ?? []
    for (const text of hops.reverse()) {
      if (!this.isProxy(client)) break
      const hop = plainAddress(text.trim())
      // A proxy that does not name its client counts as the client.
      if (hop === null) break
      client = hop
    }
    return client
  }

  #add(text: string): void {
    const [address = '', prefix] = text.split('/', 2)
    const family = familyOf(address)
    const bits = prefix === undefined ? null : Number(prefix)
    const isWhole = prefix === undefined || /^[0-9]{1,3}$/.test(prefix)
    if (family === null || !isWhole || (bits !== null && bits > bitsOf[family]))
      throw new UsageError(
        `proxies: "${text}" is not the address or network of a proxy; write 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32.`,
      )
    if (bits === null) this.#proxies.addAddress(address, family)
    else this.#proxies.addSubnet(address, bits, family)
  }

  isProxy(peer: string): boolean {
    if (this.#proxies.rules.length === 0) return false
    const address = plainAddress(peer) ?? peer
    const family = familyOf(address)
    return family !== null && this.#proxies.check(address, family)
  }
}

type Family = 'ipv4' | 'ipv6'
const bitsOf: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 }

function familyOf(address: string): Family | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}

/** The address without brackets, port, zone and IPv4-mapped prefix; null if the text is not an address. */
function plainAddress(text: string): string | null {
  const bracketed = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(text)?.[1]
  const withPort = /^([0-9.]+):[0-9]{1,5}$/.exec(text)?.[1]
  const address = (bracketed ?? withPort ?? text).replace(/%.*$/, '').toLowerCase()
  if (isIP(address) === 0) return null
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
