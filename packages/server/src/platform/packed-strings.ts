// platform/packed-strings.ts: many short strings as UTF-8 bytes in shared memory, a row number each.
// A million names cost their bytes and eight more each, and every thread reads them without a copy.
// Append-only: what is replaced stays until the next whole load. Plain data, so that it can be posted.

import { grown } from './column.ts'
import { stableHash, stableHashOfAscii } from './string-hash.ts'

export const chunkBits = 24
export const chunkBytes = 1 << chunkBits
const firstChunkBytes = 64 * 1024

export interface PackedStrings {
  /** Chunks of up to 16 MiB; no string lies across two. */
  readonly chunks: SharedArrayBuffer[]
  /** Where each row begins: chunk number in the upper 8 bits, offset in the lower 24. */
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
}

/** Reads rows of packed strings; made once for each thread, since it holds views on the chunks. */
export class PackedReader {
  readonly #strings: PackedStrings
  readonly #chunks: Buffer[]

  constructor(strings: PackedStrings) {
    this.#strings = strings
    this.#chunks = strings.chunks.map((chunk) => Buffer.from(chunk))
  }

  get(row: number): string {
    const start = this.#strings.starts[row]!
    const offset = start & (chunkBytes - 1)
    return this.#chunks[start >>> chunkBits]!.toString('utf8', offset, offset + this.#strings.lengths[row]!)
  }

  /** stableHash of the row's text, mostly without making a string of it. */
  hash(row: number): number {
    const start = this.#strings.starts[row]!
    const offset = start & (chunkBytes - 1)
    const hash = stableHashOfAscii(
      this.#chunks[start >>> chunkBits]!,
      offset,
      offset + this.#strings.lengths[row]!,
    )
    return hash === -1 ? stableHash(this.get(row)) : hash
  }

  lengthOf(row: number): number {
    return this.#strings.lengths[row]!
  }

  /** The row's bytes in place: a view, valid as long as the chunks are. */
  bytes(row: number): Buffer {
    const start = this.#strings.starts[row]!
    const offset = start & (chunkBytes - 1)
    return this.#chunks[start >>> chunkBits]!.subarray(offset, offset + this.#strings.lengths[row]!)
  }

  equals(row: number, other: PackedReader, otherRow: number): boolean {
    const length = this.#strings.lengths[row]!
    if (length !== other.#strings.lengths[otherRow]) return false
    const start = this.#strings.starts[row]!
    const otherStart = other.#strings.starts[otherRow]!
    const mine = this.#chunks[start >>> chunkBits]!
    const theirs = other.#chunks[otherStart >>> chunkBits]!
    const offset = start & (chunkBytes - 1)
    const otherOffset = otherStart & (chunkBytes - 1)
    return mine.compare(theirs, otherOffset, otherOffset + length, offset, offset + length) === 0
  }
}

/** Collects strings in row order. */
export class PackedWriter {
  readonly #chunks: SharedArrayBuffer[] = []
  readonly #views: Buffer[] = []
  #chunk: Buffer = Buffer.alloc(0)
  #used = 0
  #starts = new Uint32Array(1024)
  #lengths = new Uint32Array(1024)
  #count = 0

  get count(): number {
    return this.#count
  }

  append(text: string): number {
    // Three bytes a UTF-16 unit is the most that UTF-8 needs. A full chunk, or none, cannot take an empty string
    // either: its offset would lie behind the last byte.
    if (this.#used + text.length * 3 >= this.#chunk.length) this.#openChunk(text)
    const length = this.#chunk.write(text, this.#used, 'utf8')
    if (this.#count === this.#starts.length) this.#growRows()
    this.#starts[this.#count] = (((this.#chunks.length - 1) << chunkBits) | this.#used) >>> 0
    this.#lengths[this.#count] = length
    this.#used += length
    return this.#count++
  }

  /** A row that was appended before; for looking back while collecting. */
  get(row: number): string {
    const start = this.#starts[row]!
    const offset = start & (chunkBytes - 1)
    return this.#views[start >>> chunkBits]!.toString('utf8', offset, offset + this.#lengths[row]!)
  }

  finish(): PackedStrings {
    return {
      chunks: this.#chunks,
      starts: sharedCopy(this.#starts, this.#count),
      lengths: sharedCopy(this.#lengths, this.#count),
    }
  }

  #openChunk(text: string): void {
    if (text.length * 3 > chunkBytes) throw new RangeError('a packed string is limited to 5 MiB')
    if (this.#chunks.length === 256) throw new RangeError('packed strings are limited to 4 GiB')
    // From small to whole chunks: a new one is zeroed, and a small fleet should not pay for 16 MiB of it.
    const doubled = firstChunkBytes * 2 ** Math.min(this.#chunks.length, chunkBits)
    const chunk = new SharedArrayBuffer(Math.min(chunkBytes, Math.max(doubled, text.length * 3)))
    this.#chunks.push(chunk)
    this.#chunk = Buffer.from(chunk)
    this.#views.push(this.#chunk)
    this.#used = 0
  }

  #growRows(): void {
    this.#starts = grown(this.#starts, this.#count * 2)
    this.#lengths = grown(this.#lengths, this.#count * 2)
  }
}

/** A column of exactly count rows that other threads can read in place. */
export function sharedCopy(column: Uint32Array, count: number): Uint32Array<SharedArrayBuffer> {
  const shared = new Uint32Array(new SharedArrayBuffer(count * 4))
  shared.set(column.subarray(0, count))
  return shared
}
