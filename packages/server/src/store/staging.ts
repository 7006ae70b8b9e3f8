// store/staging.ts: what was uploaded for operations that are not applied yet. It is no part of a commit: it never stands in
// the way of the store, and is lost with a backup that is put back. Every call may throw, or reject with, a StoreError:
// `gone` or `corrupt` when what was staged is lost. A store that keeps it elsewhere works on a copy beside the caller:
// single items are read and added at once, and only whole operations are waited for.

/** One item as it is staged. */
export interface StagedItem {
  /** Its place in the order of upload, from 0. */
  readonly ordinal: number
  readonly itemId: string
  /** The number of its kind (resourceKinds). */
  readonly kind: number
  readonly id: string
  /** As the client gave it; null where it is sealed, since the digest of a secret tells much of it. */
  readonly digest: string | null
  readonly source: string
  /** The version that the client expects; null for whichever is found. */
  readonly expected: string | null
  readonly name: string | null
  /** JSON with sorted keys, and so is the spec. */
  readonly labels: string
  readonly spec: string
  /** Whether it names other resources. */
  readonly hasReferences: number
  /** Of a credential: value and digest, encrypted. */
  readonly sealed: Uint8Array | null
}

/** How an item is applied. */
export interface PlannedItem {
  /** Items of a lower rank come first. */
  readonly rank: number
  readonly ordinal: number
  /** The change that made the version which was seen; null for none. */
  readonly seen: number | null
  readonly outcome: string
}

export type PlannedStagedItem = PlannedItem & StagedItem

export interface StagingHead {
  readonly number: number
  /** Which life of which store it belongs to. */
  readonly store: string
  readonly itemCount: number
  /** Null for an operation without a collection. */
  readonly contentDigest: string | null
  readonly touchedAt: number
}

/** What is staged for one operation. To dispose of it closes it; only `Staging.remove` removes it. */
export interface StagedOperation extends Disposable {
  readonly head: StagingHead
  readonly uploaded: number
  find(itemId: string): StagedItem | null
  /**
   * All of them or none. `repeated` is told of an item whose id is taken, which is not added, and `counted` how many are;
   * both may refuse the whole by throwing. Answers with those that are new.
   */
  add<Item extends Omit<StagedItem, 'ordinal'>>(
    items: readonly Item[],
    touchedAt: number,
    repeated: (item: Item) => void,
    counted: (added: number) => void,
  ): Item[]
  touch(touchedAt: number): void
  itemsFrom(ordinal: number, count: number): StagedItem[]
  digestsFrom(
    ordinal: number,
    count: number,
  ): readonly Pick<StagedItem, 'ordinal' | 'itemId' | 'digest' | 'sealed'>[]
  /** Before references are followed. Forgets what was planned before. */
  indexResources(): void
  /** The first item that is about the resource; -1 for none. Needs the index. */
  ordinalOf(kind: number, id: string): number
  /** Items about a resource that an earlier one is about already. Needs the index. */
  repeatedResources(): Iterable<{ readonly ordinal: number; readonly first: number }>
  plan(items: readonly PlannedItem[]): void
  /** All of them or none: other ranks for items, by their place in the order of upload. */
  rerank(changes: Iterable<{ readonly ordinal: number; readonly from: number; readonly to: number }>): void
  /** Items in the order in which they are applied, from a place on. */
  planned(place: number, count: number): PlannedStagedItem[]
  plannedAfter(rank: number, ordinal: number, count: number): PlannedStagedItem[]
  /** What was foreseen for the first items, in the order of upload. */
  foreseen(count: number): readonly (Pick<StagedItem, 'itemId'> & Pick<PlannedItem, 'seen' | 'outcome'>)[]
  /** Everything outlives a power cut from now on, where anything does. */
  settle(): Promise<void>
}

export interface Staging {
  /** Takes the place of what was staged under the number. */
  create(head: StagingHead): Promise<StagedOperation>
  /** Null when there is none of this store. */
  open(number: number, store: string): Promise<StagedOperation | null>
  remove(number: number): Promise<void>
  /** The operations for which something is staged. */
  numbers(): Promise<readonly number[]>
}
