// trends/counted-block.ts: encodes cells as counted, bucket by bucket: those of 256 monitors that are still being filled,
// so that the next process continues with the exact counts, and the fleet's cell, which is never reduced.
import { CountedCell } from './cell.ts'
import { partsOf, TREND_BLOCK_MONITORS, withLength } from './closed-block.ts'
import { BUCKETS } from './latency-buckets.ts'
import { type OpenCells, PACKED_BYTES, putNumber } from './open-cells.ts'

const INDEX_BYTES = 2
/** Reused, because hundreds of blocks per second are encoded one after the other. */
const scratch = new Uint8Array(TREND_BLOCK_MONITORS * (INDEX_BYTES + PACKED_BYTES))

/** rowAt returns a negative row if there is no such monitor. The result is empty if nothing was counted. */
export function encodeCountedBlock(
  cells: OpenCells,
  rowAt: (index: number) => number,
): Uint8Array<ArrayBuffer> {
  let [end, next] = [0, 0]
  for (let index = 0; index < TREND_BLOCK_MONITORS; index++) {
    const row = rowAt(index)
    if (row < 0) continue
    const from = putNumber(scratch, end, index - next)
    const to = cells.pack(row, scratch, from)
    if (to === from) continue
    end = to
    next = index + 1
  }
  return scratch.slice(0, end)
}

/**
 * Visits each non-empty cell of the block. A start reads a million cells, so one object is reused for the whole block.
 */
export function eachCountedCell(bytes: Uint8Array, visit: (index: number, cell: CountedCell) => void): void {
  const from = { bytes, at: 0 }
  const cell = new CountedCell()
  for (let next = 0; from.at < bytes.length; next++) {
    next += takeNumber(from)
    cell.clear()
    takeCell(from, cell)
    visit(next, cell)
  }
}

/** Encoded as a part of a stored row (closed-block.ts). */
export function encodeFleetCell({ failures, counts }: CountedCell): Uint8Array<ArrayBuffer> {
  let end = putNumber(scratch, 0, failures) + 1
  let used = 0
  const usedAt = end - 1
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (counts[bucket] === 0) continue
    used++
    scratch[end++] = bucket
    end = putNumber(scratch, end, counts[bucket]!)
  }
  scratch[usedAt] = used
  return withLength(scratch.subarray(0, end))
}

export function fleetCellInRow(row: Uint8Array): CountedCell {
  const sum = new CountedCell()
  for (const part of partsOf(row)) takeCell({ bytes: part, at: 0 }, sum)
  return sum
}

interface Place {
  readonly bytes: Uint8Array
  at: number
}

/** Adds the cell that is read to the sum. */
function takeCell(from: Place, sum: CountedCell): void {
  sum.failures += takeNumber(from)
  for (let used = takeByte(from); used > 0; used--) {
    const bucket = takeByte(from)
    if (bucket >= BUCKETS) throw new RangeError('a stored trend block is malformed')
    sum.counts[bucket]! += takeNumber(from)
  }
}

function takeNumber(from: Place): number {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = takeByte(from)
    value += (byte % 128) * factor
    if (byte < 128) return value
  }
}

function takeByte(from: Place): number {
  const byte = from.bytes[from.at++]
  if (byte === undefined) throw new RangeError('a stored trend block ends too early')
  return byte
}
