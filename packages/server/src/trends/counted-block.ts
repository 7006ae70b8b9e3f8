// trends/counted-block.ts: cells as they were counted, bucket by bucket: those of 256 monitors that are still being filled,
// so that the next process goes on with exactly what was counted, and the one of the fleet, which is never cut down.
import { CountedCell } from './cell.ts'
import { partsOf, TREND_BLOCK_MONITORS, withLength } from './closed-block.ts'
import { BUCKETS } from './latency-buckets.ts'
import { type OpenCells, PACKED_BYTES, putNumber } from './open-cells.ts'

const INDEX_BYTES = 2
/** Blocks are encoded one after the other, hundreds per second. */
const room = new Uint8Array(TREND_BLOCK_MONITORS * (INDEX_BYTES + PACKED_BYTES))

/** Rows below 0 are those of monitors that there are not; without a byte when nothing was counted. */
export function encodeCountedBlock(
  cells: OpenCells,
  rowAt: (index: number) => number,
): Uint8Array<ArrayBuffer> {
  let [end, next] = [0, 0]
  for (let index = 0; index < TREND_BLOCK_MONITORS; index++) {
    const row = rowAt(index)
    if (row < 0) continue
    const from = putNumber(room, end, index - next)
    const to = cells.pack(row, room, from)
    if (to === from) continue
    end = to
    next = index + 1
  }
  return room.slice(0, end)
}

/** Visits each cell of the block that is not empty. A start reads a million, so one object serves for all of a block. */
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

/** A part of a row of the store (closed-block.ts). */
export function encodeFleetCell({ failures, counts }: CountedCell): Uint8Array<ArrayBuffer> {
  let end = putNumber(room, 0, failures) + 1
  let used = 0
  const usedAt = end - 1
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (counts[bucket] === 0) continue
    used++
    room[end++] = bucket
    end = putNumber(room, end, counts[bucket]!)
  }
  room[usedAt] = used
  return withLength(room.subarray(0, end))
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

/** Adds what is there to the sum. */
function takeCell(from: Place, sum: CountedCell): void {
  sum.failures += takeNumber(from)
  for (let used = takeByte(from); used > 0; used--) {
    const bucket = takeByte(from)
    if (bucket >= BUCKETS) throw new RangeError('a block of trends is none of ours')
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
  if (byte === undefined) throw new RangeError('a block of trends ends too early')
  return byte
}
