// store/resource-reader.ts: reads resources as they were last committed, beside what owns the store. For work that compares
// many of them with something and must not stand in the way of commits.

/** A resource, as texts that can be compared. */
export interface ReadResource {
  readonly change: number
  readonly uid: string
  readonly generation: number
  readonly createdAt: number
  readonly name: string | null
  /** JSON with sorted keys, and so is the spec. */
  readonly labels: string
  readonly spec: string
}

/** The number of its kind (resourceKinds), and its id. */
export type ReadKey = readonly [kind: number, id: string]

export interface ResourceReader {
  /** All of them at one position; null for one that is not there. Rejects with a StoreError. */
  read(keys: readonly ReadKey[]): Promise<readonly (ReadResource | null)[]>
}
