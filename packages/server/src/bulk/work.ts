// bulk/work.ts: what is done with collections away from the controller, and what that needs of it. Everything that costs
// is on this side: parsing, schemas, comparing, packing. It runs in a thread of its own (bulk-thread.ts), or, where
// nothing outlives the process, beside the controller. Only plain data crosses.

import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { FrozenItem, FrozenRevision } from '../controls/frozen.ts'
import type { FieldChange } from '../kinds/changed-fields.ts'
import type { ResourceKey } from '../kinds/kind.ts'
import type { Misfit } from '../managing/resource-use.ts'
import type { V2FieldError } from '../requests/v2-problem.ts'
import type { StagingHead } from '../store/staging.ts'

/** What the controller knows of a resource: a file has it, v2 has it, or nobody. */
export type Presence = 'file' | 'there' | 'none'

/** What the work asks of the controller. */
export interface AroundWork {
  presence(keys: readonly ResourceKey[]): Promise<readonly Presence[]>
  /** The values of credentials that are in force; null for one that is not there or cannot be opened. */
  credentialValues(ids: readonly string[]): Promise<readonly (string | null)[]>
  /** What values of credentials would be wrong for, of all that takes them now. */
  misfits(values: readonly NewValue[]): Promise<readonly (readonly Misfit[])[]>
  /** The specs of job types that are in force, as JSON; null for one that is not there. */
  jobTypes(ids: readonly string[]): Promise<readonly (string | null)[]>
  /** What job types that are there already would be wrong for, of all that uses them now. */
  jobTypeMisfits(jobTypes: readonly NewJobType[]): Promise<readonly JobTypeMisfits[]>
  seal(number: number, secrets: readonly Secret[]): Promise<readonly Uint8Array[]>
  /** Null for what cannot be opened any more. */
  open(number: number, sealed: readonly SealedSecret[]): Promise<readonly (string | null)[]>
  /** Resolves when nobody else writes these resources; they stay locked until the chunk is applied or given up. */
  lock(number: number, place: number, keys: readonly ResourceKey[]): Promise<void>
}

export interface NewValue {
  /** Of the credential. */
  readonly id: string
  readonly value: string
}

export interface NewJobType {
  readonly id: string
  /** JSON. */
  readonly spec: string
}

export interface JobTypeMisfits {
  /** Why its version may not be written, as the rest of a sentence. */
  readonly version: string | null
  readonly misfits: readonly Misfit[]
}

export interface Secret {
  readonly itemId: string
  readonly text: string
}

export interface SealedSecret {
  readonly itemId: string
  readonly sealed: Uint8Array
}

/** Why something was not done; becomes the problem that the client gets. */
export interface Refusal {
  readonly code:
    | 'invalidBody'
    | 'invalidResource'
    | 'operationConflict'
    | 'unsupportedMediaType'
    | 'bodyTooLarge'
  readonly message: string
  readonly errors: readonly V2FieldError[]
}

/** How far an upload is. */
export interface Staged {
  readonly uploaded: number
  readonly touchedAt: number
}

export type Uploaded = Staged | { readonly refusal: Refusal }

/** An item with everything that is wrong with it. */
export interface FailedItem {
  readonly ordinal: number
  readonly itemId: string
  readonly source: string
  readonly errors: readonly V2FieldError[]
}

export interface Validation {
  /** Items with mistakes; the first thousand of them are named. */
  readonly failedCount: number
  readonly failed: readonly FailedItem[]
}

/** What would become of an item. */
export interface Foreseen {
  readonly itemId: string
  readonly outcome: string
  readonly oldChange: number | null
}

export interface Preflighted extends Validation {
  readonly contentDigest: string
  readonly foreseen: readonly Foreseen[]
}

/** What is written of few items only. */
export interface PreparedExtra {
  /** Why nothing is written. */
  readonly message?: string
  readonly changes?: readonly FieldChange[]
  readonly references?: readonly ResourceKey[]
  /** Its staged secret, encrypted, and whether nothing else of it may differ. */
  readonly sealed?: Uint8Array
  readonly isSame?: boolean
}

/** The outcomes of prepared items, by number. */
export const preparedOutcomes = ['created', 'updated', 'unchanged', 'conflict'] as const

/** Items that are ready for the turn that applies them, as columns: those are copied several times faster. */
export interface PreparedChunk {
  /** Of its first item. */
  readonly place: number
  readonly itemIds: readonly string[]
  /** Numbers of kinds. */
  readonly kinds: Uint8Array
  readonly ids: readonly string[]
  /** Numbers of preparedOutcomes. */
  readonly outcomes: Uint8Array
  /** The change that made the present version; -1 for none. */
  readonly seen: Float64Array
  /** Of what is written; empty for the others. */
  readonly uids: readonly string[]
  readonly generations: Uint32Array
  /** NaN for what is new. */
  readonly createdAt: Float64Array
  readonly names: readonly (string | null)[]
  /** JSON, as are the specs. */
  readonly labels: readonly string[]
  readonly specs: readonly string[]
  /** By the number of the item. */
  readonly extras: ReadonlyMap<number, PreparedExtra>
  /** Monitors that are written, in their order. */
  readonly entries: FleetDefinition
}

export interface BulkWork {
  create(head: StagingHead): Promise<Staged>
  /** What the previous process left; null when it is not there any more. */
  resume(number: number): Promise<Staged | null>
  upload(number: number, contentType: string | undefined, bytes: Uint8Array, now: number): Promise<Uploaded>
  /** Adds monitors that a control chose; they need no validation. */
  freeze(number: number, items: readonly FrozenItem[], now: number): Promise<Staged>
  /** Adds subjects of a control. */
  freezeRevisions(number: number, items: readonly FrozenRevision[], now: number): Promise<Staged>
  /** What was frozen outlives a power cut from now on. */
  settle(number: number): Promise<void>
  /** Subjects of a control from a place on. */
  frozen(number: number, place: number, count: number): Promise<readonly FrozenRevision[]>
  touch(number: number, now: number): Promise<void>
  /** Why the collection cannot be validated; null when it is whole and has its digest. */
  incomplete(number: number): Promise<string | null>
  /** Rejects when the operation was dropped meanwhile. */
  validate(number: number): Promise<Validation>
  /** What would become of the first items, in the order of upload. */
  foresee(number: number, count: number): Promise<readonly Foreseen[]>
  prepare(number: number, place: number, count: number): Promise<PreparedChunk>
  /** The ids of items from a place on. */
  itemIds(number: number, place: number, count: number): Promise<readonly string[]>
  /**
   * Whether the collection is about each of these resources, and others have left it as it was at a change. Null: whatever
   * others have done.
   */
  stillToCome(
    number: number,
    keys: readonly ResourceKey[],
    unchangedSince: number | null,
  ): Promise<readonly boolean[]>
  /** The resources that these items are about. */
  resourcesOf(number: number, itemIds: readonly string[]): Promise<readonly ResourceKey[]>
  preflight(
    contentType: string | undefined,
    bytes: Uint8Array,
  ): Promise<Preflighted | { readonly refusal: Refusal }>
  /** Gives back what was staged. */
  drop(number: number): Promise<void>
  /** Gives back everything that is staged for other operations than these. */
  dropAllBut(numbers: readonly number[]): Promise<void>
}
