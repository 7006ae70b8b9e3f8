// platform/row-index.ts: an index from a string to its row, over packed strings: open addressing in two
// columns, 8 bytes per row instead of a Map's 100. Exact: hash collisions are resolved by comparing the
// strings. In shared memory: one thread builds it, another continues with it.
import { newColumn } from './column.ts'
import type { PackedReader } from './packed-strings.ts'
import { stableHash } from './string-hash.ts'

/** The index as plain data. */
export interface RowTable {
  /** A row, or one of the two constants below. */
  readonly rows: Int32Array
  /** One byte of each row's hash: rules out most other rows without reading their texts. */
  readonly hashBytes: Uint8Array
  /** Places that are not empty. */
  readonly used: number
}

/** What is indexed: whether a row holds a text, and the stableHash of its text. */
export interface RowTexts {
  is(row: number, text: string): boolean
  hash(row: number): number
}

const empty = -1
/** A row was removed here: a search must continue. */
const vacated = -2

/** Places per expected row, and the share of them that may be used: beyond it, searches get long. */
const placesPerRow = 1.5
const fullFrom = 0.75

/** Growing rereads every text, so it is done rarely. */
const growsBy = 4

export class RowIndex {
  #rows: Int32Array
  #hashBytes: Uint8Array
  #used: number

  /** Takes the expected number of rows, or a filled table. */
  constructor(from: number | RowTable = 1024) {
    const { rows, hashBytes, used } = typeof from === 'number' ? emptyTable(from) : from
    this.#rows = rows
    this.#hashBytes = hashBytes
    this.#used = used
  }

  get table(): RowTable {
    return { rows: this.#rows, hashBytes: this.#hashBytes, used: this.#used }
  }

  /** The row that holds the text, or -1. */
  find(text: string, texts: RowTexts): number {
    const place = this.#find(stableHash(text), text, texts)
    return place === -1 ? -1 : this.#rows[place]!
  }

  /** Notes that this row holds the text and returns true; false if another row already does. */
  add(text: string, row: number, texts: RowTexts): boolean {
    const hash = stableHash(text)
    if (this.#find(hash, text, texts) !== -1) return false
    if (this.#used + 1 > this.#rows.length * fullFrom) this.#grow(texts)
    this.#place(hash, row)
    return true
  }

  /** Notes a row whose text, as the caller knows, no other row holds. */
  addDistinct(hash: number, row: number): void {
    this.#place(hash, row)
  }

  /** To be called before the row gets another text. */
  remove(text: string, texts: RowTexts): void {
    const place = this.#find(stableHash(text), text, texts)
    if (place !== -1) this.#rows[place] = vacated
  }

  #find(hash: number, text: string, texts: RowTexts): number {
    const hashByte = hash & 0xff
    for (let place = this.#firstPlace(hash); ; place = this.#placeAfter(place)) {
      const row = this.#rows[place]!
      if (row === empty) return -1
      if (row !== vacated && this.#hashBytes[place] === hashByte && texts.is(row, text)) return place
    }
  }

  #place(hash: number, row: number): void {
    let place = this.#firstPlace(hash)
    while (this.#rows[place]! >= 0) place = this.#placeAfter(place)
    if (this.#rows[place] === empty) this.#used++
    this.#rows[place] = row
    this.#hashBytes[place] = hash
  }

  /** From the high bits of the hash, so that its low byte is independent. */
  #firstPlace(hash: number): number {
    return Math.floor((hash / 2 ** 32) * this.#rows.length)
  }

  #placeAfter(place: number): number {
    return place + 1 === this.#rows.length ? 0 : place + 1
  }

  /** Moves to a table with room for many times the remaining rows; drops vacated places. */
  #grow(texts: RowTexts): void {
    // In the order of their texts in memory.
    const held = this.#rows.filter((row) => row >= 0).sort()
    const { rows, hashBytes } = emptyTable(held.length * growsBy)
    this.#rows = rows
    this.#hashBytes = hashBytes
    this.#used = 0
    for (const row of held) this.#place(texts.hash(row), row)
  }
}

function emptyTable(rows: number): RowTable {
  const places = Math.ceil(Math.max(16, rows) * placesPerRow)
  return {
    rows: newColumn(Int32Array, places).fill(empty),
    hashBytes: newColumn(Uint8Array, places),
    used: 0,
  }
}

/** An index over all rows of a finished collection without duplicate texts. */
export function indexRows(reader: PackedReader, count: number): RowIndex {
  const index = new RowIndex(count)
  for (let row = 0; row < count; row++) index.addDistinct(reader.hash(row), row)
  return index
}
