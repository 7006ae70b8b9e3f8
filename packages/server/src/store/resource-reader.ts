// store/resource-reader.ts: reads resources as last committed, without the owner of the store. For work that
// compares many of them and must not delay commits.

/** A resource, as comparable texts. */
export interface ReadResource {
  readonly change: number
  readonly uid: string
  readonly generation: number
  readonly createdAt: number
  readonly name: string | null
  /** JSON with sorted keys, as is the spec. */
  readonly labels: string
  readonly spec: string
}

/** The number of its kind (resourceKinds) and its id. */
export type ReadKey = readonly [kind: number, id: string]

export interface ResourceReader {
  /** Reads all of them at one position; null for a missing one. Rejects with a StoreError. */
  read(keys: readonly ReadKey[]): Promise<readonly (ReadResource | null)[]>
}
