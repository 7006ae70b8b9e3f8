// acting/destination-traits.ts: what the ledger has to know of an endpoint, made of its whole configuration and of how much
// its provider takes.
import { createHash } from 'node:crypto'
import type { EndpointDefinition } from '../config/fleet-file/definition.ts'
import type { Rate } from '../notify/driver.ts'
import type { DestinationTraits } from './action-source.ts'

/** For providers that document no rate. */
const unlimitedPerSecond = 1_000

/** The configuration has its secrets in place, so that a dead destination comes back when any of it changes. */
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
