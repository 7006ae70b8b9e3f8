// acting/action-source.ts: a place where actions are carried out: the drivers in this process, or external workers. The
// flow hands it actions that have started and are on disk. A source acts once per action and decides nothing.
import type { Credentials } from '../config/fleet-file/credentials.ts'
import type {
  EndpointDefinition,
  FleetDefinition,
  RecoveryDefinition,
} from '../config/fleet-file/definition.ts'
import type { Action } from '../deciding/actions/action.ts'
import type { Destination } from '../deciding/actions/destination.ts'
import type { Notification } from '../notify/driver.ts'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { Intervention } from '../recovery/driver.ts'

/** How long sending a notification may take. */
export const notifyTimeoutMs = 15_000

interface Started {
  readonly action: Action
  /** The monitor's row; -1 for a digest, and for a monitor that is no longer in the fleet. */
  readonly row: number
  readonly timeoutMs: number
}

interface StartedRecovery extends Started {
  readonly kind: 'recovery'
  readonly driver: RecoveryDefinition
  readonly about: Intervention
}

interface StartedNotification extends Started {
  readonly kind: 'notification'
  /** The name of the endpoint. */
  readonly endpoint: string
  readonly driver: EndpointDefinition
  readonly about: Notification
}

/**
 * An action with everything that was resolved when it started: the fleet may have changed by the time that is on disk.
 */
export type StartedAction = StartedRecovery | StartedNotification

export interface ActionSource {
  /** The types of recoveries and endpoints that only this source carries out. */
  readonly types: readonly string[]
  /** Its actions run in this process: each takes a place in the pool, and a stopping service waits for their answers. */
  readonly runsHere: boolean
  /** From now on, actions are carried out with this configuration. */
  setFleet(fleet: FleetDefinition, credentials: Credentials): void
  /** Resolves to the outcome and never rejects. Null if the outcome is reported in a turn (`endAction`). */
  carryOut(started: StartedAction): Promise<ActionOutcome> | null
  /** Equal for recoveries that act on the same target. */
  targetOf(recovery: RecoveryDefinition): string
  /** The endpoint's traits as the ledger needs them. */
  describe(endpoint: EndpointDefinition, credentials: Credentials): DestinationTraits
}

export type DestinationTraits = Omit<Destination, 'name'>
