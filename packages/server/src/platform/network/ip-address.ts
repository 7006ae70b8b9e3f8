// platform/network/ip-address.ts: strict parsing of literal IP addresses. Only four plain decimal octets with
// dots and the colon form of RFC 4291 are addresses here; octal, hexadecimal and shortened forms are not, so
// that no two parsers can take one text for different hosts.

const DOT = 46
const ZERO = 48
const NINE = 57

/** The address as an unsigned 32-bit number, or -1 if the text is not a dotted IPv4 address. */
export function parseIpv4(text: string): number {
  let value = 0
  let octet = -1
  let dots = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === DOT) {
      if (octet < 0 || ++dots > 3) return -1
      value = value * 256 + octet
      octet = -1
    } else if (code >= ZERO && code <= NINE) {
      // A digit after a leading zero: other parsers would read the octet as octal.
      if (octet === 0) return -1
      octet = octet < 0 ? code - ZERO : octet * 10 + (code - ZERO)
      if (octet > 255) return -1
    } else {
      return -1
    }
  }
  return dots === 3 && octet >= 0 ? value * 256 + octet : -1
}

/** The eight groups, or null if the text is not an IPv6 address; a zone (`%eth0`) is ignored. */
export function parseIpv6(text: string): Uint16Array | null {
  const zoneAt = text.indexOf('%')
  if (zoneAt === text.length - 1) return null
  const address = zoneAt < 0 ? text : text.slice(0, zoneAt)
  if (address.length < 2 || address.length > 45) return null
  const gapAt = address.indexOf('::')
  if (gapAt < 0) {
    const all = parseGroups(address, true)
    return all?.length === 8 ? Uint16Array.from(all) : null
  }
  const head = parseGroups(address.slice(0, gapAt), false)
  const tail = parseGroups(address.slice(gapAt + 2), true)
  if (head === null || tail === null || head.length + tail.length > 7) return null
  const groups = new Uint16Array(8)
  groups.set(head, 0)
  groups.set(tail, 8 - tail.length)
  return groups
}

function parseGroups(text: string, mayEndInIpv4: boolean): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const groups: number[] = []
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16))
    } else {
      const embedded = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : -1
      if (embedded < 0) return null
      groups.push(Math.floor(embedded / 65_536), embedded % 65_536)
    }
  }
  return groups
}

export function ipVersion(text: string): 0 | 4 | 6 {
  if (parseIpv4(text) >= 0) return 4
  return text.includes(':') && parseIpv6(text) !== null ? 6 : 0
}

export function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
}

/** The canonical text of RFC 5952: lower case, the longest run of two or more zero groups omitted. */
export function formatIpv6(groups: ArrayLike<number>): string {
  let bestAt = -1
  let bestLength = 1
  for (let i = 0; i < 8; i++) {
    let length = 0
    while (i + length < 8 && groups[i + length] === 0) length++
    if (length > bestLength) {
      bestAt = i
      bestLength = length
    }
    if (length > 0) i += length - 1
  }
  let text = ''
  for (let i = 0; i < 8; i++) {
    if (i === bestAt) {
      text += '::'
      i += bestLength - 1
    } else {
      text += text === '' || text.endsWith(':') ? groups[i]!.toString(16) : `:${groups[i]!.toString(16)}`
    }
  }
  return text
}

/** The canonical text of a literal address, or null if the text is not one; a zone is dropped. */
export function canonicalIp(text: string): string | null {
  const ipv4 = parseIpv4(text)
  if (ipv4 >= 0) return formatIpv4(ipv4)
  const ipv6 = text.includes(':') ? parseIpv6(text) : null
  return ipv6 === null ? null : formatIpv6(ipv6)
}

/** An address and a port as they are written together. */
export function formatEndpoint(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The name for a reverse DNS query of an address, or null if the text is not an address. */
export function reverseName(text: string): string | null {
  const ipv4 = parseIpv4(text)
  if (ipv4 >= 0) return `${text.split('.').reverse().join('.')}.in-addr.arpa`
  const groups = text.includes(':') ? parseIpv6(text) : null
  if (groups === null) return null
  const digits = Array.from(groups, (group) => group.toString(16).padStart(4, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}
