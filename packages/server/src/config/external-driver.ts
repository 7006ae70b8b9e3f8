// config/external-driver.ts: how the running fleet has a check, a recovery or a destination that workers outside the service
// carry out. Fleet files have no such type: it is what a job type of v2 becomes in the fleet. Others do not ask for the type,
// but for the job that a driver is.
import { Type } from '../platform/schema-type.ts'
import type { DriverShape } from './fleet-file/schema.ts'

export const externalType = 'external'

export interface ExternalConfig {
  /** The id of the job type. Its version is the one in force when a job is offered. */
  readonly jobType: string
  readonly parameters: unknown
  /** A worker's own name for a secret; empty without one. */
  readonly profile: string
}

/** Beside the drivers of the registries, what a running fleet may have. The schema of a job type judges the rest. */
export const externalDrivers: Readonly<Record<string, DriverShape>> = {
  [externalType]: { summary: 'Carried out by workers outside of the service.', config: Type.Object({}) },
}

/** As the running fleet has it. */
export function driverOfJob(job: ExternalConfig): {
  readonly type: string
  readonly config: Record<string, unknown>
} {
  return { type: externalType, config: { ...job } }
}

/** What workers are asked to do; null for a driver that the service has itself. */
export function jobOf({ type, config }: Driver): ExternalConfig | null {
  return type === externalType ? (config as ExternalConfig) : null
}

interface Driver {
  readonly type: string
  readonly config?: unknown
}
