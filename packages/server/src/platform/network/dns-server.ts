// platform/network/dns-server.ts: the address of a DNS server, as people write it: 9.9.9.9, 127.0.0.1:5353,
// [::1]:53, ::1 or ns.example.test:53.
import { canonicalHostName } from './host-name.ts'
import { canonicalIp } from './ip-address.ts'

export interface DnsServer {
  /** A literal address in canonical form, with which the source of an answer is compared. */
  readonly address: string
  readonly port: number
}

export const DNS_PORT = 53

/** Host (canonical address or lower-case name) and port, or null if the text is neither. */
export function parseDnsServer(text: string): { host: string; port: number } | null {
  const whole = canonicalIp(text)
  if (whole !== null) return { host: whole, port: DNS_PORT }
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(text)
  if (match === null) return null
  const port = match[3] === undefined ? DNS_PORT : Number(match[3])
  if (port < 1 || port > 65_535) return null
  const bracketed = match[1]
  const host = bracketed === undefined ? plainHost(match[2]!) : canonicalIp(bracketed)
  return host === null ? null : { host, port }
}

function plainHost(text: string): string | null {
  return canonicalIp(text) ?? canonicalHostName(text)
}
