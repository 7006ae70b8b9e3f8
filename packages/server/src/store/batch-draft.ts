// store/batch-draft.ts: a batch that is being collected. Nothing is allocated before the first record, and
// only the lists that receive one.
import { emptyBatch, type RecordOf, type RecordType, recordTypeNames, recordTypes } from './record-types.ts'
import type { CommitBatch } from './store.ts'

type Draft = { -readonly [Type in RecordType]: CommitBatch[Type] }

export class BatchDraft {
  #draft: Draft | null = null
  /** The index of each keyed record in its list. */
  readonly #places = new Map<RecordType, Map<unknown, number>>(
    recordTypeNames.flatMap((type) => (recordTypes[type].keyOf === undefined ? [] : [[type, new Map()]])),
  )

  get isEmpty(): boolean {
    return this.#draft === null
  }

  keep<Type extends RecordType>(type: Type, record: RecordOf<Type>): void {
    this.#draft ??= { ...emptyBatch }
    const { keyOf, add } = recordTypes[type]
    if (keyOf !== undefined && this.#replaced(type, keyOf(record), record)) return
    this.#draft[type] = add(this.#draft[type], record)
  }

  /** Returns the collected batch and begins the next one. */
  take(): CommitBatch {
    const taken = this.#draft ?? { ...emptyBatch }
    this.#draft = null
    for (const places of this.#places.values()) if (places.size > 0) places.clear()
    return taken
  }

  /** Replaces the record with the same key; false if there is none. */
  #replaced<Type extends RecordType>(type: Type, key: unknown, record: RecordOf<Type>): boolean {
    const places = this.#places.get(type)!
    const list = this.#draft![type] as RecordOf<Type>[]
    const place = places.get(key)
    if (place === undefined) places.set(key, list.length)
    else list[place] = record
    return place !== undefined
  }
}
