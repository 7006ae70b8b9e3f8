// platform/network/check-network.ts: the network that checks use: private networks may be reached, link-local
// and metadata addresses only when the settings allow it. One for each probe thread.
import type { Clock } from '../clock.ts'
import { checkPolicy } from './address-policy.ts'
import { createNetwork, type OwnedNetwork } from './create-network.ts'
import { Resolver } from './resolver.ts'
import { ResolverFiles } from './resolver-files.ts'

export interface CheckNetworkSettings {
  readonly allowLinkLocal: boolean
  /** Name servers that take the place of the system's. */
  readonly resolvers: readonly string[]
}

export function createCheckNetwork(settings: CheckNetworkSettings, clock: Clock): OwnedNetwork {
  const files = new ResolverFiles(settings.resolvers)
  const resolver = new Resolver(files.config, { clock, files })
  const network = createNetwork({ resolver, policy: checkPolicy(settings) })
  const close = network[Symbol.dispose].bind(network)
  network[Symbol.dispose] = () => {
    close()
    resolver[Symbol.dispose]()
  }
  return network
}
