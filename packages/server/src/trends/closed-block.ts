// trends/closed-block.ts: the cells of 256 monitors for one period that is over, in a byte and a half each. A
// million monitors produce 24 million cells per day, so every bit counts. The samples and failures of a cell
// nearly always equal those of a recent cell, so they are encoded as its index among the recent ones. The
// median is encoded as its distance from the previous median, and each other mark as its distance from its
// neighbour. A row of the store holds one part, or several that are added up.
import { BitReader, BitWriter } from './bit-stream.ts'
import { type CellSum, emptyCell, sumOf, type TrendCell } from './cell.ts'
import { BUCKETS } from './latency-buckets.ts'

/** Monitors per block. Stored blocks have this layout, so it must never change. */
export const TREND_BLOCK_MONITORS = 256

/** How many pairs of samples and failures can be referred to by index. */
const REMEMBERED = 8
/**
 * Choices for the Rice parameter of the distance between two medians, from targets that are alike to targets that vary.
 */
const distanceBits = [0, 1, 2, 3] as const

/** Missing cells at the end are empty. */
export function encodeClosedBlock(cells: readonly TrendCell[]): Uint8Array<ArrayBuffer> {
  const lowBits = shortestDistances(cells)
  const to = new BitWriter()
  to.bits(lowBits, 2)
  const recent = new RecentPairs()
  let last = 0
  for (let index = 0; index < TREND_BLOCK_MONITORS; index++) {
    const { samples, healthy, at25, at50, at75, at95 } = cells[index] ?? emptyCell
    const place = recent.placeOf(samples, samples - healthy)
    to.unary(place)
    if (place === REMEMBERED) {
      to.gamma(samples)
      to.gamma(samples - healthy)
    }
    recent.moveToFront(place, samples, samples - healthy)
    if (healthy === 0) continue
    to.rice(zigzag(at50 - last), lowBits)
    to.unary(at50 - at25)
    to.unary(at75 - at50)
    to.unary(at95 - at75)
    last = at50
  }
  return withLength(to.finish())
}

/** The Rice parameter that gives the shortest encoding of the distances between the medians of these cells. */
function shortestDistances(cells: readonly TrendCell[]): number {
  const lengths = distanceBits.map(() => 0)
  let last = 0
  for (const { healthy, at50 } of cells) {
    if (healthy === 0) continue
    const distance = zigzag(at50 - last)
    for (const lowBits of distanceBits) lengths[lowBits]! += (distance >> lowBits) + lowBits
    last = at50
  }
  return lengths.indexOf(Math.min(...lengths))
}

/** One cell of a stored row. */
export function cellInRow(row: Uint8Array, index: number): TrendCell {
  return cellsInRow(row, [index])[0]!
}

/** Several cells of a stored row, in the order of the indices; decodes the row once. */
export function cellsInRow(row: Uint8Array, indices: readonly number[]): TrendCell[] {
  const highest = Math.max(...indices)
  const parts = [...partsOf(row)].map((part) => {
    const cell = new CellReader(part)
    const found: TrendCell[] = []
    for (let at = 0; at <= highest; at++) {
      cell.next()
      for (let place = 0; place < indices.length; place++)
        if (indices[place] === at) found[place] = cell.copied()
    }
    return found
  })
  if (parts.length === 1) return parts[0]!
  return indices.map((_, place) => sumOf(parts.map((found) => found[place]!)))
}

/** Adds every cell of a row to the sum at its index. */
export function addRow(row: Uint8Array, sums: readonly CellSum[]): void {
  for (const part of partsOf(row)) {
    const cell = new CellReader(part)
    for (let index = 0; index < TREND_BLOCK_MONITORS; index++) {
      cell.next()
      sums[index]?.add(cell)
    }
  }
}

/**
 * Holds one cell of a part at a time, to avoid allocations: a year of one monitor walks over a hundred thousand of them.
 */
class CellReader implements TrendCell {
  samples = 0
  healthy = 0
  at25 = 0
  at50 = 0
  at75 = 0
  at95 = 0
  readonly #from: BitReader
  readonly #lowBits: number
  readonly #recent = new RecentPairs()
  #last = 0

  constructor(part: Uint8Array) {
    this.#from = new BitReader(part)
    this.#lowBits = this.#from.bits(2)
  }

  next(): void {
    const from = this.#from
    this.#readSamples(from.unary())
    if (this.healthy === 0) {
      this.at25 = this.at50 = this.at75 = this.at95 = 0
      return
    }
    this.#last += unzigzag(from.rice(this.#lowBits))
    this.at50 = this.#last
    this.at25 = this.at50 - from.unary()
    this.at75 = this.at50 + from.unary()
    this.at95 = this.at75 + from.unary()
    if (this.at25 < 0 || this.at95 >= BUCKETS) throw new RangeError('a stored trend block is malformed')
  }

  copied(): TrendCell {
    const { samples, healthy, at25, at50, at75, at95 } = this
    return { samples, healthy, at25, at50, at75, at95 }
  }

  #readSamples(place: number): void {
    const recent = this.#recent
    const isNew = place >= REMEMBERED
    const samples = isNew ? this.#from.gamma() : recent.samplesAt(place)
    const failures = isNew ? this.#from.gamma() : recent.failuresAt(place)
    if (place > 0) recent.moveToFront(Math.min(place, REMEMBERED), samples, failures)
    this.samples = samples
    this.healthy = samples - failures
  }
}

/** The latest distinct pairs of samples and failures, newest first. */
class RecentPairs {
  readonly #samples = new Float64Array(REMEMBERED + 1)
  readonly #failures = new Float64Array(REMEMBERED + 1)

  /** REMEMBERED if the pair is not among them. */
  placeOf(samples: number, failures: number): number {
    for (let place = 0; place < REMEMBERED; place++)
      if (this.#samples[place] === samples && this.#failures[place] === failures) return place
    return REMEMBERED
  }

  samplesAt(place: number): number {
    return this.#samples[place]!
  }

  failuresAt(place: number): number {
    return this.#failures[place]!
  }

  moveToFront(place: number, samples: number, failures: number): void {
    this.#samples.copyWithin(1, 0, place)
    this.#failures.copyWithin(1, 0, place)
    this.#samples[0] = samples
    this.#failures[0] = failures
  }
}

/** The length in two bytes, then the part, so that rows of the store can be concatenated. */
export function withLength(part: Uint8Array): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(2 + part.length)
  new DataView(row.buffer).setUint16(0, part.length)
  row.set(part, 2)
  return row
}

export function* partsOf(row: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength)
  for (let at = 0; at + 2 <= row.length; ) {
    const end = at + 2 + view.getUint16(at)
    yield row.subarray(at + 2, end)
    at = end
  }
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
