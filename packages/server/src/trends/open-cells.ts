// trends/open-cells.ts: the cells that are being filled, one per row of the fleet, 32 bytes each. Every check counts
// here, so a count touches one cache line and allocates nothing. A cell has places for ten different buckets, a range of
// 32 times between the shortest and the longest; if latencies spread further, the two neighbours with the fewest samples
// are merged. Counts stay exact; only some latencies move to the bucket next to theirs.
import type { CountedCell } from './cell.ts'

const CELL_BYTES = 32
/** A cell as 16-bit words: failures, then the count of each place. Then one byte per place with its bucket. */
const CELL_WORDS = CELL_BYTES / 2
const PLACES = 10
/** Maximum size of a packed cell: three bytes for each 16-bit number, one for each bucket, and one for their number. */
export const PACKED_BYTES = 3 + 1 + PLACES * (1 + 3)
const bucketsAt = 2 * (1 + PLACES)
/** No monitor has this many checks in a cell: even ten per second for an hour stay below it. */
const MOST = 0xffff

/** Memory is allocated in pieces of this many rows, so that a growing fleet moves nothing. */
const PIECE_ROWS = 4_096

interface Piece {
  readonly words: Uint16Array
  readonly bytes: Uint8Array
}

export class OpenCells {
  readonly #pieces: Piece[] = []

  /** A bucket below 0 is a failure. */
  count(row: number, bucket: number): void {
    const { words, bytes } = this.#pieces[Math.floor(row / PIECE_ROWS)] ?? this.#newPiece(row)
    const cell = row % PIECE_ROWS
    const first = cell * CELL_WORDS
    if (bucket < 0) {
      if (words[first]! < MOST) words[first]!++
      return
    }
    const buckets = cell * CELL_BYTES + bucketsAt
    for (let place = 0; place < PLACES; place++) {
      const count = words[first + 1 + place]!
      if (count === 0) bytes[buckets + place] = bucket
      else if (bytes[buckets + place] !== bucket) continue
      if (count < MOST) words[first + 1 + place] = count + 1
      return
    }
    makeRoom(words.subarray(first + 1, first + 1 + PLACES), bytes.subarray(buckets, buckets + PLACES))
    this.count(row, bucket)
  }

  /** Adds the row's counts; false if there are none. */
  addTo(row: number, sum: CountedCell): boolean {
    const piece = this.#pieces[Math.floor(row / PIECE_ROWS)]
    if (piece === undefined) return false
    const cell = row % PIECE_ROWS
    const first = cell * CELL_WORDS
    const failures = piece.words[first]!
    sum.failures += failures
    let place = 0
    for (; place < PLACES; place++) {
      const count = piece.words[first + 1 + place]!
      if (count === 0) break
      sum.counts[piece.bytes[cell * CELL_BYTES + bucketsAt + place]!]! += count
    }
    return failures > 0 || place > 0
  }

  /**
   * Writes the failures, the number of buckets, and each bucket with its count. Returns the end position.
   * Writes nothing for an empty cell.
   */
  pack(row: number, to: Uint8Array, from: number): number {
    const piece = this.#pieces[Math.floor(row / PIECE_ROWS)]
    if (piece === undefined) return from
    const { words, bytes } = piece
    const cell = row % PIECE_ROWS
    const first = cell * CELL_WORDS
    let used = 0
    while (used < PLACES && words[first + 1 + used]! > 0) used++
    if (used === 0 && words[first] === 0) return from
    let at = putNumber(to, from, words[first]!)
    to[at++] = used
    for (let place = 0; place < used; place++) {
      to[at++] = bytes[cell * CELL_BYTES + bucketsAt + place]!
      at = putNumber(to, at, words[first + 1 + place]!)
    }
    return at
  }

  /** Fills a cell that is still empty. The counts were made here before, so they fit. */
  load(row: number, { failures, counts }: CountedCell): void {
    const { words, bytes } = this.#pieces[Math.floor(row / PIECE_ROWS)] ?? this.#newPiece(row)
    const cell = row % PIECE_ROWS
    words[cell * CELL_WORDS] = Math.min(MOST, failures)
    let place = 0
    for (const [bucket, count] of counts.entries()) {
      if (count === 0 || place === PLACES) continue
      words[cell * CELL_WORDS + 1 + place] = Math.min(MOST, count)
      bytes[cell * CELL_BYTES + bucketsAt + place] = bucket
      place++
    }
  }

  clear(row: number): void {
    const cell = row % PIECE_ROWS
    this.#pieces[Math.floor(row / PIECE_ROWS)]?.words.fill(0, cell * CELL_WORDS, (cell + 1) * CELL_WORDS)
  }

  /** Memory in use. */
  get bytes(): number {
    return this.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  #newPiece(row: number): Piece {
    // Every index up to the row's gets a piece: reading an array with holes is far slower.
    while (this.#pieces.length <= Math.floor(row / PIECE_ROWS)) {
      const words = new Uint16Array(PIECE_ROWS * CELL_WORDS)
      this.#pieces.push({ words, bytes: new Uint8Array(words.buffer) })
    }
    return this.#pieces[Math.floor(row / PIECE_ROWS)]!
  }
}

/** Seven bits per byte, lowest first; the eighth bit says that more follow. */
export function putNumber(to: Uint8Array, from: number, value: number): number {
  let [at, left] = [from, value]
  for (; left >= 128; left = Math.floor(left / 128)) to[at++] = 128 + (left % 128)
  to[at++] = left
  return at
}

/** Merges two places: neighbouring buckets, the closest ones, and among those the ones with the fewest samples. */
function makeRoom(counts: Uint16Array, buckets: Uint8Array): void {
  const order = Array.from(buckets.keys()).sort((one, other) => buckets[one]! - buckets[other]!)
  let [best, bestCost] = [0, Number.POSITIVE_INFINITY]
  for (let index = 0; index + 1 < order.length; index++) {
    const [lower, upper] = [order[index]!, order[index + 1]!]
    const cost = (buckets[upper]! - buckets[lower]!) * 2 * MOST + counts[lower]! + counts[upper]!
    if (cost < bestCost) [best, bestCost] = [index, cost]
  }
  const [one, other] = [order[best]!, order[best + 1]!]
  const [kept, freed] = counts[one]! >= counts[other]! ? [one, other] : [other, one]
  counts[kept] = Math.min(MOST, counts[kept]! + counts[freed]!)
  // The last place moves into the freed one, so that the places in use have no gap.
  counts[freed] = counts[PLACES - 1]!
  buckets[freed] = buckets[PLACES - 1]!
  counts[PLACES - 1] = 0
}
