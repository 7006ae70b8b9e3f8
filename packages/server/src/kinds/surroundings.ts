// kinds/surroundings.ts: what a resource is validated against besides itself.
import type { v2 } from '@pulseward/contract'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { JobTypeInForce } from './job-type-in-force.ts'

/** Comparing a name with so many others takes a few milliseconds. */
export const mostIds = 1_000

/** What else exists, as seen by the turn that decides. */
export interface Surroundings {
  readonly drivers: DriverShapes
  /** Whether drivers that act on this machine may be used through v2. */
  readonly allowsLocalDrivers: boolean
  /** Whether external workers may carry out job types. */
  readonly allowsJobTypes: boolean
  has(kind: v2.ResourceKind, id: string): boolean
  /** Up to `mostIds` ids of a kind, to find the one that a misspelt id was meant to be. Null: do not look for it. */
  someIds(kind: v2.ResourceKind): readonly string[] | null
  /** Null if there is none. */
  jobType(id: string): JobTypeInForce | null
  /** Null if there is none, or if it cannot be decrypted. */
  credentialValue(id: string): string | null
  /** The id of the monitor whose push key this is; null if there is none. */
  monitorWithKey(key: string): string | null
  /** Another status page than this one that has the host; null if none has. */
  pageAtHost(host: string, than: string): string | null
  /** The ids of a page's components; null if they are not known here, or there is no such page. */
  componentsOf(page: string): readonly string[] | null
  /** The ids in a monitor's dependsOn. */
  parentsOf(id: string): readonly string[]
}
