// store/staging.ts: uploads for operations that are not applied yet. Staging is not part of a commit: it never blocks the
// store, and a restored backup does not have it. Every call may throw, or reject with, a StoreError: `gone` or `corrupt`
// if the staged items are lost. A store that keeps them elsewhere works on a local copy: single items are read and added
// synchronously, and only calls on whole operations are asynchronous.

/** A staged item. */
export interface StagedItem {
  /** Its position in upload order, from 0. */
  readonly ordinal: number
  readonly itemId: string
  /** The number of its kind (resourceKinds). */
  readonly kind: number
  readonly id: string
  /** As the client sent it; null for a sealed item, since the digest of a secret reveals much of it. */
  readonly digest: string | null
  readonly source: string
  /** The version that the client expects; null for any. */
  readonly expected: string | null
  readonly name: string | null
  /** JSON with sorted keys, as is the spec. */
  readonly labels: string
  readonly spec: string
  /** Whether it refers to other resources. */
  readonly hasReferences: number
  /** For a credential: value and digest, encrypted. */
  readonly sealed: Uint8Array | null
}

/** How an item is applied. */
export interface PlannedItem {
  /** Items of a lower rank are applied first. */
  readonly rank: number
  readonly ordinal: number
  /** The change of the version that the plan is based on; null for none. */
  readonly seen: number | null
  readonly outcome: string
}

export type PlannedStagedItem = PlannedItem & StagedItem

export interface StagingHead {
  readonly number: number
  /** The store, and its epoch, that it belongs to. */
  readonly store: string
  readonly itemCount: number
  /** Null for an operation without a collection. */
  readonly contentDigest: string | null
  readonly touchedAt: number
}

/** The staged items of one operation. Disposing closes it; only `Staging.remove` removes it. */
export interface StagedOperation extends Disposable {
  readonly head: StagingHead
  readonly uploaded: number
  find(itemId: string): StagedItem | null
  /**
   * Adds all of them or none. Calls `repeated` with each item whose id is taken, which is not added, and
   * `counted` with the number of the others; either may refuse all by throwing. Returns the added items.
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
  /** To be called before references are resolved. Discards the previous plan. */
  indexResources(): void
  /** The first item about the resource; -1 for none. Needs the index. */
  ordinalOf(kind: number, id: string): number
  /** Items about a resource that an earlier item is about. Needs the index. */
  repeatedResources(): Iterable<{ readonly ordinal: number; readonly first: number }>
  plan(items: readonly PlannedItem[]): void
  /** Changes the ranks of items, by upload position; all of them or none. */
  rerank(changes: Iterable<{ readonly ordinal: number; readonly from: number; readonly to: number }>): void
  /** Items in the order of application, from a position on. */
  planned(place: number, count: number): PlannedStagedItem[]
  plannedAfter(rank: number, ordinal: number, count: number): PlannedStagedItem[]
  /** The planned outcomes of the first items, in upload order. */
  foreseen(count: number): readonly (Pick<StagedItem, 'itemId'> & Pick<PlannedItem, 'seen' | 'outcome'>)[]
  /** Syncs everything to disk, if the store is durable. */
  settle(): Promise<void>
}

export interface Staging {
  /** Replaces what was staged under the number. */
  create(head: StagingHead): Promise<StagedOperation>
  /** Null if this store has none. */
  open(number: number, store: string): Promise<StagedOperation | null>
  /**
   * Lets other machines that share the store go on with what was added so far, and with its plan: to be called before a
   * client is told of it, or anything builds on it. Nothing happens where no other machine can.
   */
  share(staged: StagedOperation, withPlan: boolean): Promise<void>
  remove(number: number): Promise<void>
  /** The operations that have staged items. */
  numbers(): Promise<readonly number[]>
}
