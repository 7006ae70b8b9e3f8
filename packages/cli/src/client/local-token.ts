// client/local-token.ts: the first operator's token, for commands that were given none, from the data
// directory of the service they talk to. Another program on the port of that service does not get it.
import { resolve } from 'node:path'
import { findOperatorToken, type OperatorSearch } from '@pulseward/server'

export interface LocalToken {
  /** The address at which the service was found, or the given one if it was not. */
  readonly server: string
  readonly search: OperatorSearch
}

export function searchLocalToken({
  server,
  data,
}: {
  readonly server: string
  readonly data: string
}): LocalToken {
  let search: OperatorSearch = { kind: 'none', listensAt: null }
  if (!isThisMachine(server)) return { server, search }
  for (const address of addressesOf(new URL(server))) {
    const found = findOperatorToken(resolve(data), address)
    if (found.kind !== 'none') return { server: found.kind === 'found' ? address : server, search: found }
    search = found
  }
  return { server, search }
}

/**
 * The addresses that the service may have recorded. The name localhost may resolve to two addresses, and
 * another program may listen on the second, so the command uses the one that the service has. With TLS the
 * certificate proves who answers, for the name.
 */
function addressesOf({ origin, protocol, hostname, port }: URL): string[] {
  if (hostname !== 'localhost' || protocol !== 'http:') return [origin]
  return ['127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port || '80'}`).origin)
}

export function isThisMachine(server: string): boolean {
  const host = URL.canParse(server) ? new URL(server).hostname : ''
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
