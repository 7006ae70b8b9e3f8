// projection/query/block-filter.ts: finds the blocks of 64 names that may contain a text, so that a rare text
// is searched in a few names instead of a million. For each block and each hash of three consecutive bytes,
// one bit says whether the block contains them. A text can only be in blocks that contain all of its
// trigrams. The filter has false positives but never false negatives.
import { PackedCursor, type PackedStrings } from '../../platform/packed-strings.ts'

export const rowsPerBlock = 64

/**
 * Bits of a trigram hash. Takes four megabytes for a million names, and a block of dissimilar names still
 * leaves most bits unset.
 */
const hashBits = 11
const hashes = 1 << hashBits

export class BlockFilter {
  blocks = 0
  /** Words per hash; there may be more than the blocks need. */
  #words = 0
  /** For each hash, one bit per block: a query reads a few of these rows sequentially. */
  #bits = new Uint32Array(0)

  constructor(names: PackedStrings) {
    this.#makeRoom(names.starts.length)
    const cursor = new PackedCursor(names)
    for (let row = 0; row < names.starts.length; row++) this.#add(cursor.moveTo(row), row)
  }

  /** These rows were renamed. The old trigrams of their blocks stay set, as false positives. */
  amend(names: PackedStrings, rows: Uint32Array): void {
    this.#makeRoom(names.starts.length)
    const cursor = new PackedCursor(names)
    for (const row of rows) this.#add(cursor.moveTo(row), row)
  }

  #makeRoom(rows: number): void {
    this.blocks = Math.ceil(rows / rowsPerBlock)
    const words = Math.ceil(this.blocks / 32)
    if (words <= this.#words) return
    // With spare room: growing has to move the bits of every hash.
    const roomy = this.#words === 0 ? words : Math.ceil(words * 1.5)
    const bits = new Uint32Array(hashes * roomy)
    for (let hash = 0; hash < hashes && this.#words > 0; hash++)
      bits.set(this.#bits.subarray(hash * this.#words, (hash + 1) * this.#words), hash * roomy)
    this.#words = roomy
    this.#bits = bits
  }

  /** The blocks that may contain the text, in order; null if the text is too short to tell. */
  blocksWith(wanted: Uint8Array): number[] | null {
    if (wanted.length < 3) return null
    const candidates = new Uint32Array(this.#words).fill(0xffff_ffff)
    for (let index = 2; index < wanted.length; index++) {
      const from = hashOf(wanted[index - 2]!, wanted[index - 1]!, wanted[index]!) * this.#words
      for (let word = 0; word < this.#words; word++)
        candidates[word] = candidates[word]! & this.#bits[from + word]!
    }
    const blocks: number[] = []
    for (let block = 0; block < this.blocks; block++)
      if (candidates[block >>> 5]! & (1 << (block & 31))) blocks.push(block)
    return blocks
  }

  #add({ bytes, start: from, end: to }: PackedCursor, row: number): void {
    const block = Math.floor(row / rowsPerBlock)
    const word = block >>> 5
    const bit = 1 << (block & 31)
    let one = bytes[from]!
    let two = bytes[from + 1]!
    for (let index = from + 2; index < to; index++) {
      const three = bytes[index]!
      const place = hashOf(one, two, three) * this.#words + word
      this.#bits[place] = this.#bits[place]! | bit
      one = two
      two = three
    }
  }
}

function hashOf(one: number, two: number, three: number): number {
  return Math.imul((one << 16) | (two << 8) | three, 0x9e3779b1) >>> (32 - hashBits)
}
