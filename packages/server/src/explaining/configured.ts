// explaining/configured.ts: what the rules of a monitor compare, as it is configured: of the fleet in force, or of a revision.
// Never the options of a check, which are not compared and may contain what is secret.
import type {
  FleetDefinition,
  MaintenanceDefinition,
  NotifyDefinition,
  RouteDefinition,
} from '../config/fleet-file/definition.ts'
import { sharedValue } from '../config/fleet-file/definition.ts'
import { matchesRoute, policyRoutes } from '../config/fleet-file/route-match.ts'
import { type Audience, audienceOf, type Groups } from '../deciding/actions/audience.ts'
import type { Fleet } from '../fleet/fleet.ts'

/** A monitor as its rules see it. */
export interface MonitorForm {
  readonly name: string
  readonly enabled: boolean
  readonly unhealthyThreshold: number
  readonly healthyThreshold: number
  readonly hasRecovery: boolean
  readonly dependsOn: readonly string[]
  readonly maintenance: readonly MaintenanceDefinition[]
  readonly notify: NotifyDefinition
  readonly labels: Readonly<Record<string, string>>
  readonly tags: readonly string[]
}

/** Who can be told, and by which rules. */
export interface RoutingForm {
  readonly routes: readonly RouteDefinition[]
  readonly groups: Groups
}

export interface Configured {
  readonly monitor: MonitorForm
  readonly routing: RoutingForm
}

export function monitorFormOf(fleet: Fleet, row: number): MonitorForm {
  const { definition } = fleet
  const policy = fleet.policyOf(row)
  return {
    name: fleet.nameOf(row),
    enabled: policy.enabled,
    unhealthyThreshold: policy.unhealthyThreshold,
    healthyThreshold: policy.healthyThreshold,
    hasRecovery: fleet.recoveryOf(row) !== null,
    dependsOn: sharedValue(definition.dependencies, row),
    maintenance: sharedValue(definition.maintenance, row),
    notify: fleet.notifyOf(row),
    labels: sharedValue(definition.labels, row),
    tags: sharedValue(definition.tags, row),
  }
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
