// projection/query/name-search.ts: which names contain a text, over names in search form that lie packed one behind
// the other. Names of a pattern share their answer, or at least where to look; where a filter leaves few names to look
// at, only those are looked at. Names without patterns are searched by Node's native search over all bytes at once,
// until a text turns out to be so frequent that a native call costs more than the few bytes to the next hit. Both sides
// are whole UTF-8 characters, so a match of bytes is a match of characters.

import { forgetOldest } from '../../platform/forget-oldest.ts'
import { chunkBits, chunkBytes, type PackedStrings } from '../../platform/packed-strings.ts'
import { BlockFilter, rowsPerBlock } from './block-filter.ts'
import { NamePatterns } from './name-patterns.ts'
import { Needle } from './needle.ts'

const offsetMask = chunkBytes - 1

/** Bytes that a native call is worth, for each byte of the text: a longer one is also found faster without it. */
const bytesPerCall = 100
/** Native calls before that is decided. */
const trialCalls = 64

/** The share of blocks up to which looking at each of their names costs less than a native search of all. */
const fewBlocks = 0.1

/** Names do not change, so what was found holds for good; a byte for each monitor bounds how much is kept. */
const knownTexts = 4

export interface RowsFound {
  /** 1 for each row. Not to be written to. */
  readonly marks: Uint8Array
  readonly count: number
}

export class NameSearch {
  readonly #names: PackedStrings
  /** Chunks without what lies behind their last name. */
  readonly #chunks: Buffer[]
  readonly #filter: BlockFilter
  readonly #patterns: NamePatterns | null
  /** The last texts, the latest last: people page through what they found, and look again. */
  readonly #known = new Map<string, RowsFound>()
  #longest = 0

  /** Rows must lie in the order of their numbers, as PackedWriter leaves them. */
  constructor(names: PackedStrings) {
    this.#names = names
    const used = new Uint32Array(names.chunks.length)
    for (let row = 0; row < names.starts.length; row++) {
      const start = names.starts[row]!
      const length = names.lengths[row]!
      used[start >>> chunkBits] = (start & offsetMask) + length
      if (length > this.#longest) this.#longest = length
    }
    this.#chunks = names.chunks.map((chunk, number) => Buffer.from(chunk, 0, used[number]))
    this.#filter = new BlockFilter(names)
    this.#patterns = NamePatterns.find(names)
  }

  /** The rows that contain the text, which is in search form and not empty. */
  rowsWith(text: string): RowsFound {
    const found = this.#known.get(text) ?? this.#find(new Needle(text))
    this.#known.delete(text)
    this.#known.set(text, found)
    if (this.#known.size > knownTexts) forgetOldest(this.#known)
    return found
  }

  #find(wanted: Needle): RowsFound {
    const marks = this.#marksOf(wanted)
    let count = 0
    for (let row = 0; row < marks.length; row++) count += marks[row]!
    return { marks, count }
  }

  #marksOf(wanted: Needle): Uint8Array {
    const rows = this.#names.starts.length
    const marks = new Uint8Array(rows)
    if (wanted.length > this.#longest) return marks
    const patterns = this.#patterns
    if (patterns !== null && !wanted.hasDigits) {
      this.#markPatterns(wanted, marks, patterns)
      return marks
    }
    const blocks = this.#filter.blocksWith(wanted.bytes)
    if (blocks !== null && blocks.length <= this.#filter.blocks * fewBlocks)
      for (const block of blocks)
        this.#markBetween(wanted, marks, block * rowsPerBlock, Math.min(rows, (block + 1) * rowsPerBlock))
    else this.#markBetween(wanted, marks, patterns === null ? this.#markRare(wanted, marks) : 0, rows)
    return marks
  }

  #markBetween(wanted: Needle, marks: Uint8Array, firstRow: number, endRow: number): void {
    if (this.#patterns === null) this.#markEach(wanted, marks, firstRow, endRow)
    else this.#markNumbered(wanted, marks, this.#patterns, firstRow, endRow)
  }

  /** For a text without digits: what is true of one name of a pattern is true of all. */
  #markPatterns(wanted: Needle, marks: Uint8Array, { of, examples }: NamePatterns): void {
    const { starts, lengths } = this.#names
    const matches = Uint8Array.from(examples, (row) => {
      const start = starts[row]! & offsetMask
      return wanted.indexIn(this.#chunks[starts[row]! >>> chunkBits]!, start, start + lengths[row]!) === -1
        ? 0
        : 1
    })
    for (let row = 0; row < marks.length; row++) marks[row] = matches[of[row]!]!
  }

  /** Marks rows until the text turns out to be frequent; answers the first row that was not looked at. */
  #markRare(wanted: Needle, marks: Uint8Array): number {
    const { starts, lengths } = this.#names
    const allowedBytes = bytesPerCall * wanted.length
    let row = 0
    let calls = 0
    let bytesBefore = 0
    for (const [number, bytes] of this.#chunks.entries()) {
      let place = bytes.indexOf(wanted.bytes)
      while (place !== -1) {
        const at = number * chunkBytes + place
        while (row + 1 < starts.length && starts[row + 1]! <= at) row++
        const end = (starts[row]! & offsetMask) + lengths[row]!
        // A match that reaches into the next name is none, and nothing behind it in this name can be one.
        if (place + wanted.length <= end) marks[row] = 1
        if (++calls > trialCalls && calls * allowedBytes > bytesBefore + end) return row + 1
        place = bytes.indexOf(wanted.bytes, end)
      }
      bytesBefore += bytes.length
    }
    return starts.length
  }

  #markEach(wanted: Needle, marks: Uint8Array, firstRow: number, endRow: number): void {
    const { starts, lengths } = this.#names
    // Neighbours are often named alike: the text stands as far from the end as in the name before.
    let fromEnd = 0
    for (let row = firstRow; row < endRow; row++) {
      const bytes = this.#chunks[starts[row]! >>> chunkBits]!
      const start = starts[row]! & offsetMask
      const end = start + lengths[row]!
      let place = end - fromEnd
      if (fromEnd === 0 || place < start || !wanted.standsAt(bytes, place))
        place = wanted.indexIn(bytes, start, end)
      if (place === -1) continue
      marks[row] = 1
      fromEnd = end - place
    }
  }

  /** For a text with digits: it can only stand where it touches a number of the name. */
  #markNumbered(
    wanted: Needle,
    marks: Uint8Array,
    { of, heads, tails }: NamePatterns,
    firstRow: number,
    endRow: number,
  ): void {
    const { starts, lengths } = this.#names
    const reach = wanted.length - 1
    for (let row = firstRow; row < endRow; row++) {
      const bytes = this.#chunks[starts[row]! >>> chunkBits]!
      const start = starts[row]! & offsetMask
      const before = Math.max(0, heads[of[row]!]! - reach)
      const behind = Math.max(0, tails[of[row]!]! - reach)
      if (wanted.indexIn(bytes, start + before, start + lengths[row]! - behind) !== -1) marks[row] = 1
    }
  }
}
