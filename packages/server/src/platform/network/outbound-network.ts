// platform/network/outbound-network.ts: the network that notifications and recoveries use: loopback, link-local and
// metadata addresses are refused at connect time unless the settings allow them. One for the process.
import type { Clock } from '../clock.ts'
import { outboundPolicy } from './address-policy.ts'
import { createNetwork, type OwnedNetwork } from './create-network.ts'
import { Resolver } from './resolver.ts'
import { ResolverFiles } from './resolver-files.ts'

export interface OutboundNetworkSettings {
  readonly allowLoopback: boolean
  readonly allowLinkLocal: boolean
  /** Name servers that take the place of the system's. */
  readonly resolvers: readonly string[]
}

export function createOutboundNetwork(settings: OutboundNetworkSettings, clock: Clock): OwnedNetwork {
  const files = new ResolverFiles(settings.resolvers)
  const resolver = new Resolver(files.config, { clock, files })
  const network = createNetwork({ resolver, policy: outboundPolicy(settings) })
  const close = network[Symbol.dispose].bind(network)
  network[Symbol.dispose] = () => {
    close()
    resolver[Symbol.dispose]()
  }
  return network
}
