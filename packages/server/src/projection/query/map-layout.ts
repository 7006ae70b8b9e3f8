// projection/query/map-layout.ts: the packed fleet of GET /api/v1/map, for drawing a million monitors at once.
// Numbers are little-endian; every part begins at a multiple of 4, with zero bytes before it where needed.
//
//   offset  size   what
//   0       4      the letters "PWM1"
//   4       4      uint32: monitors
//   8       4      uint32: tags in the table
//   12      4      uint32: bytes of the table, with its padding
//   16      …      the table; for each tag: uint32 monitors under it, uint16 bytes of the tag, the tag in UTF-8
//                  (no padding between entries)
//   …       1 each status of each monitor, an index into disabled, verifying, incident, down, unknown, degraded, up
//   …       4 each uint32: id of each monitor
//
// Monitors are ordered by first tag (code points; those without a tag come first, under an empty tag), then name, then
// id, so that the counts of the table cut both lists into the monitors of each tag.
import { createHash } from 'node:crypto'
import { PackedReader } from '../../platform/packed-strings.ts'
import type { PackedMap } from './query.ts'
import type { QueryView } from './query-view.ts'

const letters = 'PWM1'
const headBytes = 16
const entryHeadBytes = 6

/** Rows arrive in name order; grouping them by tag preserves it. */
export function packMap(rows: Uint32Array, { firstTags, tagLists, columns }: QueryView): PackedMap {
  const counts = new Uint32Array(firstTags.tags.starts.length)
  for (let place = 0; place < rows.length; place++) {
    const tag = firstTags.ofList[tagLists[rows[place]!]!]!
    counts[tag] = counts[tag]! + 1
  }

  const tagNames = new PackedReader(firstTags.tags)
  const shown = [...counts.keys()].filter((tag) => counts[tag]! > 0)
  const entries = shown.map((tag) => ({ tag, count: counts[tag]!, name: tagNames.bytes(tag) }))
  // UTF-8 sorts by code points, which UTF-16 does not.
  entries.sort((one, other) => Buffer.compare(one.name, other.name))
  const tableBytes = padded(entries.reduce((bytes, { name }) => bytes + entryHeadBytes + name.length, 0))
  const statusesAt = headBytes + tableBytes
  const idsAt = statusesAt + padded(rows.length)
  const bytes = Buffer.from(new ArrayBuffer(idsAt + rows.length * 4))

  bytes.write(letters, 'latin1')
  bytes.writeUInt32LE(rows.length, 4)
  bytes.writeUInt32LE(entries.length, 8)
  bytes.writeUInt32LE(tableBytes, 12)
  let place = headBytes
  for (const { count, name } of entries) {
    place = bytes.writeUInt32LE(count, place)
    place = bytes.writeUInt16LE(name.length, place)
    place += name.copy(bytes, place)
  }
  // Avoids a million single writes: all platforms that Node supports here are little-endian.
  const ids = new Uint32Array(bytes.buffer, idsAt, rows.length)
  const next = startsOf(entries, counts.length)
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place]!
    const tag = firstTags.ofList[tagLists[row]!]!
    const position = next[tag]!
    next[tag] = position + 1
    bytes[statusesAt + position] = columns.status[row]!
    ids[position] = columns.numericId[row]!
  }
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

export function monitorsIn({ bytes }: PackedMap): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true)
}

/** Where the monitors of each tag begin. */
function startsOf(entries: readonly { tag: number; count: number }[], tags: number): Uint32Array {
  const starts = new Uint32Array(tags)
  let place = 0
  for (const { tag, count } of entries) {
    starts[tag] = place
    place += count
  }
  return starts
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 4) * 4
}
