// managing/surroundings.ts: what a resource is judged against beside itself.
import type { DriverShapes } from '../config/fleet-file/schema.ts'
import type { JobTypeInForce } from '../resources/job-type.ts'

/** What else is there, as the turn sees it that decides. */
export interface Surroundings {
  readonly drivers: DriverShapes
  /** Drivers that act on this machine may be used through v2. */
  readonly allowsLocalDrivers: boolean
  /** Workers outside of the service may carry out what job types say. */
  readonly allowsJobTypes: boolean
  /** Null when there is none. */
  jobType(id: string): JobTypeInForce | null
  hasMonitor(id: string): boolean
  hasEndpoint(id: string): boolean
  hasGroup(id: string): boolean
  hasCredential(id: string): boolean
  /** Null when there is none, or when it cannot be decrypted. */
  credentialValue(id: string): string | null
  /** The ids that a monitor names in dependsOn. */
  parentsOf(id: string): readonly string[]
}
