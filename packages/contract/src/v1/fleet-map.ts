// v1/fleet-map.ts: the binary layout of GET /api/v1/map, the whole fleet packed for drawing, and its reader.
// Little-endian; every part begins at a multiple of 4, padded with zero bytes. Monitors are ordered by first
// tag (code points; those without a tag first, under an empty one), then name, then id. So the counts of the
// tags divide both lists into the monitors of each tag.
import { statuses } from './values.ts'

/** The parts in order, for the docs. */
export const fleetMapLayout = [
  { bytes: '4', what: 'the letters PWM1' },
  { bytes: '4', what: 'uint32: monitors' },
  { bytes: '4', what: 'uint32: tags in the table' },
  { bytes: '4', what: 'uint32: bytes of the table, with its padding' },
  {
    bytes: 'as said',
    what: 'the table; for each tag uint32 monitors under it, uint16 bytes of the tag, the tag in UTF-8, unpadded',
  },
  { bytes: '1 per monitor', what: `the status, an index into ${statuses.join(', ')}; then padding` },
  { bytes: '4 per monitor', what: 'uint32: the id' },
] as const

const letters = 'PWM1'
const headBytes = 16
const entryHeadBytes = 6

export interface FleetMap {
  readonly tags: readonly { readonly tag: string; readonly count: number }[]
  /** Indexes into `statuses`. */
  readonly statuses: Uint8Array
  readonly ids: Uint32Array
}

/** Throws a RangeError for bytes that are not a map: a truncated answer must not be drawn as a small or healthy fleet. */
export function readFleetMap(bytes: Uint8Array): FleetMap {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = new TextDecoder()
  if (text.decode(bytes.subarray(0, letters.length)) !== letters)
    throw new RangeError('this is not a fleet map')
  const monitors = view.getUint32(4, true)
  const tableEnd = headBytes + view.getUint32(12, true)
  const tags: { tag: string; count: number }[] = []
  let place = headBytes
  for (let entry = view.getUint32(8, true); entry > 0; entry--) {
    const count = view.getUint32(place, true)
    const end = place + entryHeadBytes + view.getUint16(place + 4, true)
    tags.push({ tag: text.decode(bytes.subarray(place + entryHeadBytes, end)), count })
    place = end
  }
  const idsAt = tableEnd + Math.ceil(monitors / 4) * 4
  if (place > tableEnd || idsAt + monitors * 4 !== bytes.byteLength)
    throw new RangeError('the fleet map has another length than it says')
  if (tags.reduce((sum, { count }) => sum + count, 0) !== monitors)
    throw new RangeError('the tags of the fleet map do not add up')
  const statusBytes = bytes.slice(tableEnd, tableEnd + monitors)
  if (statusBytes.some((status) => status >= statuses.length))
    throw new RangeError('the fleet map has an unknown status')
  return { tags, statuses: statusBytes, ids: readIds(view, idsAt, monitors) }
}

/** Read one by one, because neither the alignment of the bytes nor the byte order of the machine is known. */
function readIds(view: DataView, from: number, count: number): Uint32Array {
  const ids = new Uint32Array(count)
  for (let index = 0; index < count; index++) ids[index] = view.getUint32(from + index * 4, true)
  return ids
}
