// acting/destination-traits.ts: what the ledger has to know about an endpoint, derived from its whole
// configuration and from its provider's limits.
import { createHash } from 'node:crypto'
import type { EndpointDefinition } from '../config/fleet-file/definition.ts'
import type { Rate } from '../notify/driver.ts'
import type { DestinationTraits } from './action-source.ts'

/** For providers that document no rate. */
const unlimitedPerSecond = 1_000

/** The configuration includes the secrets, so that a dead destination is tried again when any part of it changes. */
export function destinationTraits(
  { type, config }: EndpointDefinition,
  { rate, keepsAlerts = false }: { readonly rate: Rate; readonly keepsAlerts?: boolean },
): DestinationTraits {
  return {
    fingerprint: createHash('sha256')
      .update(JSON.stringify([type, config]))
      .digest('hex')
      .slice(0, 16),
    maxInFlight: rate.maxInFlight,
    ratePerSecond: rate.perSecond ?? unlimitedPerSecond,
    keepsAlerts,
  }
}
