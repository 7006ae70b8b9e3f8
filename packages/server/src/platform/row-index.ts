// platform/row-index.ts: from a string to its row, over packed strings: open addressing in two columns, about 16 bytes a
// row instead of a Map's 100. Exact: equal hashes are settled by comparing the strings. In shared memory: what one
// thread has made, another one goes on with.
import { newColumn } from './column.ts'
import type { PackedReader } from './packed-strings.ts'
import { stableHash } from './string-hash.ts'

/** The index as plain data. */
export interface RowTable {
  /** A row, or one of the two below. */
  readonly rows: Int32Array
  readonly hashes: Uint32Array
  /** Places that are not empty. */
  readonly used: number
}

/** Whether the row holds the text. */
type Holds = (row: number, text: string) => boolean

const empty = -1
/** A row was here: who looks for another one goes on looking. */
const vacated = -2

export class RowIndex {
  #rows: Int32Array
  #hashes: Uint32Array
  #mask: number
  #used: number

  /** To be filled with so many rows, or filled already. */
  constructor(from: number | RowTable = 1024) {
    const { rows, hashes, used } = typeof from === 'number' ? emptyTable(tableSizeFor(from)) : from
    this.#rows = rows
    this.#hashes = hashes
    this.#used = used
    this.#mask = rows.length - 1
  }

  get table(): RowTable {
    return { rows: this.#rows, hashes: this.#hashes, used: this.#used }
  }

  /** The row that holds the text, or -1. `read` gives a row's string for the exact comparison. */
  find(text: string, read: (row: number) => string): number {
    return this.findWhere(text, byReading(read))
  }

  /** The same where a row can be compared without making a string of it. */
  findWhere(text: string, holds: Holds): number {
    const place = this.#find(stableHash(text), text, holds)
    return place === -1 ? -1 : this.#rows[place]!
  }

  /** Notes that this row holds the text and answers true; false when another row does already. */
  add(text: string, row: number, read: (row: number) => string): boolean {
    const hash = stableHash(text)
    if (this.#find(hash, text, byReading(read)) !== -1) return false
    if ((this.#used + 1) * 2 > this.#rows.length) this.#grow()
    this.#place(hash, row)
    return true
  }

  /** Notes a row whose text no other row holds, which the caller knows. */
  addDistinct(hash: number, row: number): void {
    this.#place(hash, row)
  }

  /** The row does not hold the text any more; `read` still gives it. */
  remove(text: string, read: (row: number) => string): void {
    const place = this.#find(stableHash(text), text, byReading(read))
    if (place !== -1) this.#rows[place] = vacated
  }

  #find(hash: number, text: string, holds: Holds): number {
    for (let place = hash & this.#mask; ; place = (place + 1) & this.#mask) {
      const row = this.#rows[place]!
      if (row === empty) return -1
      if (row !== vacated && this.#hashes[place] === hash && holds(row, text)) return place
    }
  }

  #place(hash: number, row: number): void {
    let place = hash & this.#mask
    while (this.#rows[place]! >= 0) place = (place + 1) & this.#mask
    if (this.#rows[place] === empty) this.#used++
    this.#rows[place] = row
    this.#hashes[place] = hash
  }

  /** Into a table with room for twice the rows that are left; what was vacated is left behind. */
  #grow(): void {
    const rows = this.#rows
    const hashes = this.#hashes
    let held = 0
    for (let place = 0; place < rows.length; place++) if (rows[place]! >= 0) held++
    const larger = emptyTable(tableSizeFor(held * 2))
    this.#rows = larger.rows
    this.#hashes = larger.hashes
    this.#used = 0
    this.#mask = this.#rows.length - 1
    for (let place = 0; place < rows.length; place++)
      if (rows[place]! >= 0) this.#place(hashes[place]!, rows[place]!)
  }
}

function byReading(read: (row: number) => string): Holds {
  return (row, text) => read(row) === text
}

function emptyTable(size: number): RowTable {
  return { rows: newColumn(Int32Array, size).fill(empty), hashes: newColumn(Uint32Array, size), used: 0 }
}

function tableSizeFor(rows: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(16, rows * 2)))
}

/** An index over all rows of a finished collection in which no text stands twice. */
export function indexRows(reader: PackedReader, count: number): RowIndex {
  const index = new RowIndex(count)
  for (let row = 0; row < count; row++) index.addDistinct(reader.hash(row), row)
  return index
}
