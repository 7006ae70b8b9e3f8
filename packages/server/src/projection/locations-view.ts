// projection/locations-view.ts: other locations and the probes there, as v1 and metrics show them: those that monitors name,
// and those with a probe.
import type { Location, LocationProbe } from '@pulseward/contract'
import { probeRefusals } from '../locations/location-counts.ts'
import type { ProbeSession } from '../locations/probe-session.ts'
import type { RemoteProbes } from '../locations/remote-probes.ts'
import { timestamp } from '../platform/wire.ts'
import type { Family } from '../telemetry/exposition.ts'
import { family } from './metric-families.ts'

/** Empty if no monitor names a location and no probe is connected. */
export function locationsOf(remote: RemoteProbes): Location[] {
  const connected = new Map(remote.locations.map(({ name, sessions }) => [name, sessions]))
  const names = new Set([...remote.namedLocations, ...connected.keys()])
  return [...names].sort().map((name) => ({ name, probes: (connected.get(name) ?? []).map(probeView) }))
}

/** A member only if there are locations. */
export function locationsView(remote: RemoteProbes | null): { readonly locations?: readonly Location[] } {
  const locations = remote === null ? [] : locationsOf(remote)
  return locations.length === 0 ? {} : { locations }
}

function probeView(session: ProbeSession): LocationProbe {
  const { hello, principal, sinceMs, isDraining, trouble, lent, tickets } = session
  return {
    name: hello.name,
    principal,
    version: hello.version,
    connected_since: timestamp(sinceMs),
    state: isDraining ? 'draining' : trouble === null ? 'connected' : 'overloaded',
    monitors: lent.count,
    in_flight: tickets.count,
  }
}

/** Null for an edition that takes no probes. */
export function locationFamilies(remote: RemoteProbes | null): Family[] {
  if (remote === null) return []
  const locations = locationsOf(remote)
  const ofEach = (figureOf: (location: Location) => number) =>
    locations.map((location) => ({ labels: { location: location.name }, value: figureOf(location) }))
  const checks = remote.counts.checks(locations.map(({ name }) => name))
  return [
    family(
      'pulseward_location_probes',
      ofEach(({ probes }) => probes.length),
    ),
    family(
      'pulseward_location_checks_in_flight',
      ofEach(({ probes }) => probes.reduce((sum, { in_flight }) => sum + in_flight, 0)),
    ),
    family(
      'pulseward_location_checks_total',
      checks.map(({ location, outcome, count }) => ({ labels: { location, outcome }, value: count })),
    ),
    family(
      'pulseward_location_latency_seconds_total',
      [...new Set(checks.map(({ location }) => location))].map((location) => ({
        labels: { location },
        value: remote.counts.successMs(location) / 1000,
      })),
    ),
    family(
      'pulseward_probe_refusals_total',
      probeRefusals.map((reason) => ({ labels: { reason }, value: remote.counts.refusals(reason) })),
    ),
  ]
}
