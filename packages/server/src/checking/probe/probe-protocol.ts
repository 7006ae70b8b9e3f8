// checking/probe/probe-protocol.ts: the messages between the engine and a probe thread. Checks go out and
// results come back in batches of typed arrays; texts are sent only for results that have any.

import type { OutcomeStatus } from '../../checks/driver.ts'
import type { CheckPolicy, FleetDefinition } from '../../config/fleet-file/definition.ts'
import type { PackedEntries } from '../../platform/packed-map.ts'

export const outcomeStatuses: readonly OutcomeStatus[] = ['success', 'failure', 'timeout', 'no_data']

/** What a probe thread needs to know about the fleet: configurations stay packed, and policies are few. */
export type ProbeFleet = Pick<FleetDefinition, 'configs' | 'policies'>

/** A change of single monitors. */
export interface ProbeAmendment {
  /** Rows that are new, have changed or have left. */
  readonly rows: Uint32Array
  /** Null if their values stay as they are. */
  readonly credentials: ReadonlyMap<string, string> | null
  /** How many rows the fleet has room for. */
  readonly capacity: number
}

/** Only what a thread does not have yet; null for the rest. Values that monitors share are only ever added. */
export interface MoreOfFleet {
  readonly configs: ProbeFleet['configs'] | null
  readonly policiesOf: Uint32Array | null
  readonly policies: readonly CheckPolicy[]
}

export interface ProbeSetup {
  readonly allowLinkLocal: boolean
  readonly resolvers: readonly string[]
}

export type ToProbe =
  | { readonly kind: 'ping' }
  | { readonly kind: 'fleet'; readonly fleet: ProbeFleet; readonly credentials: PackedEntries }
  | {
      readonly kind: 'amended'
      readonly more: MoreOfFleet
      readonly rows: Uint32Array
      readonly credentials: PackedEntries | null
    }
  | { readonly kind: 'checks'; readonly rows: Uint32Array; readonly generations: Uint32Array }

/** What changes the fleet of a thread. */
export type FleetToProbe = Extract<ToProbe, { readonly kind: 'fleet' | 'amended' }>

/** The texts of one result. */
export interface ResultNote {
  readonly position: number
  readonly reason: string | null
  readonly warning: string | null
  readonly certificateExpiresAt: number | null
  /** The external worker that carried out the check; absent if it ran here. */
  readonly from?: string
}

/** A thread answers a ping as soon as its event loop gets to it. */
export type FromProbe = ResultBatch | { readonly kind: 'pong' }

/** Results in the order in which they ended; every array has one entry per result. */
export interface ResultBatch {
  readonly rows: Uint32Array
  readonly generations: Uint32Array
  /** Index into outcomeStatuses, with the bits below. */
  readonly outcomes: Uint8Array
  readonly startedMs: Float64Array
  readonly finishedMs: Float64Array
  readonly latencyMs: Float32Array
  readonly notes: readonly ResultNote[]
}

export const outcomeStatusMask = 3
/** The evidence is local: the failure may be our own fault. */
export const localEvidence = 4
/** The target is on this machine. */
export const loopbackTarget = 8
/** With no_data: the check could not be made where it belongs, which is our own fault. */
export const notMade = 16
