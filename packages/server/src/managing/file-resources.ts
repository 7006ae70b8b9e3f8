// managing/file-resources.ts: monitors, endpoints and groups of fleet files as v2 shows them. They are read-only there, so
// their versions only have to tell one content from another: they are made from it. Defaults of the file are laid over
// its monitors already, and are shown with them.
import { createHash } from 'node:crypto'
import type { v2 } from '@pulseward/contract'
import {
  type CheckPolicy,
  type Destinations,
  type EndpointDefinition,
  type FleetDefinition,
  type MaintenanceDefinition,
  type NotifyDefinition,
  type RecoveryDefinition,
  sharedValue,
} from '../config/fleet-file/definition.ts'
import { formatDuration } from '../platform/duration.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { canonicalJson } from '../resources/canonical-json.ts'
import type { Json } from '../resources/json.ts'
import type { ManagedKind } from './managed-resource.ts'

/** A resource that a file has. */
export interface FileResource {
  readonly kind: ManagedKind
  readonly id: string
  /** The same as long as the file has it under this id. */
  readonly uid: string
  /** Another one with every other content. */
  readonly digest: string
  readonly name: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly spec: Json
}

export function fileMonitor(definition: FleetDefinition, row: number, storeId: string): FileResource {
  const id = new PackedReader(definition.ids).get(row)
  const name = new PackedReader(definition.names).get(row)
  const config = JSON.parse(new PackedReader(definition.configs).get(row))
  const spec = monitorSpec(definition, row, config)
  return made(
    'Monitor',
    id,
    { name, labels: sharedValue(definition.labels, row), spec: asJson(spec) },
    storeId,
  )
}

export function fileEndpoint(
  id: string,
  { type, config }: EndpointDefinition,
  storeId: string,
): FileResource {
  const spec = asJson(driverOf(type, config))
  return made('NotificationEndpoint', id, { name: null, labels: {}, spec }, storeId)
}

export function fileGroup(id: string, endpointRefs: readonly string[], storeId: string): FileResource {
  return made(
    'NotificationGroup',
    id,
    { name: null, labels: {}, spec: { endpointRefs: [...endpointRefs] } },
    storeId,
  )
}

/** Of what is in a file: the same as long as it has this id in this store. */
export function fileUid(storeId: string, kind: ManagedKind, id: string): string {
  return digestOf(`${storeId} ${kind} ${id}`).slice(0, 32)
}

function made(
  kind: ManagedKind,
  id: string,
  content: Pick<FileResource, 'name' | 'labels' | 'spec'>,
  storeId: string,
): FileResource {
  const uid = fileUid(storeId, kind, id)
  return { kind, id, uid, digest: digestOf(canonicalJson(content)).slice(0, 24), ...content }
}

function monitorSpec(definition: FleetDefinition, row: number, config: object): v2.Monitor['spec'] {
  const policy = sharedValue(definition.policies, row)
  const recovery = sharedValue(definition.recoveries, row)
  const { colors, repeatMs } = sharedValue(definition.notifications, row)
  const maintenance = sharedValue(definition.maintenance, row)
  const tags = sharedValue(definition.tags, row)
  const dependsOn = sharedValue(definition.dependencies, row)
  return {
    enabled: policy.enabled,
    check: checkSpec(policy, config),
    ...(recovery === null ? {} : { recovery: recoverySpec(recovery) }),
    ...(Object.keys(colors).length === 0 ? {} : { notifications: alertRules(colors) }),
    ...(repeatMs === null ? {} : { repeat: formatDuration(repeatMs) }),
    ...(maintenance.length === 0 ? {} : { maintenance: maintenance.map(windowOf) }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(dependsOn.length === 0 ? {} : { dependsOn: [...dependsOn] }),
  }
}

function checkSpec(policy: CheckPolicy, config: object): v2.Monitor['spec']['check'] {
  const { type, intervalMs, timeoutMs, unhealthyThreshold, healthyThreshold, retries } = policy
  return {
    driver: driverOf(type, config),
    interval: formatDuration(intervalMs),
    timeout: formatDuration(timeoutMs),
    unhealthyThreshold,
    healthyThreshold,
    retries,
  }
}

function recoverySpec({ type, timeoutMs, settleMs, config }: RecoveryDefinition) {
  return {
    driver: driverOf(type, config),
    timeout: formatDuration(timeoutMs),
    ...(settleMs === null ? {} : { settle: formatDuration(settleMs) }),
  }
}

function alertRules(colors: NotifyDefinition['colors']): NonNullable<v2.Monitor['spec']['notifications']> {
  const rule = ({ endpoints, groups }: Destinations) => ({
    ...(endpoints.length === 0 ? {} : { endpointRefs: [...endpoints] }),
    ...(groups.length === 0 ? {} : { groupRefs: [...groups] }),
  })
  return Object.fromEntries(Object.entries(colors).map(([color, to]) => [color, rule(to)]))
}

function windowOf(window: MaintenanceDefinition) {
  if (window.kind === 'once')
    return { start: new Date(window.startMs).toISOString(), end: new Date(window.endMs).toISOString() }
  return { cron: window.cron, duration: formatDuration(window.durationMs), timezone: window.timezone }
}

/** A reference of a file, { credential: NAME }, stands in credentialRefs as v2 writes it. */
function driverOf(type: string, config: object): v2.DriverConfig {
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

function asJson(value: object): Json {
  return value as unknown as Json
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
