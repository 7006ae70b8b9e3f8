// platform/network/resolver-config.ts: how this machine resolves names: the contents of resolv.conf and hosts; servers in
// the settings replace the system's. Invalid lines are ignored, as in the system's own resolver. Pure.
import { DNS_PORT, type DnsServer, parseDnsServer } from './dns-server.ts'
import { canonicalHostName } from './host-name.ts'
import { canonicalIp, ipVersion } from './ip-address.ts'

export interface HostAddresses {
  readonly ipv4: string[]
  readonly ipv6: string[]
}

export interface ResolverConfig {
  readonly servers: readonly DnsServer[]
  /** Suffixes that are tried for names with fewer dots than ndots. */
  readonly search: readonly string[]
  readonly ndots: number
  readonly hosts: ReadonlyMap<string, HostAddresses>
}

const MAX_SERVERS = 8
const MAX_SEARCH = 6
const MAX_NDOTS = 15

export interface ResolverTexts {
  readonly resolvConf: string
  readonly hosts: string
}

/** Whether a resolv.conf names a server. */
export function namesServer(resolvConf: string): boolean {
  return parseResolvConf(resolvConf).servers.length > 0
}

/** Throws a TypeError if a configured server is not a literal address with an optional port. */
export function resolverConfig(files: ResolverTexts, configured: readonly string[] = []): ResolverConfig {
  const system = parseResolvConf(files.resolvConf)
  const servers = configured.length > 0 ? configured.map(configuredServer) : system.servers
  return {
    ...system,
    servers: servers.length > 0 ? servers : [{ address: '127.0.0.1', port: DNS_PORT }],
    hosts: parseHosts(files.hosts),
  }
}

function configuredServer(text: string): DnsServer {
  const server = parseDnsServer(text)
  if (server === null || ipVersion(server.host) === 0) {
    throw new TypeError(`${text} is not the address of a resolver (such as 127.0.0.1:53 or [::1]:53)`)
  }
  return { address: server.host, port: server.port }
}

function parseResolvConf(text: string): Omit<ResolverConfig, 'hosts'> {
  const servers: DnsServer[] = []
  let search: string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = words(line.replace(/[#;].*/, ''))
    if (keyword === 'nameserver') {
      const address = canonicalIp(values[0] ?? '')
      if (address !== null && servers.length < MAX_SERVERS) servers.push({ address, port: DNS_PORT })
    } else if (keyword === 'search' || keyword === 'domain') {
      search = values.map(canonicalHostName).filter((name) => name !== null)
    } else if (keyword === 'options') {
      const option = values.find((value) => /^ndots:[0-9]+$/.test(value))
      if (option !== undefined) ndots = Math.min(Number(option.slice('ndots:'.length)), MAX_NDOTS)
    }
  }
  return { servers, search: search.slice(0, MAX_SEARCH), ndots }
}

function parseHosts(text: string): Map<string, HostAddresses> {
  const hosts = new Map<string, HostAddresses>()
  for (const line of text.split('\n')) {
    const [address, ...names] = words(line.replace(/#.*/, ''))
    const canonical = canonicalIp(address ?? '')
    if (canonical === null) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const known: HostAddresses = hosts.get(key) ?? { ipv4: [], ipv6: [] }
      const list: string[] = canonical.includes(':') ? known.ipv6 : known.ipv4
      if (!list.includes(canonical)) list.push(canonical)
      hosts.set(key, known)
    }
  }
  return hosts
}

function words(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== '')
}
