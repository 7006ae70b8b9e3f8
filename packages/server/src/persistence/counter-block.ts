// persistence/counter-block.ts: what every check changes, for a run of consecutive monitor numbers, as bytes: counters,
// the last check and the last success, the latency. One write for hundreds of monitors instead of one a check.
import type { FleetColumns } from '../fleet/columns.ts'

/** Monitors in a block. Stored blocks are laid out by it: it never changes. */
export const BLOCK_MONITORS = 256

const U32 = 4
const F64 = 8
const healthyAt = 0
const totalAt = healthyAt + BLOCK_MONITORS * U32
const lastCheckAt = totalAt + BLOCK_MONITORS * U32
const lastSuccessAt = lastCheckAt + BLOCK_MONITORS * F64
const latencyAt = lastSuccessAt + BLOCK_MONITORS * F64
const BLOCK_BYTES = latencyAt + BLOCK_MONITORS * U32

/** Columns over the bytes of one block. */
interface BlockColumns {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly healthy: Uint32Array
  readonly total: Uint32Array
  readonly lastCheck: Float64Array
  readonly lastSuccess: Float64Array
  readonly latencyMs: Float32Array
}

export type SlotOfNumber = (numericId: number) => number

export function blockOf(numericId: number): number {
  return Math.floor(numericId / BLOCK_MONITORS)
}

/** Whether a result has changed something of the block since it was encoded; numbers without a monitor never change. */
export function isBlockUnsaved(block: number, slotOf: SlotOfNumber, { unsaved }: FleetColumns): boolean {
  for (let row = 0; row < BLOCK_MONITORS; row++) {
    const slot = slotOf(block * BLOCK_MONITORS + row)
    if (slot >= 0 && unsaved[slot] === 1) return true
  }
  return false
}

/** The bytes of a block as the columns are now, which then count as saved; numbers without a monitor are zeros. */
export function encodeBlock(
  block: number,
  slotOf: SlotOfNumber,
  columns: FleetColumns,
): Uint8Array<ArrayBuffer> {
  const to = columnsOver(new Uint8Array(BLOCK_BYTES))
  for (let row = 0; row < BLOCK_MONITORS; row++) {
    const slot = slotOf(block * BLOCK_MONITORS + row)
    if (slot < 0) continue
    to.healthy[row] = columns.healthySamples[slot]!
    to.total[row] = columns.totalSamples[slot]!
    to.lastCheck[row] = columns.lastCheck[slot]!
    to.lastSuccess[row] = columns.lastSuccess[slot]!
    to.latencyMs[row] = columns.latencyMs[slot]!
    columns.unsaved[slot] = 0
  }
  return to.bytes
}

/** Puts a stored block back into the columns. */
export function decodeBlock(
  block: number,
  bytes: Uint8Array,
  slotOf: SlotOfNumber,
  columns: FleetColumns,
): void {
  if (bytes.length !== BLOCK_BYTES)
    throw new RangeError(`a counter block of ${bytes.length} bytes is none of ours`)
  // A copy: bytes out of a database begin anywhere, columns only at multiples of their width.
  const from = columnsOver(Uint8Array.from(bytes))
  for (let row = 0; row < BLOCK_MONITORS; row++) {
    const slot = slotOf(block * BLOCK_MONITORS + row)
    if (slot < 0 || from.lastCheck[row] === 0) continue
    columns.healthySamples[slot] = from.healthy[row]!
    columns.totalSamples[slot] = from.total[row]!
    columns.lastCheck[slot] = from.lastCheck[row]!
    columns.lastSuccess[slot] = from.lastSuccess[row]!
    columns.latencyMs[slot] = from.latencyMs[row]!
  }
}

/** Calls back with the samples of each monitor in the bytes that were encoded. */
export function eachSample(
  block: number,
  bytes: Uint8Array<ArrayBuffer>,
  slotOf: SlotOfNumber,
  show: (slot: number, healthy: number, total: number) => void,
): void {
  const { healthy, total } = columnsOver(bytes)
  for (let row = 0; row < BLOCK_MONITORS; row++) {
    if (total[row] === 0) continue
    const slot = slotOf(block * BLOCK_MONITORS + row)
    if (slot >= 0) show(slot, healthy[row]!, total[row]!)
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
