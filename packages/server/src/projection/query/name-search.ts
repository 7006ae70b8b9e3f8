// projection/query/name-search.ts: which names contain a text, over names in search form that lie packed one behind
// the other. Names of a pattern share their answer, or at least where to look; where a filter leaves few names to look
// at, only those are looked at. Names without patterns are searched by Node's native search over all bytes at once,
// until a text turns out to be so frequent that a native call costs more than the few bytes to the next hit. Both sides
// are whole UTF-8 characters, so a match of bytes is a match of characters.

import { grown, newColumn } from '../../platform/column.ts'
import { forgetOldest } from '../../platform/forget-oldest.ts'
import { chunkBits, chunkBytes, PackedCursor, type PackedStrings } from '../../platform/packed-strings.ts'
import { BlockFilter, rowsPerBlock } from './block-filter.ts'
import { NamePatterns } from './name-patterns.ts'
import { Needle } from './needle.ts'

/** Bytes that a native call is worth, for each byte of the text: a longer one is also found faster without it. */
const bytesPerCall = 100
/** Native calls before that is decided. */
const trialCalls = 64

/** The share of blocks up to which looking at each of their names costs less than a native search of all. */
const fewBlocks = 0.1

/** What was found holds until a name changes; a byte for each monitor bounds how much is kept. */
const knownTexts = 4

export interface RowsFound {
  /** 1 for each row. Not to be written to. */
  readonly marks: Uint8Array
  readonly count: number
}

export class NameSearch {
  #names: PackedStrings
  #cursor: PackedCursor
  readonly #laidOut = new LaidOutNames()
  readonly #filter: BlockFilter
  #patterns: NamePatterns | null
  /** The last texts, the latest last: people page through what they found, and look again. */
  readonly #known = new Map<string, RowsFound>()
  #longest = 0

  constructor(names: PackedStrings) {
    this.#names = names
    this.#cursor = new PackedCursor(names)
    for (let row = 0; row < names.starts.length; row++) this.#layOut(row)
    this.#filter = new BlockFilter(names)
    this.#patterns = NamePatterns.find(names)
  }

  /** These rows have other names, or were added. */
  amend(names: PackedStrings, rows: Uint32Array): void {
    this.#names = names
    this.#cursor = new PackedCursor(names)
    this.#known.clear()
    for (const row of rows) this.#layOut(row)
    this.#filter.amend(names, rows)
    if (this.#patterns?.amend(names, rows) === false) this.#patterns = null
  }

  /** The rows that contain the text, which is in search form and not empty. */
  rowsWith(text: string): RowsFound {
    const found = this.#known.get(text) ?? this.#find(new Needle(text))
    this.#known.delete(text)
    this.#known.set(text, found)
    if (this.#known.size > knownTexts) forgetOldest(this.#known)
    return found
  }

  #layOut(row: number): void {
    const place = this.#names.starts[row]!
    const { start, end } = this.#cursor.moveToPlace(place)
    if (start === end) return
    this.#longest = Math.max(this.#longest, end - start)
    this.#laidOut.add(row, place, end)
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
    else if (patterns !== null) this.#markBetween(wanted, marks, 0, rows)
    else if (this.#markRare(wanted, marks) === 'frequent') this.#markBetween(wanted, marks, 0, rows)
    return marks
  }

  #markBetween(wanted: Needle, marks: Uint8Array, firstRow: number, endRow: number): void {
    if (this.#patterns === null) this.#markEach(wanted, marks, firstRow, endRow)
    else this.#markNumbered(wanted, marks, this.#patterns, firstRow, endRow)
  }

  /** For a text without digits: what is true of one name of a pattern is true of all. */
  #markPatterns(wanted: Needle, marks: Uint8Array, { of, examples }: NamePatterns): void {
    const matches = Uint8Array.from(examples, (place) => {
      const { bytes, start, end } = this.#cursor.moveToPlace(place)
      return wanted.indexIn(bytes, start, end) === -1 ? 0 : 1
    })
    for (let row = 0; row < marks.length; row++) marks[row] = matches[of[row]!]!
  }

  /** Marks rows until the text turns out to be frequent; those that it did not come to have to be looked at then. */
  #markRare(wanted: Needle, marks: Uint8Array): 'frequent' | 'rare' {
    const { starts } = this.#names
    const laidOut = this.#laidOut
    const allowedBytes = bytesPerCall * wanted.length
    let index = 0
    let calls = 0
    let bytesBefore = 0
    for (const [number, chunk] of this.#names.chunks.entries()) {
      const bytes = Buffer.from(chunk, 0, laidOut.usedOf(number))
      let place = bytes.indexOf(wanted.bytes)
      while (place !== -1) {
        index = laidOut.indexAt(number * chunkBytes + place, index)
        const { start, end } = this.#cursor.moveToPlace(laidOut.placeOf(index))
        const row = laidOut.rowOf(index)
        const isWithin = place >= start && place + wanted.length <= end
        // A text that the row had before is none of it any more.
        if (isWithin && starts[row] === laidOut.placeOf(index)) marks[row] = 1
        if (++calls > trialCalls && calls * allowedBytes > bytesBefore + end) return 'frequent'
        // A match that begins in the length of a name is none. Of one that reaches into the next, nothing behind it in
        // this name can be one.
        place = bytes.indexOf(wanted.bytes, place < start ? place + 1 : end)
      }
      bytesBefore += bytes.length
    }
    return 'rare'
  }

  #markEach(wanted: Needle, marks: Uint8Array, firstRow: number, endRow: number): void {
    // Neighbours are often named alike: the text stands as far from the end as in the name before.
    let fromEnd = 0
    for (let row = firstRow; row < endRow; row++) {
      const { bytes, start, end } = this.#cursor.moveTo(row)
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
    const reach = wanted.length - 1
    for (let row = firstRow; row < endRow; row++) {
      const { bytes, start, end } = this.#cursor.moveTo(row)
      const before = Math.max(0, heads[of[row]!]! - reach)
      const behind = Math.max(0, tails[of[row]!]! - reach)
      if (wanted.indexIn(bytes, start + before, end - behind) !== -1) marks[row] = 1
    }
  }
}

/** All names that rows have or had, in the order in which they lie: from a place of a chunk to the row it belongs to. */
class LaidOutNames {
  #rows = newColumn(Uint32Array, 1024)
  #places = newColumn(Uint32Array, 1024)
  #count = 0
  readonly #used: number[] = []

  /** Texts are written behind each other, so they come in the order of their places. */
  add(row: number, place: number, end: number): void {
    if (this.#count === this.#rows.length) {
      this.#rows = grown(this.#rows, this.#count * 2)
      this.#places = grown(this.#places, this.#count * 2)
    }
    this.#rows[this.#count] = row
    this.#places[this.#count++] = place
    this.#used[place >>> chunkBits] = end
  }

  rowOf(index: number): number {
    return this.#rows[index]!
  }

  placeOf(index: number): number {
    return this.#places[index]!
  }

  /** The bytes of a chunk in which names lie. */
  usedOf(chunk: number): number {
    return this.#used[chunk] ?? 0
  }

  /** The name at a place, or the last before it; not before the one that was asked for last. */
  indexAt(place: number, from: number): number {
    let index = from
    while (index + 1 < this.#count && this.#places[index + 1]! <= place) index++
    return index
  }
}
