// persistence/counter-block.ts: what every check changes (counters, the last check, the last success, the latency), as
// bytes, for a range of consecutive monitor numbers. One write covers hundreds of monitors rather than a single check.
import { boundedLatency, type FleetColumns } from '../fleet/columns.ts'

/** Monitors per block. Stored blocks have this layout, so it must never change. */
export const BLOCK_MONITORS = 256

const U32 = 4
const F64 = 8
const healthyAt = 0
const totalAt = healthyAt + BLOCK_MONITORS * U32
const lastCheckAt = totalAt + BLOCK_MONITORS * U32
const lastSuccessAt = lastCheckAt + BLOCK_MONITORS * F64
const latencyAt = lastSuccessAt + BLOCK_MONITORS * F64
const BLOCK_BYTES = latencyAt + BLOCK_MONITORS * U32

/** Views of the columns in the bytes of one block. */
interface BlockColumns {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly healthy: Uint32Array
  readonly total: Uint32Array
  readonly lastCheck: Float64Array
  readonly lastSuccess: Float64Array
  readonly latencyMs: Float32Array
}

export type RowOfNumber = (numericId: number) => number

export function blockOf(numericId: number): number {
  return Math.floor(numericId / BLOCK_MONITORS)
}

/** Whether a result has changed the block since it was encoded. Numbers without a monitor never change. */
export function isBlockUnsaved(block: number, rowOf: RowOfNumber, { unsaved }: FleetColumns): boolean {
  for (let index = 0; index < BLOCK_MONITORS; index++) {
    const row = rowOf(block * BLOCK_MONITORS + index)
    if (row >= 0 && unsaved[row] === 1) return true
  }
  return false
}

/** Encodes a block from the columns, which then count as saved. Numbers without a monitor are zeros. */
export function encodeBlock(
  block: number,
  rowOf: RowOfNumber,
  columns: FleetColumns,
): Uint8Array<ArrayBuffer> {
  const to = columnsOver(new Uint8Array(BLOCK_BYTES))
  for (let index = 0; index < BLOCK_MONITORS; index++) {
    const row = rowOf(block * BLOCK_MONITORS + index)
    if (row < 0) continue
    to.healthy[index] = columns.healthySamples[row]!
    to.total[index] = columns.totalSamples[row]!
    to.lastCheck[index] = columns.lastCheck[row]!
    to.lastSuccess[index] = columns.lastSuccess[row]!
    to.latencyMs[index] = columns.latencyMs[row]!
    columns.unsaved[row] = 0
  }
  return to.bytes
}

/** Copies a stored block into the columns. */
export function decodeBlock(
  block: number,
  bytes: Uint8Array,
  rowOf: RowOfNumber,
  columns: FleetColumns,
): void {
  if (bytes.length !== BLOCK_BYTES)
    throw new RangeError(`a stored counter block of ${bytes.length} bytes is malformed`)
  // A copy, because bytes from a database may start at any offset and columns need alignment.
  const from = columnsOver(Uint8Array.from(bytes))
  for (let index = 0; index < BLOCK_MONITORS; index++) {
    const row = rowOf(block * BLOCK_MONITORS + index)
    if (row < 0 || from.lastCheck[index] === 0) continue
    columns.healthySamples[row] = from.healthy[index]!
    columns.totalSamples[row] = from.total[index]!
    columns.lastCheck[row] = from.lastCheck[index]!
    columns.lastSuccess[row] = from.lastSuccess[index]!
    columns.latencyMs[row] = boundedLatency(from.latencyMs[index]!)
  }
}

/** Calls show with the samples of each monitor in an encoded block. */
export function eachSample(
  block: number,
  bytes: Uint8Array<ArrayBuffer>,
  rowOf: RowOfNumber,
  show: (row: number, healthy: number, total: number) => void,
): void {
  const { healthy, total } = columnsOver(bytes)
  for (let index = 0; index < BLOCK_MONITORS; index++) {
    if (total[index] === 0) continue
    const row = rowOf(block * BLOCK_MONITORS + index)
    if (row >= 0) show(row, healthy[index]!, total[index]!)
  }
}

function columnsOver(bytes: Uint8Array<ArrayBuffer>): BlockColumns {
  const { buffer } = bytes
  return {
    bytes,
    healthy: new Uint32Array(buffer, healthyAt, BLOCK_MONITORS),
    total: new Uint32Array(buffer, totalAt, BLOCK_MONITORS),
    lastCheck: new Float64Array(buffer, lastCheckAt, BLOCK_MONITORS),
    lastSuccess: new Float64Array(buffer, lastSuccessAt, BLOCK_MONITORS),
    latencyMs: new Float32Array(buffer, latencyAt, BLOCK_MONITORS),
  }
}
