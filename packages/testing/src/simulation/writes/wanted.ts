// simulation/writes/wanted.ts: the wanted state of a resource that people write through v2, in terms that the
// oracle can compare, and rendered as what they send. Immutable.
import type { Sent } from '@pulseward/server/internal/kinds/kind.ts'
import type { Color } from '@pulseward/server/internal/notify/driver.ts'
import type { Json } from '@pulseward/server/internal/platform/json/json.ts'
import { type PlannedMonitor, secretMark } from '../fleet-plan.ts'

export const kinds = ['Monitor', 'Route', 'NotificationEndpoint', 'NotificationGroup', 'Credential'] as const
export type Kind = (typeof kinds)[number]

/** Some resources have this label, so that lists can be filtered by it. */
export type Team = 'blue' | 'red' | null

interface Named {
  readonly id: string
  readonly team: Team
}

export interface WantedMonitor extends Named {
  readonly kind: 'Monitor'
  /** Its destinations and parents as written, whether they exist or not. */
  readonly planned: PlannedMonitor
  /** Also notified of every red and green. */
  readonly groups: readonly string[]
}

export interface WantedEndpoint extends Named {
  readonly kind: 'NotificationEndpoint'
  /** A different number is a different configuration. */
  readonly version: number
  /** With a credential it is a slack endpoint, otherwise a webhook. */
  readonly credential: string | null
}

export interface WantedGroup extends Named {
  readonly kind: 'NotificationGroup'
  readonly endpoints: readonly string[]
}

/** Tells of monitors with the label of a team; of all, those of files too, without one. */
export interface WantedRoute extends Named {
  readonly kind: 'Route'
  readonly match: Team
  readonly colors: readonly Color[]
  readonly endpoints: readonly string[]
  readonly groups: readonly string[]
}

export interface WantedCredential extends Named {
  readonly kind: 'Credential'
  /** A different number is a different value. */
  readonly version: number
  readonly description: string
}

export type Wanted = WantedMonitor | WantedEndpoint | WantedGroup | WantedRoute | WantedCredential

/** Unique over all kinds. */
export function keyOf({ kind, id }: { readonly kind: Kind; readonly id: string }): string {
  return `${kind} ${id}`
}

export function secretOf({ id, version }: WantedCredential): string {
  return `${secretMark}-${id}-${version}`
}

/** The keys that it refers to. */
export function referencesOf(wanted: Wanted): readonly string[] {
  switch (wanted.kind) {
    case 'Monitor': {
      const { destinations, parents } = wanted.planned
      const endpoints = new Set(Object.values(destinations).flat())
      return [
        ...parents.map((id) => keyOf({ kind: 'Monitor', id })),
        ...[...endpoints].map((id) => keyOf({ kind: 'NotificationEndpoint', id })),
        ...wanted.groups.map((id) => keyOf({ kind: 'NotificationGroup', id })),
      ]
    }
    case 'NotificationEndpoint':
      return wanted.credential === null ? [] : [keyOf({ kind: 'Credential', id: wanted.credential })]
    case 'NotificationGroup':
      return wanted.endpoints.map((id) => keyOf({ kind: 'NotificationEndpoint', id }))
    case 'Route':
      return [
        ...wanted.endpoints.map((id) => keyOf({ kind: 'NotificationEndpoint', id })),
        ...wanted.groups.map((id) => keyOf({ kind: 'NotificationGroup', id })),
      ]
    case 'Credential':
      return []
  }
}

export function sentOf(wanted: Wanted): Sent {
  const { id, team } = wanted
  const name = wanted.kind === 'Monitor' ? { name: wanted.planned.name } : {}
  const metadata = { id, ...name, ...(team === null ? {} : { labels: { team } }) }
  return { metadata, spec: specOf(wanted) }
}

function specOf(wanted: Wanted): Json {
  switch (wanted.kind) {
    case 'Monitor':
      return monitorSpec(wanted)
    case 'NotificationEndpoint':
      return wanted.credential === null
        ? { type: 'webhook', config: { url: `http://${wanted.id}.test/${wanted.version}` } }
        : { type: 'slack', config: {}, credentialRefs: { hook: wanted.credential } }
    case 'NotificationGroup':
      return { endpointRefs: [...wanted.endpoints] }
    case 'Route':
      return {
        match: wanted.match === null ? {} : { team: wanted.match },
        colors: [...wanted.colors],
        endpointRefs: [...wanted.endpoints],
        groupRefs: [...wanted.groups],
      }
    case 'Credential':
      return { value: secretOf(wanted), description: wanted.description }
  }
}

function monitorSpec({ planned, groups }: WantedMonitor): Json {
  const { id, recovery, window, repeatMinutes, parents, destinations } = planned
  const rules = Object.entries(destinations).map(([color, endpoints]) => {
    const isForGroups = groups.length > 0 && (color === 'red' || color === 'green')
    return [color, { endpointRefs: [...endpoints], ...(isForGroups ? { groupRefs: [...groups] } : {}) }]
  })
  return {
    enabled: planned.enabled,
    check: {
      driver: { type: 'http', config: { url: checkUrl(id, planned.checkVersion) } },
      interval: `${planned.intervalSeconds}s`,
      timeout: `${planned.timeoutSeconds}s`,
      unhealthyThreshold: planned.unhealthyThreshold,
      healthyThreshold: planned.healthyThreshold,
    },
    ...(recovery === null ? {} : { recovery: recoverySpec(recovery) }),
    notifications: Object.fromEntries(rules),
    ...(repeatMinutes === null ? {} : { repeat: `${repeatMinutes}m` }),
    ...(window === null ? {} : { maintenance: [windowSpec(window)] }),
    ...(parents.length === 0 ? {} : { dependsOn: [...parents] }),
  }
}

function checkUrl(id: string, version: number): string {
  return `http://${id}.test/${version}`
}

function recoverySpec({ target, timeoutSeconds, settleSeconds }: NonNullable<PlannedMonitor['recovery']>) {
  return {
    driver: { type: 'webhook', config: { url: `http://${target}.test/restart` } },
    timeout: `${timeoutSeconds}s`,
    ...(settleSeconds === null ? {} : { settle: `${settleSeconds}s` }),
  }
}

function windowSpec(window: NonNullable<PlannedMonitor['window']>) {
  if (window.kind === 'hourly')
    return { cron: `${window.minute} * * * *`, duration: `${window.lastsMinutes}m` }
  return { start: new Date(window.startMs).toISOString(), end: new Date(window.endMs).toISOString() }
}

/** The merge patch that makes one out of the other. */
export function patchBetween(before: Json, after: Json): Json {
  if (!isObject(before) || !isObject(after)) return after
  const patch: Record<string, Json> = {}
  for (const key of Object.keys(before)) if (after[key] === undefined) patch[key] = null
  for (const [key, value] of Object.entries(after)) {
    const old = before[key]
    if (old === undefined) patch[key] = value
    else if (!isSameJson(old, value)) patch[key] = patchBetween(old, value)
  }
  return patch
}

/** Whether two values are the same JSON, regardless of the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((inner, index) => isSameJson(inner, other[index]))
    )
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  )
}

/** The same text for the same JSON, regardless of the order of keys. */
export function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}

function isObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
