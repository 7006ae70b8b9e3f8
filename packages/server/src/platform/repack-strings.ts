// platform/repack-strings.ts: copies the current texts of rows one after another, and so drops texts that no row has any
// more. Another thread may change rows meanwhile: the copy then has either the old text or the new one.
import { chunkBits, chunkBytes, PackedCursor, type PackedStrings } from './packed-strings.ts'

/** The first byte holds the empty text, to which rows without a text point. */
const emptyTextBytes = 1

/**
 * Returns the new place of each row's text. A chunk is handed over as soon as it is full, and is valid only
 * until the next one. A text in a chunk that was added meanwhile is not seen, and becomes the empty one.
 */
export function repackStrings(
  strings: PackedStrings,
  rows: Uint32Array,
  starts: Uint32Array,
  takeChunk: (chunk: Uint8Array) => void,
): void {
  const cursor = new PackedCursor(strings)
  const known = strings.chunks.length
  const chunk = Buffer.alloc(chunkBytes)
  let used = emptyTextBytes
  let number = 0
  for (let index = 0; index < rows.length; index++) {
    const place = Atomics.load(strings.starts, rows[index]!)
    starts[index] = 0
    if (place === 0 || place >>> chunkBits >= known) continue
    const { bytes, end } = cursor.moveToPlace(place)
    const from = place & (chunkBytes - 1)
    if (used + end - from > chunkBytes) {
      takeChunk(chunk.subarray(0, used))
      number++
      used = 0
    }
    bytes.copy(chunk, used, from, end)
    starts[index] = ((number << chunkBits) | used) >>> 0
    used += end - from
  }
  takeChunk(chunk.subarray(0, used))
}
