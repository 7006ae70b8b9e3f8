// fleet/fleet-change.ts: a change of a running fleet, as plain data: monitors that are added, changed or removed, and
// where notifications go. Rereading the files makes one such change, and so does every write of a single monitor.
import type { FleetDefinition, Shared } from '../config/fleet-file/definition.ts'
import { noOnCall, type OnCallDefinition } from '../config/fleet-file/on-call.ts'
import type { PackedStrings } from '../platform/packed-strings.ts'

/** Where notifications go, and who is on call: few entries, replaced together. */
export type FleetHead = Pick<
  FleetDefinition,
  'endpoints' | 'groups' | 'routes' | 'statusPages' | 'badges' | keyof OnCallDefinition
>

export const noHead: FleetHead = {
  endpoints: new Map(),
  groups: new Map(),
  routes: [],
  statusPages: new Map(),
  badges: new Map(),
  ...noOnCall,
}

export interface FleetChange {
  /** Monitors to add, or to replace those with the same ids. */
  readonly entries: FleetDefinition
  /** Ids of monitors to remove. */
  readonly removed: readonly string[]
  /** Null if unchanged. */
  readonly head: FleetHead | null
}

/** Only these monitors of a fleet. Texts and values are shared, not copied. */
export function pickMonitors(fleet: FleetDefinition, numbers: Uint32Array): FleetDefinition {
  const column = (of: Uint32Array) => numbers.map((number) => of[number]!)
  const strings = ({ chunks, starts }: PackedStrings): PackedStrings => ({ chunks, starts: column(starts) })
  const shared = <Value>({ values, of }: Shared<Value>): Shared<Value> => ({ values, of: column(of) })
  return {
    ...fleet,
    count: numbers.length,
    ids: strings(fleet.ids),
    names: strings(fleet.names),
    configs: strings(fleet.configs),
    policies: shared(fleet.policies),
    recoveries: shared(fleet.recoveries),
    notifications: shared(fleet.notifications),
    maintenance: shared(fleet.maintenance),
    tags: shared(fleet.tags),
    labels: shared(fleet.labels),
    dependencies: shared(fleet.dependencies),
    credentials: shared(fleet.credentials),
    sources: shared(fleet.sources),
  }
}

export function headOf(definition: FleetHead): FleetHead {
  const { endpoints, groups, routes, statusPages, badges } = definition
  const { people, schedules, escalationPolicies } = definition
  return { endpoints, groups, routes, statusPages, badges, people, schedules, escalationPolicies }
}

/** How many monitors a change affected. */
export interface ChangeReport {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly unchanged: number
}
