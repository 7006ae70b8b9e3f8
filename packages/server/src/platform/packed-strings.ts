// platform/packed-strings.ts: many short strings as UTF-8 bytes in shared memory, addressed by row. A million
// names take their bytes plus five or six each, and every thread reads them without a copy. Append-only: a
// row gets a new text by appending it, and the old text stays until the strings are repacked.

import { grown, newColumn } from './column.ts'
import { stableHash, stableHashOfAscii } from './string-hash.ts'

export const chunkBits = 24
export const chunkBytes = 1 << chunkBits
const offsetMask = chunkBytes - 1
const firstChunkBytes = 4 * 1024
/** Enough to hold the length of a whole chunk. */
const lengthBytesAtMost = 4

export interface PackedStrings {
  /** Chunks of up to 16 MiB; no string crosses a boundary. New chunks are appended. */
  readonly chunks: SharedArrayBuffer[]
  /**
   * Where each row's text is: chunk number in the upper 8 bits, offset in the lower 24. At that place is the
   * length of the text (seven bits per byte, lowest first), then the text. So one aligned number locates a
   * row, and a thread that reads it during a change finds either the old text or the new one.
   */
  readonly starts: Uint32Array
}

/**
 * Where the text of a row is. In another thread a row may point to a chunk that was added after the strings
 * were sent there; until they are sent again, it has no text.
 */
export function placeOf({ chunks, starts }: PackedStrings, row: number): number {
  const place = starts[row]!
  return place >>> chunkBits < chunks.length ? place : 0
}

/** The bytes of one text, in place. Moved from row to row, so that no object is created per row. */
export class PackedCursor {
  readonly #strings: PackedStrings
  readonly #chunks: Buffer[] = []
  bytes: Buffer = Buffer.alloc(0)
  start = 0
  end = 0

  constructor(strings: PackedStrings) {
    this.#strings = strings
  }

  moveTo(row: number): this {
    return this.moveToPlace(placeOf(this.#strings, row))
  }

  /** Moves to a text that a row has or had: texts never move. */
  moveToPlace(place: number): this {
    const bytes = this.#chunks[place >>> chunkBits] ?? this.#chunkOf(place >>> chunkBits)
    let start = place & offsetMask
    let length = bytes[start++]!
    if (length > 0x7f) {
      length &= 0x7f
      for (let shift = 7; ; shift += 7) {
        const byte = bytes[start++]!
        length |= (byte & 0x7f) << shift
        if (byte <= 0x7f) break
      }
    }
    this.bytes = bytes
    this.start = start
    this.end = start + length
    return this
  }

  /** Whether the text under the cursor equals this one, mostly without creating a string. */
  isText(text: string): boolean {
    const { bytes, start, end } = this
    for (let index = 0; index < text.length; index++) {
      // Up to here everything was ASCII, one byte per unit.
      if (start + index >= end) return false
      const byte = bytes[start + index]!
      if (byte >= 0x80) return bytes.toString('utf8', start, end) === text
      if (byte !== text.charCodeAt(index)) return false
    }
    return start + text.length === end
  }

  /** stableHash of the text under the cursor, mostly without creating a string. */
  hash(): number {
    const { bytes, start, end } = this
    const hash = stableHashOfAscii(bytes, start, end)
    return hash === -1 ? stableHash(bytes.toString('utf8', start, end)) : hash
  }

  #chunkOf(number: number): Buffer {
    const chunk = Buffer.from(this.#strings.chunks[number]!)
    this.#chunks[number] = chunk
    return chunk
  }
}

/** Reads rows of packed strings; one per thread, since it holds views on the chunks. */
export class PackedReader {
  readonly #cursor: PackedCursor

  constructor(strings: PackedStrings) {
    this.#cursor = new PackedCursor(strings)
  }

  get(row: number): string {
    const { bytes, start, end } = this.#cursor.moveTo(row)
    return bytes.toString('utf8', start, end)
  }

  is(row: number, text: string): boolean {
    return this.#cursor.moveTo(row).isText(text)
  }

  hash(row: number): number {
    return this.#cursor.moveTo(row).hash()
  }

  lengthOf(row: number): number {
    const { start, end } = this.#cursor.moveTo(row)
    return end - start
  }

  /** The row's bytes in place: a view, valid as long as the chunks are. */
  bytes(row: number): Buffer {
    const { bytes, start, end } = this.#cursor.moveTo(row)
    return bytes.subarray(start, end)
  }

  equals(row: number, other: PackedReader, otherRow: number): boolean {
    const { bytes, start, end } = this.#cursor.moveTo(row)
    const theirs = other.#cursor.moveTo(otherRow)
    if (end - start !== theirs.end - theirs.start) return false
    return bytes.compare(theirs.bytes, theirs.start, theirs.end, start, end) === 0
  }
}

/** Collects strings in row order, and changes the texts of rows while other threads read them. */
export class PackedWriter {
  #strings: PackedStrings
  #chunk: Buffer = Buffer.alloc(0)
  #used = 0
  #count: number
  #reader: PackedCursor
  #bytes = 0
  #deadBytes = 0

  /** Changes to existing strings are visible to all their readers. */
  constructor(strings: PackedStrings = { chunks: [], starts: newColumn(Uint32Array, 0) }) {
    this.#strings = strings
    this.#count = strings.starts.length
    this.#reader = new PackedCursor(strings)
    for (const chunk of strings.chunks) this.#bytes += chunk.byteLength
  }

  get count(): number {
    return this.#count
  }

  /** A new object whenever rows were added: existing views are then too short. */
  get strings(): PackedStrings {
    return this.#strings
  }

  /** Bytes that no row points to any more, as far as this writer knows. */
  get deadBytes(): number {
    return this.#deadBytes
  }

  /** Their share of all bytes. */
  get deadShare(): number {
    return this.#bytes === 0 ? 0 : this.#deadBytes / this.#bytes
  }

  append(text: string): number {
    const row = this.#count++
    if (row >= this.#strings.starts.length) this.#reserve(Math.max(1024, row * 2))
    this.#strings.starts[row] = this.#write(text)
    return row
  }

  /** Adds rows without a text. */
  growTo(rows: number): void {
    this.#count = Math.max(this.#count, rows)
    this.#reserve(rows)
  }

  set(row: number, text: string): void {
    const { start, end } = this.#reader.moveTo(row)
    this.#deadBytes += end - start
    // Stored after the text is written, so that readers of the new place find the whole text.
    Atomics.store(this.#strings.starts, row, this.#write(text))
  }

  /** For reading back while collecting. */
  get(row: number): string {
    const { bytes, start, end } = this.#reader.moveTo(row)
    return bytes.toString('utf8', start, end)
  }

  is(row: number, text: string): boolean {
    return this.#reader.moveTo(row).isText(text)
  }

  hash(row: number): number {
    return this.#reader.moveTo(row).hash()
  }

  /** With exactly the rows that were written. */
  finish(): PackedStrings {
    const { chunks, starts } = this.#strings
    if (chunks.length === 0) this.#openChunk(0)
    return { chunks, starts: starts.subarray(0, this.#count) }
  }

  /** Returns where the text was written. */
  #write(text: string): number {
    // The very first place holds the empty text: rows that were never written point there.
    if (text === '' && this.#strings.chunks.length > 0) return 0
    // UTF-8 needs at most three bytes per UTF-16 unit.
    const bytesAtMost = text.length * 3 + lengthBytesAtMost
    if (this.#used + bytesAtMost > this.#chunk.length) this.#openChunk(bytesAtMost)
    if (text === '') return 0
    const chunk = this.#chunk
    const place = this.#used
    const lengthBytes = lengthBytesOf(text.length * 3 < 1 << 7 ? 0 : Buffer.byteLength(text))
    const length = chunk.write(text, place + lengthBytes, 'utf8')
    let rest = length
    for (let index = 0; index < lengthBytes - 1; index++, rest >>>= 7)
      chunk[place + index] = (rest & 0x7f) | 0x80
    chunk[place + lengthBytes - 1] = rest
    this.#used += lengthBytes + length
    return (((this.#strings.chunks.length - 1) << chunkBits) | place) >>> 0
  }

  #openChunk(bytesAtMost: number): void {
    const { chunks } = this.#strings
    if (bytesAtMost > chunkBytes) throw new RangeError('a packed string is limited to 5 MiB')
    if (chunks.length === 256) throw new RangeError('packed strings are limited to 4 GiB')
    // Chunks grow from small to full size: a new one is zeroed, and a small fleet should not pay for 16 MiB.
    const doubled = firstChunkBytes * 2 ** Math.min(chunks.length, chunkBits)
    const chunk = new SharedArrayBuffer(Math.min(chunkBytes, Math.max(doubled, bytesAtMost + 1)))
    this.#used = chunks.length === 0 ? 1 : 0
    chunks.push(chunk)
    this.#chunk = Buffer.from(chunk)
    this.#bytes += chunk.byteLength
  }

  #reserve(rows: number): void {
    const { chunks, starts } = this.#strings
    if (rows <= starts.length) return
    this.#strings = { chunks, starts: grown(starts, rows) }
    this.#reader = new PackedCursor(this.#strings)
  }
}

function lengthBytesOf(length: number): number {
  if (length < 1 << 7) return 1
  if (length < 1 << 14) return 2
  return length < 1 << 21 ? 3 : 4
}
