// projection/query/name-search.ts: which names contain a text, over names in search form that lie packed one behind
// the other. Where a filter leaves few names to look at, they are looked at one by one; otherwise rare texts are found
// by Node's native search over all bytes at once, until a text turns out to be so frequent that a native call costs
// more than the few bytes to the next hit. Both sides are whole UTF-8 characters, so a match of bytes is a match of
// characters.
import { chunkBits, chunkBytes, type PackedStrings } from '../../platform/packed-strings.ts'
import { BlockFilter, rowsPerBlock } from './block-filter.ts'

const offsetMask = chunkBytes - 1

/** Bytes that a native call is worth, for each byte of the text: a longer one is also found faster without it. */
const bytesPerCall = 100
/** Native calls before that is judged. */
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
  }

  /** The rows that contain the text, which is in search form and not empty. */
  rowsWith(text: string): RowsFound {
    const found = this.#known.get(text) ?? this.#find(Buffer.from(text))
    this.#known.delete(text)
    this.#known.set(text, found)
    if (this.#known.size > knownTexts) this.#known.delete(this.#known.keys().next().value!)
    return found
  }

  #find(wanted: Buffer): RowsFound {
    const marks = this.#marksOf(wanted)
    let count = 0
    for (let row = 0; row < marks.length; row++) count += marks[row]!
    return { marks, count }
  }

  #marksOf(wanted: Buffer): Uint8Array {
    const rows = this.#names.starts.length
    const marks = new Uint8Array(rows)
    if (wanted.length > this.#longest) return marks
    const blocks = this.#filter.blocksWith(wanted)
    if (blocks === null || blocks.length > this.#filter.blocks * fewBlocks)
      this.#markEach(wanted, marks, this.#markRare(wanted, marks), rows)
    else
      for (const block of blocks)
        this.#markEach(wanted, marks, block * rowsPerBlock, Math.min(rows, (block + 1) * rowsPerBlock))
    return marks
  }

  /** Marks rows until the text turns out to be frequent; answers the first row that was not looked at. */
  #markRare(wanted: Buffer, marks: Uint8Array): number {
    const { starts, lengths } = this.#names
    const allowedBytes = bytesPerCall * wanted.length
    let row = 0
    let calls = 0
    let bytesBefore = 0
    for (const [number, bytes] of this.#chunks.entries()) {
      let place = bytes.indexOf(wanted)
      while (place !== -1) {
        const at = number * chunkBytes + place
        while (row + 1 < starts.length && starts[row + 1]! <= at) row++
        const end = (starts[row]! & offsetMask) + lengths[row]!
        // A match that reaches into the next name is none, and nothing behind it in this name can be one.
        if (place + wanted.length <= end) marks[row] = 1
        if (++calls > trialCalls && calls * allowedBytes > bytesBefore + end) return row + 1
        place = bytes.indexOf(wanted, end)
      }
      bytesBefore += bytes.length
    }
    return starts.length
  }

  #markEach(wanted: Buffer, marks: Uint8Array, firstRow: number, endRow: number): void {
    const { starts, lengths } = this.#names
    const skips = skipsFor(wanted)
    // Neighbours are often named after one pattern: the text stands as far from the end as in the name before.
    let fromEnd = 0
    for (let row = firstRow; row < endRow; row++) {
      const bytes = this.#chunks[starts[row]! >>> chunkBits]!
      const start = starts[row]! & offsetMask
      const end = start + lengths[row]!
      let place = end - fromEnd
      if (fromEnd === 0 || place < start || !standsAt(bytes, wanted, place))
        place = indexBetween(bytes, wanted, skips, start, end)
      if (place === -1) continue
      marks[row] = 1
      fromEnd = end - place
    }
  }
}

/** Horspool's table: how far to go on, by the byte under the end of what is looked for. */
function skipsFor(wanted: Buffer): Uint32Array {
  const skips = new Uint32Array(256).fill(wanted.length)
  for (let index = 0; index < wanted.length - 1; index++) skips[wanted[index]!] = wanted.length - 1 - index
  return skips
}

function indexBetween(bytes: Buffer, wanted: Buffer, skips: Uint32Array, start: number, end: number): number {
  const last = wanted.length - 1
  const lastByte = wanted[last]!
  for (let place = start + last; place < end; place += skips[bytes[place]!]!) {
    if (bytes[place] === lastByte && standsAt(bytes, wanted, place - last)) return place - last
  }
  return -1
}

function standsAt(bytes: Buffer, wanted: Buffer, place: number): boolean {
  let index = 0
  while (index < wanted.length && bytes[place + index] === wanted[index]) index++
  return index === wanted.length
}
