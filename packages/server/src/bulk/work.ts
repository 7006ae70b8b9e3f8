// bulk/work.ts: what is done with collections outside the controller, and what that needs from it. Everything expensive
// is on this side: parsing, schemas, comparing, packing. It runs in a separate thread (bulk-thread.ts), or, if nothing
// outlives the process, in the controller's thread. Only plain data is exchanged.

import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { FrozenItem, FrozenRevision } from '../controls/frozen.ts'
import type { FieldChange } from '../kinds/changed-fields.ts'
import type { ManagedKind, ResourceKey } from '../kinds/kind.ts'
import type { Misfit } from '../managing/resource-use.ts'
import type { V2FieldError } from '../requests/v2-problem.ts'
import type { StagingHead } from '../store/staging.ts'
import type { FewPlaces } from './few-places.ts'

/** Where a resource exists: in a file, in v2, or nowhere. */
export type Presence = 'file' | 'there' | 'none'

/** What the work needs from the controller. */
export interface AroundWork {
  presence(keys: readonly ResourceKey[]): Promise<readonly Presence[]>
  /** Some ids of a kind that are in force, to find the one that a misspelt id was meant to be. */
  someIds(kind: ManagedKind): Promise<readonly string[]>
  /** The values of credentials in force; null for one that does not exist or cannot be opened. */
  credentialValues(ids: readonly string[]): Promise<readonly (string | null)[]>
  /** The present users that new credential values would not fit. */
  misfits(values: readonly NewValue[]): Promise<readonly (readonly Misfit[])[]>
  /** The monitors in force whose push keys these are; null for a key without one. */
  keyOwners(keys: readonly string[]): Promise<readonly (string | null)[]>
  /** The hosts of status pages in force, and the ids of the pages. */
  hostsOfPages(): Promise<readonly (readonly [host: string, page: string])[]>
  /** The specs of job types in force, as JSON; null for one that does not exist. */
  jobTypes(ids: readonly string[]): Promise<readonly (string | null)[]>
  /** The present users that new versions of existing job types would not fit. */
  jobTypeMisfits(jobTypes: readonly NewJobType[]): Promise<readonly JobTypeMisfits[]>
  /** Whether a route that matches has a destination for red. */
  routesTell(monitors: readonly RoutedMonitor[]): Promise<readonly boolean[]>
  seal(number: number, secrets: readonly Secret[]): Promise<readonly Uint8Array[]>
  /** Null for a value that can no longer be opened. */
  open(number: number, sealed: readonly SealedSecret[]): Promise<readonly (string | null)[]>
  /** Resolves when no other writer holds these resources; they stay locked until the chunk is applied or given up. */
  lock(number: number, place: number, keys: readonly ResourceKey[]): Promise<void>
}

/** What routes look at. */
export interface RoutedMonitor {
  readonly labels: Readonly<Record<string, string>>
  readonly tags: readonly string[]
}

export interface NewValue {
  /** The id of the credential. */
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

/** Why something was not done; becomes the client's problem document. */
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

/** The progress of an upload. */
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
  /** The number of items with mistakes; the first thousand are named. */
  readonly failedCount: number
  readonly failed: readonly FailedItem[]
}

/** The expected outcome of an item. */
export interface Foreseen {
  readonly itemId: string
  readonly outcome: string
  readonly oldChange: number | null
}

export interface Preflighted extends Validation {
  readonly contentDigest: string
  readonly foreseen: readonly Foreseen[]
  /** The places of monitors that tell nobody when they fail. */
  readonly silent: readonly number[]
  readonly fewPlaces: readonly FewPlaces[]
}

/** What is written for few items only. */
export interface PreparedExtra {
  /** Why nothing is written. */
  readonly message?: string
  readonly changes?: readonly FieldChange[]
  readonly references?: readonly ResourceKey[]
  /** Its staged secret, encrypted, and whether the rest of it is unchanged. */
  readonly sealed?: Uint8Array
  readonly isSame?: boolean
}

/** The outcomes of prepared items, by number. */
export const preparedOutcomes = ['created', 'updated', 'unchanged', 'conflict'] as const

/** Items ready for the turn that applies them, as columns, which are copied several times faster. */
export interface PreparedChunk {
  /** The position of its first item. */
  readonly place: number
  readonly itemIds: readonly string[]
  /** Kind numbers. */
  readonly kinds: Uint8Array
  readonly ids: readonly string[]
  /** Indexes into preparedOutcomes. */
  readonly outcomes: Uint8Array
  /** The change of the present version; -1 for none. */
  readonly seen: Float64Array
  /** The uids of written resources; empty for the others. */
  readonly uids: readonly string[]
  readonly generations: Uint32Array
  /** NaN for a new resource. */
  readonly createdAt: Float64Array
  readonly names: readonly (string | null)[]
  /** JSON, as are the specs. */
  readonly labels: readonly string[]
  readonly specs: readonly string[]
  /** By item number. */
  readonly extras: ReadonlyMap<number, PreparedExtra>
  /** The written monitors, in order. */
  readonly entries: FleetDefinition
}

export interface BulkWork {
  create(head: StagingHead): Promise<Staged>
  /** What the previous process left; null if it no longer exists. */
  resume(number: number): Promise<Staged | null>
  upload(number: number, contentType: string | undefined, bytes: Uint8Array, now: number): Promise<Uploaded>
  /** Adds monitors that a control chose; they need no validation. */
  freeze(number: number, items: readonly FrozenItem[], now: number): Promise<Staged>
  /** Adds subjects of a control. */
  freezeRevisions(number: number, items: readonly FrozenRevision[], now: number): Promise<Staged>
  /** Makes the frozen items survive a power cut. */
  settle(number: number): Promise<void>
  /** Subjects of a control from a position on. */
  frozen(number: number, place: number, count: number): Promise<readonly FrozenRevision[]>
  touch(number: number, now: number): Promise<void>
  /** Why the collection cannot be validated; null if it is complete and matches its digest. */
  incomplete(number: number): Promise<string | null>
  /** Rejects if the operation is dropped meanwhile. */
  validate(number: number): Promise<Validation>
  /** The expected outcomes of the first items, in upload order. */
  foresee(number: number, count: number): Promise<readonly Foreseen[]>
  prepare(number: number, place: number, count: number): Promise<PreparedChunk>
  /** The ids of items from a position on. */
  itemIds(number: number, place: number, count: number): Promise<readonly string[]>
  /**
   * Whether the collection contains each of these resources, and no other writer has changed it since the
   * change `unchangedSince`. With null, other writers are ignored.
   */
  stillToCome(
    number: number,
    keys: readonly ResourceKey[],
    unchangedSince: number | null,
  ): Promise<readonly boolean[]>
  /** The resources of these items. */
  resourcesOf(number: number, itemIds: readonly string[]): Promise<readonly ResourceKey[]>
  preflight(
    contentType: string | undefined,
    bytes: Uint8Array,
  ): Promise<Preflighted | { readonly refusal: Refusal }>
  /** Removes what was staged. */
  drop(number: number): Promise<void>
  /** Removes everything staged for operations other than these. */
  dropAllBut(numbers: readonly number[]): Promise<void>
}
