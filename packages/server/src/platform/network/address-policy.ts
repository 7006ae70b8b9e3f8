// platform/network/address-policy.ts: which addresses may be reached. Pure: it decides about literal addresses, after
// resolution and at connect time, so a name that resolves differently the second time gains nothing. Checks may reach
// private networks and loopback (that is the job) but not link-local and metadata addresses; notifications and recoveries
// may not reach loopback either. An IPv4 address embedded in an IPv6 one is treated as the IPv4 address.
import { parseIpv4, parseIpv6 } from './ip-address.ts'

export type AddressKind =
  | 'ordinary'
  | 'loopback'
  | 'link-local'
  | 'metadata'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'

/** Null if the address may be reached, otherwise a sentence that says why not. */
export type AddressPolicy = (address: string) => string | null

/** The kind of a literal address, or null if the text is not one. */
export function addressKind(address: string): AddressKind | null {
  const ipv4 = parseIpv4(address)
  if (ipv4 >= 0) return ipv4Kind(ipv4)
  if (!address.includes(':')) return null
  const groups = parseIpv6(address)
  return groups === null ? null : ipv6Kind(groups)
}

export function checkPolicy(settings: { allowLinkLocal: boolean }): AddressPolicy {
  return (address) => refusal(address, 'checks', true, settings.allowLinkLocal)
}

export function outboundPolicy(settings: { allowLoopback: boolean; allowLinkLocal: boolean }): AddressPolicy {
  return (address) =>
    refusal(address, 'notifications and recoveries', settings.allowLoopback, settings.allowLinkLocal)
}

function refusal(
  address: string,
  who: string,
  allowLoopback: boolean,
  allowLinkLocal: boolean,
): string | null {
  const kind = addressKind(address)
  switch (kind) {
    case 'ordinary':
      return null
    case 'loopback':
      if (allowLoopback) return null
      return `${address} is a loopback address, which ${who} may not reach unless network.allow_loopback_notify is set`
    case 'link-local':
    case 'metadata':
      if (allowLinkLocal) return null
      return `${address} is a ${kind} address, which ${who} may not reach unless network.allow_link_local is set`
    case null:
      return `${address} is not an IP address`
    default:
      return `${address} is ${kind === 'unspecified' ? 'the unspecified' : `a ${kind}`} address and no single host`
  }
}

const ALIBABA_METADATA = 0x6464_64c8 // 100.100.100.200

function ipv4Kind(value: number): AddressKind {
  const firstOctet = value >>> 24
  if (firstOctet === 127) return 'loopback'
  // All of 0.0.0.0/8 is "this host": several systems route it to loopback.
  if (firstOctet === 0) return 'unspecified'
  if (value >>> 16 === 0xa9fe) return 'link-local'
  if (value === ALIBABA_METADATA) return 'metadata'
  if (value === 0xffff_ffff) return 'broadcast'
  if (firstOctet >= 224 && firstOctet <= 239) return 'multicast'
  return 'ordinary'
}

function ipv6Kind(groups: Uint16Array): AddressKind {
  const first = groups[0]!
  if (zeros(groups, 0, 5)) {
    const sixth = groups[5]!
    if (sixth === 0xffff) return ipv4Kind(embeddedIpv4(groups, 6))
    if (sixth === 0 && groups[6] === 0 && groups[7]! <= 1) return groups[7] === 1 ? 'loopback' : 'unspecified'
    if (sixth === 0) return ipv4Kind(embeddedIpv4(groups, 6))
  }
  // ::ffff:0:a.b.c.d, the translated form of RFC 2765.
  if (zeros(groups, 0, 4) && groups[4] === 0xffff && groups[5] === 0) return ipv4Kind(embeddedIpv4(groups, 6))
  // NAT64 of RFC 6052 and the local-use prefix of RFC 8215.
  if (first === 0x64 && groups[1] === 0xff9b && groups[2]! <= 1) return ipv4Kind(embeddedIpv4(groups, 6))
  if (first === 0x2002) return ipv4Kind(embeddedIpv4(groups, 1))
  // fe80::/10, and the deprecated site-local fec0::/10 next to it.
  if ((first & 0xff80) === 0xfe80) return 'link-local'
  if (first >>> 8 === 0xff) return 'multicast'
  if (isCloudMetadata(groups)) return 'metadata'
  return 'ordinary'
}

/** fd00:ec2::254 and fd00:ec2::23 (Amazon), fd20:ce::254 (Google). */
function isCloudMetadata(groups: Uint16Array): boolean {
  if (!zeros(groups, 2, 7)) return false
  const last = groups[7]
  if (groups[0] === 0xfd00 && groups[1] === 0xec2) return last === 0x254 || last === 0x23
  return groups[0] === 0xfd20 && groups[1] === 0xce && last === 0x254
}

function zeros(groups: Uint16Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (groups[i] !== 0) return false
  return true
}

function embeddedIpv4(groups: Uint16Array, at: number): number {
  return groups[at]! * 65_536 + groups[at + 1]!
}
