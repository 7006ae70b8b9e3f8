// acting/destinations.ts: the endpoints of a fleet as the ledger knows them: their pace, and a fingerprint of the
// whole configuration with its secrets, so that a dead destination comes back when any of it changes.
import { createHash } from 'node:crypto'
import {
  type Credentials,
  MissingCredential,
  putCredentialsInPlace,
} from '../config/fleet-file/credentials.ts'
import type { EndpointDefinition, FleetDefinition } from '../config/fleet-file/definition.ts'
import type { Destination } from '../deciding/actions/destination.ts'
import { notifierOf } from '../notify/registry.ts'

/** Where a provider documents no rate. */
const unlimitedPerSecond = 1_000

export function destinationsOf({ endpoints }: FleetDefinition, credentials: Credentials): Destination[] {
  return Array.from(endpoints, ([name, endpoint]) => {
    const { rate, keepsAlerts = false } = notifierOf(endpoint)
    return {
      name,
      fingerprint: fingerprintOf(endpoint, credentials),
      maxInFlight: rate.maxInFlight,
      ratePerSecond: rate.perSecond ?? unlimitedPerSecond,
      keepsAlerts,
    }
  })
}

function fingerprintOf(endpoint: EndpointDefinition, credentials: Credentials): string {
  const inPlace = putCredentialsInPlace(notifierOf(endpoint).config, endpoint.config, credentials)
  const config = inPlace instanceof MissingCredential ? endpoint.config : inPlace.config
  return createHash('sha256')
    .update(JSON.stringify([endpoint.type, config]))
    .digest('hex')
    .slice(0, 16)
}
