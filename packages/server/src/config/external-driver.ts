// config/external-driver.ts: how the running fleet names a check, a recovery or a destination that workers outside the
// service carry out. Fleet files have no such type: it is what a job type of v2 becomes in the fleet.

export const externalType = 'external'

export interface ExternalConfig {
  /** The id of the job type. Its version is the one in force when a job is offered. */
  readonly jobType: string
  readonly parameters: unknown
  /** A worker's own name for a secret; empty without one. */
  readonly profile: string
}
