// config/fleet-file/definition.ts: a validated fleet, packed. Strings lie in shared memory, what monitors
// have in common is kept once, and a row holds numbers: a million monitors cost their bytes and little more.
// Plain data: it is made in one thread and read in all of them.
import type { PackedStrings } from '../../platform/packed-strings.ts'
import type { Color } from './schema.ts'

/** How a monitor is checked, all but its target: shared by every monitor that says the same. */
export interface CheckPolicy {
  readonly type: string
  readonly enabled: boolean
  readonly intervalMs: number
  readonly timeoutMs: number
  readonly unhealthyThreshold: number
  readonly healthyThreshold: number
  readonly retries: number
}

export interface RecoveryDefinition {
  readonly type: string
  readonly timeoutMs: number
  /** Null: one interval. */
  readonly settleMs: number | null
  readonly config: object
}

export interface Destinations {
  readonly groups: readonly string[]
  readonly endpoints: readonly string[]
}

export interface NotifyDefinition {
  readonly colors: Readonly<Partial<Record<Color, Destinations>>>
  readonly repeatMs: number | null
}

export type MaintenanceDefinition =
  | { readonly kind: 'cron'; readonly cron: string; readonly durationMs: number; readonly timezone: string }
  | { readonly kind: 'once'; readonly startMs: number; readonly endMs: number }

export interface RouteDefinition {
  readonly match: Readonly<Record<string, string>>
  readonly colors: readonly Color[]
  readonly destinations: Destinations
}

export interface EndpointDefinition {
  readonly type: string
  readonly config: object
}

/** A table of distinct values and the number that each row points with. */
export interface Shared<Value> {
  readonly values: readonly Value[]
  readonly of: Uint32Array
}

export function sharedValue<Value>({ values, of }: Shared<Value>, row: number): Value {
  return values[of[row] as number] as Value
}

export interface FleetDefinition {
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
   * Names of the credentials that its check and its recovery take values from, open uses of them (`openUse`), and the job
   * types that it uses (`jobTypeUse`).
   */
  readonly credentials: Shared<readonly string[]>
  /** The file that it was read from, as far as that is known; null for one that was created through v2. */
  readonly sources: Shared<string | null>
  readonly endpoints: ReadonlyMap<string, EndpointDefinition>
  readonly groups: ReadonlyMap<string, readonly string[]>
  readonly routes: readonly RouteDefinition[]
}
