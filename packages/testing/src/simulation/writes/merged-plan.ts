// simulation/writes/merged-plan.ts: the fleet that must run: the files, and what was written through v2. If both have an
// id, the resource wins. Missing parents are skipped; missing destinations stay, because what they are not sent is
// recorded. Unchanged monitors are the same objects as before, which is how the oracle tells what changed.
import type { Color } from '@pulseward/server/internal/notify/driver.ts'
import type { FleetPlan, PlannedEndpoint, PlannedMonitor } from '../fleet-plan.ts'
import {
  isSameJson,
  type Wanted,
  type WantedCredential,
  type WantedEndpoint,
  type WantedMonitor,
  type WantedRoute,
} from './wanted.ts'

/** More than the number of credential writes in any seed. */
const versionsOfCredentials = 1_000_000

export class MergedPlan {
  #last: FleetPlan = { monitors: new Map(), endpoints: new Map() }

  of(files: FleetPlan, resources: readonly Wanted[]): FleetPlan {
    if (resources.length === 0) return this.#keep(files)
    const credentials = new Map(resources.filter(isCredential).map((one) => [one.id, one]))
    const endpoints = new Map(files.endpoints)
    for (const one of resources)
      if (one.kind === 'NotificationEndpoint') endpoints.set(one.id, this.#endpoint(one, credentials))
    const groups = new Map(
      resources.flatMap((one) =>
        one.kind === 'NotificationGroup' ? [[one.id, one.endpoints] as const] : [],
      ),
    )
    const monitors = new Map(files.monitors)
    const own = resources.filter((one) => one.kind === 'Monitor')
    for (const { id, planned } of own) monitors.set(id, planned)
    for (const one of own) monitors.set(one.id, this.#monitor(one, { monitors, groups }))
    const routes = resources.filter((one) => one.kind === 'Route')
    const teams = new Map(own.map(({ id, team }) => [id, team]))
    if (routes.length > 0)
      for (const [id, planned] of monitors) {
        const matching = routes.filter(({ match }) => match === null || match === teams.get(id))
        monitors.set(id, asBefore(this.#last.monitors.get(id), routed(planned, matching, groups)))
      }
    return this.#keep({ monitors, endpoints, onCall: files.onCall })
  }

  #endpoint(
    { id, version, credential }: WantedEndpoint,
    credentials: ReadonlyMap<string, WantedCredential>,
  ): PlannedEndpoint {
    const ofCredential = credential === null ? 0 : (credentials.get(credential)?.version ?? 0)
    const endpoint = {
      name: id,
      type: credential === null ? 'webhook' : 'slack',
      // The options of a slack endpoint contain only its credential.
      version: credential === null ? version * versionsOfCredentials : ofCredential,
    }
    return asBefore(this.#last.endpoints.get(id), endpoint)
  }

  #monitor(
    { id, planned, groups: named }: WantedMonitor,
    around: Pick<FleetPlan, 'monitors'> & { readonly groups: ReadonlyMap<string, readonly string[]> },
  ): PlannedMonitor {
    const members = named.flatMap((group) => around.groups.get(group) ?? [])
    const resolved = Object.entries(planned.destinations).map(([color, endpoints]) => {
      const all = color === 'red' || color === 'green' ? [...members, ...endpoints] : endpoints
      return [color, [...new Set(all)]]
    })
    const destinations: Record<Color, readonly string[]> = Object.fromEntries(resolved)
    const parents = planned.parents.filter((parent) => around.monitors.has(parent))
    return asBefore(this.#last.monitors.get(id), { ...planned, destinations, parents })
  }

  #keep(plan: FleetPlan): FleetPlan {
    this.#last = plan
    return plan
  }
}

/** Whom these routes add, each once. */
function routed(
  planned: PlannedMonitor,
  routes: readonly WantedRoute[],
  groups: ReadonlyMap<string, readonly string[]>,
): PlannedMonitor {
  if (routes.length === 0) return planned
  const entries = Object.entries(planned.destinations).map(([color, named]) => {
    const added = routes
      .filter(({ colors }) => colors.includes(color as Color))
      .flatMap((route) => [...route.groups.flatMap((group) => groups.get(group) ?? []), ...route.endpoints])
    return [color, [...new Set([...named, ...added])]]
  })
  return { ...planned, destinations: Object.fromEntries(entries) }
}

function isCredential(wanted: Wanted): wanted is WantedCredential {
  return wanted.kind === 'Credential'
}

function asBefore<Value>(before: Value | undefined, now: Value): Value {
  return before !== undefined && isSameJson(before, now) ? before : now
}
