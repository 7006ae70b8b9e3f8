// config/external-driver.ts: a check, a recovery or a destination that workers outside the service carry out,
// as the running fleet represents it. A job type of v2 becomes this driver type; fleet files cannot name it.
// Other code asks for the job of a driver (`jobOf`), not for its type.
import { Type } from '../platform/schema-type.ts'
import type { DriverShape } from './fleet-file/schema.ts'

export const externalType = 'external'

export interface ExternalConfig {
  /** The id of the job type. Its version is the one in force when a job is offered. */
  readonly jobType: string
  readonly parameters: unknown
  /** The worker's own name for a secret; empty if the job needs none. */
  readonly profile: string
}

/** What a running fleet may use besides the registered drivers. The job type's schema validates the parameters. */
export const externalDrivers: Readonly<Record<string, DriverShape>> = {
  [externalType]: { summary: 'Carried out by workers outside the service.', config: Type.Object({}) },
}

/** The driver of a job in the running fleet. */
export function driverOfJob(job: ExternalConfig): {
  readonly type: string
  readonly config: Record<string, unknown>
} {
  return { type: externalType, config: { ...job } }
}

/** The job for workers; null for a driver that the service runs itself. */
export function jobOf({ type, config }: Driver): ExternalConfig | null {
  return type === externalType ? (config as ExternalConfig) : null
}

interface Driver {
  readonly type: string
  readonly config?: unknown
}
