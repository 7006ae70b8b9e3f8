// simulation/model/range.ts: times of the service as the model knows them.

/** In milliseconds. */
export type Instant = number

/** A time that the documents leave open between two instants. */
export interface Range {
  readonly from: Instant
  readonly to: Instant
}
