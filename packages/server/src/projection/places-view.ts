// projection/places-view.ts: what single locations said of a monitor, as v1 and v2 show it. No member where the service itself
// is the only place.
import type { LocationFinding, v2 } from '@pulseward/contract'
import type { PlacesView } from '../engine/source.ts'
import { timestamp } from '../platform/wire.ts'

export function placesViewV1(view: PlacesView | null): { readonly locations?: LocationFinding[] } {
  if (view === null) return {}
  const locations = view.places.map(({ location, last }) => ({
    location,
    at: timestamp(last?.at ?? null),
    outcome: last?.outcome ?? null,
    latency_ms: last?.latencyMs ?? null,
    reason: last?.reason ?? null,
  }))
  return { locations }
}

export function placesViewV2(view: PlacesView | null): Pick<NonNullable<v2.Monitor['status']>, 'locations'> {
  if (view === null) return {}
  const locations = view.places.map(({ location, last }) => ({
    location,
    ...(last === null ? {} : { lastCheckedAt: timestamp(last.at), outcome: last.outcome }),
    ...(last === null || last.latencyMs === null ? {} : { latencyMs: last.latencyMs }),
    ...(last === null || last.reason === null ? {} : { reason: last.reason }),
  }))
  return { locations }
}
