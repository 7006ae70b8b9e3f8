// explaining/configured.ts: what the rules of a monitor compare, of the fleet in force or of an earlier moment.
import type { FleetDefinition, RouteDefinition } from '../config/fleet-file/definition.ts'
import { matchesRoute, policyRoutes } from '../config/fleet-file/route-match.ts'
import { type Audience, audienceOf, type Groups } from '../deciding/actions/audience.ts'
import type { MonitorForm } from '../fleet/monitor-form.ts'

/** Who can be told, and by which rules. */
export interface RoutingForm {
  readonly routes: readonly RouteDefinition[]
  readonly groups: Groups
}

export interface Configured {
  readonly monitor: MonitorForm
  readonly routing: RoutingForm
}

export function routingFormOf({ routes, groups }: FleetDefinition): RoutingForm {
  return { routes, groups }
}

/** Whom its red goes to, and which rules name them: as notifications are routed. */
export function redAudienceOf({ monitor, routing }: Configured): Audience['red'] {
  const { notify, labels, tags } = monitor
  const matching = routing.routes.filter((route) => matchesRoute(route, labels, tags))
  return audienceOf(notify, matching, routing.groups).red
}

/** Its own, else that of the first matching route that names one, else the default; null if none. */
export function policyNameOf({ monitor, routing }: Configured): string | null {
  const { notify, labels, tags } = monitor
  const routed = policyRoutes(routing.routes).find((route) => matchesRoute(route, labels, tags))
  return notify.policy ?? routed?.policy ?? notify.defaultPolicy ?? null
}
