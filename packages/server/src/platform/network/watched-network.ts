// platform/network/watched-network.ts: wrappers of a network that report what happens on it, and otherwise
// behave the same: the same resolver, policy and errors.
import type { Socket } from 'node:net'
import { untilStopped } from './abandon.ts'
import { ipVersion } from './ip-address.ts'
import type { Abandon, ConnectTarget, Network } from './network.ts'

/** Calls back when a connection is established. */
export function watchConnect(network: Network, connected: (socket: Socket) => void): Network {
  return {
    ...passing(network),
    async connect(target, abandon) {
      const socket = await network.connect(target, abandon)
      connected(socket)
      return socket
    },
    dial(target, abandon, done, failed) {
      const opened: typeof done = (socket) => {
        connected(socket)
        done(socket)
      }
      network.dial(target, abandon, opened, failed)
    },
  }
}

/**
 * Calls back when a name is resolved, for a caller that shows a connection phase by phase: the name is looked
 * up first, and the connection then uses the resolver's cache. A literal address has no such phase.
 */
export function watchResolve(network: Network, resolved: () => void): Network {
  const lookUp = async ({ host, family }: ConnectTarget, abandon: Abandon | undefined): Promise<void> => {
    if (ipVersion(host) !== 0) return
    await untilStopped(network.resolve(host, family), abandon, `no answer from the resolver for ${host}`)
    resolved()
  }
  return {
    ...passing(network),
    async connect(target, abandon) {
      await lookUp(target, abandon)
      return await network.connect(target, abandon)
    },
    dial(target, abandon, done, failed) {
      lookUp(target, abandon).then(() => network.dial(target, abandon, done, failed), failed)
    },
  }
}

function passing(network: Network): Omit<Network, 'connect' | 'dial'> {
  return {
    resolve: (host, family) => network.resolve(host, family),
    refuses: (address) => network.refuses(address),
    queryDns: (question, abandon) => network.queryDns(question, abandon),
    ping: (address, timeoutMs, abandon) => network.ping(address, timeoutMs, abandon),
  }
}
