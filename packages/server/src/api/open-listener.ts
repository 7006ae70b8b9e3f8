// api/open-listener.ts: opens a listener on its address, or says in a sentence why that is not possible.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatAddress, type ListenAddress } from '../config/settings/listen-address.ts'
import { UsageError } from '../platform/usage-error.ts'
import { defaultConnectionBounds } from './connection-limits.ts'
import { stopListening } from './http-listener.ts'

export interface ApiServer {
  /** The actual address: for port 0, the port that the system chose. */
  readonly address: ListenAddress
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

interface Opening {
  readonly listen: ListenAddress
  readonly isSecure: boolean
  /** How another address is given. */
  readonly setting: string
}

/** As many pending connections as may be open. The system drops any beyond that, and their clients retry late. */
const backlog = defaultConnectionBounds.all

export async function openListener(server: Server, opening: Opening): Promise<ApiServer> {
  const { listen, isSecure } = opening
  try {
    server.listen({ host: listen.host, port: listen.port, backlog })
    await once(server, 'listening')
  } catch (error) {
    await stopListening(server)
    throw new UsageError(listenProblem(opening, error as NodeJS.ErrnoException), { cause: error })
  }
  const { address: host, port } = server.address() as AddressInfo
  const address = { host, port }
  return {
    address,
    url: `${isSecure ? 'https' : 'http'}://${formatAddress(address)}`,
    [Symbol.asyncDispose]: () => stopListening(server),
  }
}

function listenProblem({ listen, setting }: Opening, { code, message }: NodeJS.ErrnoException): string {
  const address = formatAddress(listen)
  if (code === 'EADDRINUSE')
    return `Something else is listening on ${address} already; stop it or choose another with ${setting}.`
  if (code === 'EACCES')
    return `Listening on ${address} is not permitted; choose a port above 1023 with ${setting}.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${address} is not an address of this machine.`
  return `Listening on ${address} failed: ${message}.`
}
