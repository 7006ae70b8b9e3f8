// trends/open-cells.ts: the cells that are being filled, one for each row of the fleet, 32 bytes each. Every check counts
// here, so a count touches one line of memory and allocates nothing. A cell has room for ten different buckets, a range
// of 32 times between the shortest and the longest; where latencies spread further, the two neighbours with the fewest
// samples become one. Counts are exact then too, only some of their latencies are moved to the bucket next to theirs.
import type { CountedCell } from './cell.ts'

const CELL_BYTES = 32
/** 16-bit words of a cell: failures, then the count of each place; then a byte with the bucket of each place. */
const CELL_WORDS = CELL_BYTES / 2
const PLACES = 10
/** Of a packed cell at most: three for a number of 16 bits, and one for each bucket and for how many there are. */
export const PACKED_BYTES = 3 + 1 + PLACES * (1 + 3)
const bucketsAt = 2 * (1 + PLACES)
/** No monitor has so many checks in a cell: it takes ten in a second for an hour. */
const MOST = 0xffff

/** Memory comes in pieces of so many rows: a fleet that grows moves nothing. */
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

  /** Adds what was counted of the row; false when that is nothing. */
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

  /** Writes failures, how many buckets there are, and each with its count; says where that ends. Nothing of an empty cell. */
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

  /** Continues a cell that is empty so far; it was counted here before, so it fits. */
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

  /** Memory that is in use. */
  get bytes(): number {
    return this.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  #newPiece(row: number): Piece {
    // Every place up to the row's holds a piece: an array with holes is read far more slowly.
    while (this.#pieces.length <= Math.floor(row / PIECE_ROWS)) {
      const words = new Uint16Array(PIECE_ROWS * CELL_WORDS)
      this.#pieces.push({ words, bytes: new Uint8Array(words.buffer) })
    }
    return this.#pieces[Math.floor(row / PIECE_ROWS)]!
  }
}

/** Seven bits in each byte, the lowest first; the eighth says that there are more. */
export function putNumber(to: Uint8Array, from: number, value: number): number {
  let [at, left] = [from, value]
  for (; left >= 128; left = Math.floor(left / 128)) to[at++] = 128 + (left % 128)
  to[at++] = left
  return at
}

/** Two places become one: neighbours among the buckets, the nearest ones, and of those the ones with the fewest samples. */
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
  // The last place takes the freed one: places in use have no gap between them.
  counts[freed] = counts[PLACES - 1]!
  buckets[freed] = buckets[PLACES - 1]!
  counts[PLACES - 1] = 0
}
