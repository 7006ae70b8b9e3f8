// api/client-key.ts: the key by which connections, waiting requests and wrong guesses are counted per client.
// IPv6 clients get whole networks, so all addresses of one /64 are one client.
import { formatIpv4, parseIpv6 } from '../platform/network/ip-address.ts'

export function clientKey(address: string): string {
  const groups = address.includes(':') ? parseIpv6(address) : null
  if (groups === null) return address
  const isIpv4 = groups.subarray(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isIpv4) return formatIpv4(groups[6]! * 65_536 + groups[7]!)
  return Array.from(groups.subarray(0, 4), (group) => group.toString(16)).join(':')
}
