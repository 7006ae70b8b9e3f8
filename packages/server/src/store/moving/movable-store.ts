// store/moving/movable-store.ts: what a kind of store offers to be moved: content that is read part by part, a source
// that can be marked as moved, and a target that is nothing until it is put in place.
import type { PartName, PortableHead, RowOf } from './portable-rows.ts'

/** Nobody else writes to the store as long as it is open. */
export interface ReadableStore extends AsyncDisposable {
  /** For people, and recognized again: without a password. */
  readonly place: string
  head(): Promise<PortableHead>
  count(name: PartName): Promise<number>
  /** In the order of the key. Rejects with a StoreError for a row that is damaged. */
  rows<Name extends PartName>(name: Name): AsyncIterable<readonly RowOf<Name>[]>
}

/** Where a store was moved to, and when. */
export interface Moved {
  readonly to: string
  readonly at: number
}

export interface MoveSource extends ReadableStore {
  readonly moved: Moved | null
  /** All sealed values, for whoever has to say whether a key opens them. */
  sealedValues(): Promise<readonly Uint8Array[]>
  /** From then on no service starts from it, whatever happens to this process. */
  markMoved(moved: Moved): Promise<void>
  /** Takes the mark back: the move has failed. */
  unmark(): Promise<void>
}

/** Until it is put in place, no service takes it for a store; disposed before that, it leaves nothing behind. */
export interface MoveTarget extends AsyncDisposable {
  readonly place: string
  write<Name extends PartName>(name: Name, rows: readonly RowOf<Name>[]): Promise<void>
  /** After the last row. */
  finish(head: PortableHead): Promise<void>
  /** What was written, as it will be read. */
  readBack(): ReadableStore
  /** Rejects with an UnknownEnd if nobody can say whether it is in place. */
  putInPlace(): Promise<void>
}

export class UnknownEnd extends Error {
  constructor(cause: unknown) {
    super('The answer was lost.', { cause })
    this.name = 'UnknownEnd'
  }
}
