// acting/action-source.ts: a place where actions are carried out: the drivers in this process, or workers outside it. The flow
// hands it what has started and is on disk. A source acts once for each action and decides nothing.
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
  /** Of its monitor; -1 for a digest, and for one that is not in the fleet any more. */
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

/** An action with everything that was settled when it started: the fleet may have changed when that is on disk. */
export type StartedAction = StartedRecovery | StartedNotification

export interface ActionSource {
  /** The types of recoveries and endpoints that are its own: no other source has them. */
  readonly types: readonly string[]
  /** Its actions run in this process: each has a place in the pool, and a service that stops waits for their answers. */
  readonly runsHere: boolean
  /** From now on actions are carried out as this fleet says. */
  setFleet(fleet: FleetDefinition, credentials: Credentials): void
  /** The outcome. Its promise never rejects. Null: how it ends is told in a turn (`endAction`). */
  carryOut(started: StartedAction): Promise<ActionOutcome> | null
  /** The same for recoveries that act on the same target. */
  targetOf(recovery: RecoveryDefinition): string
  /** An endpoint as the ledger knows it. */
  describe(endpoint: EndpointDefinition, credentials: Credentials): DestinationTraits
}

export type DestinationTraits = Omit<Destination, 'name'>
