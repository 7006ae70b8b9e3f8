// config/fleet-file/definition.ts: a validated fleet, packed. Strings are in shared memory, values that
// monitors have in common are kept once, and a row holds only numbers. A million monitors cost little more
// than their bytes. Plain data: built in one thread and read in all of them.
import type { PackedStrings } from '../../platform/packed-strings.ts'
import type { Places } from '../places.ts'
import type { Destinations } from './destinations.ts'
import type { OnCallDefinition, Severity } from './on-call.ts'
import type { Color } from './schema.ts'
import type { BadgeDefinition, StatusPageDefinition } from './status-page.ts'

/** How a monitor is checked, except for its target. Shared by all monitors with the same policy. */
export interface CheckPolicy {
  readonly type: string
  readonly enabled: boolean
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly unhealthyThreshold: number
  readonly healthyThreshold: number
  readonly retries: number
  /** Where it is checked; absent if the service itself is the only place. */
  readonly places?: Places
}

export interface RecoveryDefinition {
  readonly type: string
  readonly timeoutMs: number
  /** Null means one interval. */
  readonly settleMs: number | null
  readonly config: object
}

export interface NotifyDefinition {
  readonly colors: Readonly<Partial<Record<Color, Destinations>>>
  readonly repeatMs: number | null
  /** The escalation policy that the monitor names; absent if it names none. */
  readonly policy?: string
  /** The policy of a monitor that neither names one nor matches a route that does. */
  readonly defaultPolicy?: string
  /** Of its red; critical if absent. */
  readonly severity?: Severity
  /** It is the default of the fleet files; absent if the monitor has rules of its own. */
  readonly isDefault?: true
}

export type MaintenanceDefinition = {
  /** What people call it; absent if it has no name. */
  readonly name?: string
} & (
  | { readonly kind: 'cron'; readonly cron: string; readonly durationMs: number; readonly timezone: string }
  | { readonly kind: 'once'; readonly startMs: number; readonly endMs: number }
)

export interface RouteDefinition {
  /** Its id or, for a route of files without one, its place there: `routes.N`. */
  readonly name: string
  readonly match: Readonly<Record<string, string>>
  /** Empty if it has a policy alone. */
  readonly colors: readonly Color[]
  readonly destinations: Destinations
  /** The escalation policy of matching monitors that name none. */
  readonly policy?: string
  /** Of several such routes, the lowest counts; 0 if absent. In files, the place of the route. */
  readonly order?: number
}

export interface EndpointDefinition {
  readonly type: string
  readonly config: object
}

/** A table of distinct values, and for each row the index of its value. */
export interface Shared<Value> {
  readonly values: readonly Value[]
  readonly of: Uint32Array
}

export function sharedValue<Value>({ values, of }: Shared<Value>, row: number): Value {
  return values[of[row] as number] as Value
}

export interface FleetDefinition extends OnCallDefinition {
  readonly count: number
  readonly ids: PackedStrings
  readonly names: PackedStrings
  /** The driver's options as JSON; credentials are references, never values. */
  readonly configs: PackedStrings
  readonly policies: Shared<CheckPolicy>
  readonly recoveries: Shared<RecoveryDefinition | null>
  readonly notifications: Shared<NotifyDefinition>
  readonly maintenance: Shared<readonly MaintenanceDefinition[]>
  readonly tags: Shared<readonly string[]>
  readonly labels: Shared<Readonly<Record<string, string>>>
  readonly dependencies: Shared<readonly string[]>
  /**
   * Names of the credentials used by its check and its recovery, open uses of them (`openUse`), and the job
   * types that it uses (`jobTypeUse`), one per line: a job that reports has a credential of its own, and a text
   * takes a third of a list.
   */
  readonly credentials: Shared<string>
  /** The file that it was read from, if known; null for a monitor created through v2. */
  readonly sources: Shared<string | null>
  readonly endpoints: ReadonlyMap<string, EndpointDefinition>
  readonly groups: ReadonlyMap<string, readonly string[]>
  readonly routes: readonly RouteDefinition[]
  readonly statusPages: ReadonlyMap<string, StatusPageDefinition>
  /** By their keys. */
  readonly badges: ReadonlyMap<string, BadgeDefinition>
}
