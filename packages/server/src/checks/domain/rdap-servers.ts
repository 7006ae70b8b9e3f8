// checks/domain/rdap-servers.ts: which server knows the registrations below a top-level domain. The list is a text that is
// searched: a thread that checks no domain makes nothing of it.
import { canonicalHostName } from '../../platform/network/host-name.ts'
import { rdapServers } from './rdap-servers-data.ts'

/** The name as registries write it: lower-case ASCII without a final dot. Null if it is not below a top-level domain. */
export function registeredName(written: string): string | null {
  const name = canonicalHostName(written)?.replace(/\.$/, '') ?? null
  return name?.includes('.') ? name : null
}

export function topLevelOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** The base URL of the server for a name, which ends with a slash; null if its registry has none. */
export function rdapServerOf(name: string): string | null {
  const topLevel = topLevelOf(name)
  const at = placeOf(topLevel)
  if (at < 0) return null
  const start = rdapServers.lastIndexOf('\n', at) + 1
  return rdapServers.slice(start, rdapServers.indexOf(' ', start)).replaceAll('{tld}', topLevel)
}

function placeOf(topLevel: string): number {
  const between = rdapServers.indexOf(` ${topLevel} `)
  return between < 0 ? rdapServers.indexOf(` ${topLevel}\n`) : between
}
