// kinds/file-monitor.ts: a monitor of a fleet file in v2 form. The defaults of the file have already been
// applied, and are shown with it.
import type { v2 } from '@pulseward/contract'
import {
  type CheckPolicy,
  type FleetDefinition,
  type MaintenanceDefinition,
  type NotifyDefinition,
  type RecoveryDefinition,
  sharedValue,
} from '../config/fleet-file/definition.ts'
import type { Destinations } from '../config/fleet-file/destinations.ts'
import { matchesRoute } from '../config/fleet-file/route-match.ts'
import type { Places } from '../config/places.ts'
import { formatDuration } from '../platform/duration.ts'
import type { Json } from '../platform/json/json.ts'

export function monitorSpec(definition: FleetDefinition, row: number, config: object): v2.Monitor['spec'] {
  const policy = sharedValue(definition.policies, row)
  const recovery = sharedValue(definition.recoveries, row)
  const { colors, repeatMs, severity } = sharedValue(definition.notifications, row)
  const policyRef = ownPolicy(definition, row)
  const maintenance = sharedValue(definition.maintenance, row)
  const tags = sharedValue(definition.tags, row)
  const dependsOn = sharedValue(definition.dependencies, row)
  return {
    enabled: policy.enabled,
    check: checkSpec(policy, config),
    ...(recovery === null ? {} : { recovery: recoverySpec(recovery) }),
    ...(Object.keys(colors).length === 0 ? {} : { notifications: alertRules(colors) }),
    ...(policyRef === null ? {} : { policyRef }),
    ...(severity === undefined ? {} : { severity }),
    ...(repeatMs === null ? {} : { repeat: formatDuration(repeatMs) }),
    ...(maintenance.length === 0 ? {} : { maintenance: maintenance.map(windowOf) }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(dependsOn.length === 0 ? {} : { dependsOn: [...dependsOn] }),
  }
}

/** The policy that it names, or the default of the files unless a route gives it another; null if there is none. */
function ownPolicy({ notifications, labels, tags, routes }: FleetDefinition, row: number): string | null {
  const { policy, defaultPolicy } = sharedValue(notifications, row)
  if (policy !== undefined || defaultPolicy === undefined) return policy ?? null
  const isRouted = routes.some(
    (route) =>
      route.policy !== undefined && matchesRoute(route, sharedValue(labels, row), sharedValue(tags, row)),
  )
  return isRouted ? null : defaultPolicy
}

function checkSpec(policy: CheckPolicy, config: object): v2.Monitor['spec']['check'] {
  const { type, intervalMs, timeoutMs, unhealthyThreshold, healthyThreshold, retries, places } = policy
  return {
    driver: driverConfigOf(type, config),
    interval: formatDuration(intervalMs),
    timeout: formatDuration(timeoutMs),
    unhealthyThreshold,
    healthyThreshold,
    retries,
    ...(places === undefined ? {} : placesSpec(places)),
  }
}

/** With one location, there is nothing to say about how many have to fail. */
function placesSpec({
  locations,
  failsWhen,
}: Places): Pick<v2.Monitor['spec']['check'], 'locations' | 'failsWhen'> {
  return { locations: [...locations], ...(locations.length === 1 ? {} : { failsWhen }) }
}

function recoverySpec({ type, timeoutMs, settleMs, config }: RecoveryDefinition) {
  return {
    driver: driverConfigOf(type, config),
    timeout: formatDuration(timeoutMs),
    ...(settleMs === null ? {} : { settle: formatDuration(settleMs) }),
  }
}

function alertRules(colors: NotifyDefinition['colors']): NonNullable<v2.Monitor['spec']['notifications']> {
  return Object.fromEntries(Object.entries(colors).map(([color, to]) => [color, referencesTo(to)]))
}

export function referencesTo({ endpoints, groups }: Destinations) {
  return {
    ...(endpoints.length === 0 ? {} : { endpointRefs: [...endpoints] }),
    ...(groups.length === 0 ? {} : { groupRefs: [...groups] }),
  }
}

function windowOf(window: MaintenanceDefinition) {
  const named = window.name === undefined ? {} : { name: window.name }
  if (window.kind === 'once')
    return {
      ...named,
      start: new Date(window.startMs).toISOString(),
      end: new Date(window.endMs).toISOString(),
    }
  const { cron, durationMs, timezone } = window
  return { ...named, cron, duration: formatDuration(durationMs), timezone }
}

/** A reference in a file, { credential: NAME }, becomes an entry of credentialRefs. */
export function driverConfigOf(type: string, config: object): v2.DriverConfig {
  const credentialRefs: Record<string, string> = {}
  const open = withoutReferences(config as Json, [], credentialRefs)
  return { type, config: open, ...(Object.keys(credentialRefs).length === 0 ? {} : { credentialRefs }) }
}

function withoutReferences(value: Json, path: readonly string[], found: Record<string, string>): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const name = referenceIn(inner)
    if (name === null) return [[key, withoutReferences(inner, [...path, key], found)] as const]
    found[[...path, key].join('.')] = name
    return []
  })
  return Object.fromEntries(entries)
}

function referenceIn(value: Json): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { credential, ...others } = value as { readonly [key: string]: Json }
  return typeof credential === 'string' && Object.keys(others).length === 0 ? credential : null
}
