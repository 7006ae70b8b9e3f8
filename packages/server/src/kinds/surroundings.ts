// kinds/surroundings.ts: what a resource is judged against beside itself.
import type { v2 } from '@pulseward/contract'
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { JobTypeInForce } from './job-type-in-force.ts'

/** What else is there, as the turn sees it that decides. */
export interface Surroundings {
  readonly drivers: DriverShapes
  /** Drivers that act on this machine may be used through v2. */
  readonly allowsLocalDrivers: boolean
  /** Workers outside of the service may carry out what job types say. */
  readonly allowsJobTypes: boolean
  has(kind: v2.ResourceKind, id: string): boolean
  /** Null when there is none. */
  jobType(id: string): JobTypeInForce | null
  /** Null when there is none, or when it cannot be decrypted. */
  credentialValue(id: string): string | null
  /** The ids that a monitor names in dependsOn. */
  parentsOf(id: string): readonly string[]
}
