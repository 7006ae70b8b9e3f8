// projection/query/list-order.ts: all monitors in list order, in blocks, so that adding, renaming or removing
// a monitor moves one block and not the whole fleet. In shared memory: another thread may page through it
// while this one changes it, and detects the change.
import { grown, newColumn } from '../../platform/column.ts'
import { PackedCursor, type PackedStrings, placeOf } from '../../platform/packed-strings.ts'
import { orderByName } from './sort-names.ts'

const blockRows = 1024
/** Blocks are initially filled to three quarters. */
const rowsAtFirst = 768
const noBlock = 0xffff_ffff

/** The parts of the order that other threads read. */
export interface SharedOrder {
  /** Rows by block: entry i of block b lies at b * blockRows + i. */
  readonly entries: Uint32Array
  /** Rows in each block. */
  readonly counts: Uint32Array
  /** Block numbers in list order. */
  readonly sequence: Uint32Array
  /** The number of blocks, the number of monitors, and a sequence number that is odd during a change. */
  readonly state: Int32Array
}

const blocksAt = 0
const monitorsAt = 1
const versionAt = 2

/** The fleet data that the order depends on. */
export interface OrderSource {
  readonly names: PackedStrings
  readonly present: Uint8Array
  readonly numericId: Uint32Array
}

export class ListOrder {
  #source: OrderSource
  #shared: SharedOrder
  /** The block that holds a row. */
  #blockOf: Uint32Array
  /** 1 for every row that is in the order: a query of the whole fleet copies it. */
  #isIn: Uint8Array
  /** Where each row's name was stored when the row was sorted: the row may have been renamed since. */
  #places: Uint32Array
  #left: PackedCursor
  #right: PackedCursor
  #usedBlocks = 0
  readonly #freeBlocks: number[] = []

  constructor(source: OrderSource) {
    const { names, present, numericId } = source
    this.#source = source
    this.#left = new PackedCursor(names)
    this.#right = new PackedCursor(names)
    this.#places = newColumn(Uint32Array, names.starts.length)
    for (let row = 0; row < names.starts.length; row++) this.#places[row] = placeOf(names, row)
    this.#blockOf = newColumn(Uint32Array, names.starts.length).fill(noBlock)
    this.#isIn = newColumn(Uint8Array, names.starts.length)
    const rows = orderByName({ chunks: names.chunks, starts: this.#places }, present, numericId)
    const blocks = Math.ceil(rows.length / rowsAtFirst)
    this.#shared = {
      entries: newColumn(Uint32Array, (blocks + 1) * blockRows),
      counts: newColumn(Uint32Array, blocks + 1),
      sequence: newColumn(Uint32Array, blocks + 1),
      state: new Int32Array(new SharedArrayBuffer(12)),
    }
    for (let from = 0; from < rows.length; from += rowsAtFirst) {
      const block = this.#newBlock(this.#blocks)
      this.#fill(block, rows.subarray(from, from + rowsAtFirst))
    }
    this.#shared.state[monitorsAt] = rows.length
  }

  /** A new object after each growth. */
  get shared(): SharedOrder {
    return this.#shared
  }

  get length(): number {
    return this.#shared.state[monitorsAt]!
  }

  /** These rows were added, renamed or removed. */
  amend(source: OrderSource, rows: Uint32Array): void {
    this.#source = source
    const { names, present } = source
    this.#left = new PackedCursor(names)
    this.#right = new PackedCursor(names)
    this.#places = grown(this.#places, names.starts.length)
    this.#blockOf = grown(this.#blockOf, names.starts.length, noBlock)
    this.#isIn = grown(this.#isIn, names.starts.length)
    Atomics.add(this.#shared.state, versionAt, 1)
    for (const row of rows) {
      this.#remove(row)
      this.#places[row] = placeOf(names, row)
      if (present[row] === 1) this.#insert(row)
    }
    Atomics.add(this.#shared.state, versionAt, 1)
  }

  /** Calls back with the rows of each block, in order, until `visit` returns `enough`. */
  forEachBlock(visit: (rows: Uint32Array) => 'more' | 'enough'): void {
    const { sequence } = this.#shared
    for (let index = 0; index < this.#blocks; index++)
      if (visit(this.#rowsOf(sequence[index]!)) === 'enough') return
  }

  /** Calls back with each row whose text comes after this one, in order, until `visit` returns `enough`. */
  visitAfter(text: string | null, visit: (row: number) => 'more' | 'enough'): void {
    const wanted = text === null ? null : Buffer.from(text)
    const { sequence } = this.#shared
    let place = wanted === null ? 0 : this.#lastBlockWith((row) => this.#isUpTo(row, wanted))
    for (; place < this.#blocks; place++) {
      for (const row of this.#rowsOf(sequence[place]!)) {
        if (wanted !== null && this.#isUpTo(row, wanted)) continue
        if (visit(row) === 'enough') return
      }
    }
  }

  #isUpTo(row: number, text: Buffer): boolean {
    const { bytes, start, end } = this.#left.moveToPlace(this.#places[row]!)
    return bytes.compare(text, 0, text.length, start, end) <= 0
  }

  /** All monitors, in order; a copy, which stays valid. */
  all(): Uint32Array {
    return sliceOf(this.#shared, 0, this.length)
  }

  /** Sets 1 for every row that is in the order, and 0 for the others. */
  mark(rows: Uint8Array): void {
    rows.fill(0).set(this.#isIn.subarray(0, rows.length))
  }

  /** Sorts a few monitors into list order. */
  sort(rows: Uint32Array): Uint32Array {
    const ranks = new Map<number, number>()
    const { sequence } = this.#shared
    for (let index = 0; index < this.#blocks; index++) ranks.set(sequence[index]!, index)
    const keys = new Float64Array(rows.length)
    const order = new Map<number, number>()
    for (const [index, row] of rows.entries()) {
      const block = this.#blockOf[row]!
      const key = ranks.get(block)! * blockRows + this.#rowsOf(block).indexOf(row)
      keys[index] = key
      order.set(key, row)
    }
    keys.sort()
    return rows.map((_, index) => order.get(keys[index]!)!)
  }

  get #blocks(): number {
    return this.#shared.state[blocksAt]!
  }

  #rowsOf(block: number): Uint32Array {
    const { entries, counts } = this.#shared
    return entries.subarray(block * blockRows, block * blockRows + counts[block]!)
  }

  #fill(block: number, rows: Uint32Array): void {
    const { entries, counts } = this.#shared
    entries.set(rows, block * blockRows)
    counts[block] = rows.length
    for (const row of rows) {
      this.#blockOf[row] = block
      this.#isIn[row] = 1
    }
  }

  #remove(row: number): void {
    const block = this.#blockOf[row]!
    if (block === noBlock) return
    const { entries, counts, state } = this.#shared
    const from = block * blockRows
    const index = this.#rowsOf(block).indexOf(row)
    entries.copyWithin(from + index, from + index + 1, from + counts[block]!)
    counts[block]! -= 1
    state[monitorsAt]! -= 1
    this.#blockOf[row] = noBlock
    this.#isIn[row] = 0
    if (counts[block] === 0) this.#dropBlock(block)
  }

  #insert(row: number): void {
    if (this.#blocks === 0) this.#newBlock(0)
    let block = this.#shared.sequence[this.#lastBlockUpTo(row)]!
    if (this.#shared.counts[block] === blockRows) block = this.#split(block, row)
    const { entries, counts, state } = this.#shared
    const from = block * blockRows
    const index = this.#indexIn(block, row)
    entries.copyWithin(from + index + 1, from + index, from + counts[block]!)
    entries[from + index] = row
    counts[block]! += 1
    state[monitorsAt]! += 1
    this.#blockOf[row] = block
    this.#isIn[row] = 1
  }

  /** Moves the second half into a new block behind it, and returns which of the two the row belongs in. */
  #split(block: number, row: number): number {
    const place = this.#shared.sequence.indexOf(block)
    const next = this.#newBlock(place + 1)
    const { entries, counts } = this.#shared
    const half = blockRows / 2
    this.#fill(next, entries.slice(block * blockRows + half, (block + 1) * blockRows))
    counts[block] = half
    return this.#compare(entries[next * blockRows]!, row) <= 0 ? next : block
  }

  /** The position of the last block whose first monitor does not come after the row; the first block if all do. */
  #lastBlockUpTo(row: number): number {
    return this.#lastBlockWith((first) => this.#compare(first, row) <= 0)
  }

  #lastBlockWith(isMeant: (first: number) => boolean): number {
    const { entries, sequence } = this.#shared
    let low = 0
    let high = this.#blocks - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (isMeant(entries[sequence[middle]! * blockRows]!)) low = middle
      else high = middle - 1
    }
    return low
  }

  #indexIn(block: number, row: number): number {
    const { entries, counts } = this.#shared
    let low = 0
    let high = counts[block]!
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(entries[block * blockRows + middle]!, row) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(one: number, other: number): number {
    const left = this.#left.moveToPlace(this.#places[one]!)
    const right = this.#right.moveToPlace(this.#places[other]!)
    const { numericId } = this.#source
    return (
      left.bytes.compare(right.bytes, right.start, right.end, left.start, left.end) ||
      numericId[one]! - numericId[other]!
    )
  }

  /** Inserts an empty block at this position of the sequence. */
  #newBlock(place: number): number {
    const block = this.#freeBlocks.pop() ?? this.#usedBlocks++
    const { entries, counts, sequence, state } = this.#shared
    const blocks = this.#blocks
    if (block >= counts.length || blocks >= sequence.length) {
      const room = Math.ceil(blocks * 1.25) + 1
      this.#shared = {
        entries: grown(entries, room * blockRows),
        counts: grown(counts, room),
        sequence: grown(sequence, room),
        state,
      }
    }
    this.#shared.counts[block] = 0
    this.#shared.sequence.copyWithin(place + 1, place, blocks)
    this.#shared.sequence[place] = block
    state[blocksAt] = blocks + 1
    return block
  }

  #dropBlock(block: number): void {
    const { sequence, state } = this.#shared
    const blocks = this.#blocks
    const place = sequence.indexOf(block)
    sequence.copyWithin(place, place + 1, blocks)
    state[blocksAt] = blocks - 1
    this.#freeBlocks.push(block)
  }
}

/** A page of the order, read from another thread; null if the order changed meanwhile. */
export function readPage(shared: SharedOrder, from: number, to: number): PageOfOrder | null {
  const version = Atomics.load(shared.state, versionAt)
  if (version % 2 !== 0) return null
  const total = shared.state[monitorsAt]!
  const rows = sliceOf(shared, Math.min(from, total), Math.min(to, total))
  return Atomics.load(shared.state, versionAt) === version ? { total, rows } : null
}

export interface PageOfOrder {
  readonly total: number
  readonly rows: Uint32Array
}

function sliceOf({ entries, counts, sequence, state }: SharedOrder, from: number, to: number): Uint32Array {
  const rows = new Uint32Array(Math.max(0, to - from))
  let before = 0
  let filled = 0
  for (let index = 0; index < state[blocksAt]! && filled < rows.length; index++) {
    const block = sequence[index]!
    const count = counts[block]!
    const first = Math.max(0, from - before)
    before += count
    if (first >= count) continue
    const part = entries.subarray(
      block * blockRows + first,
      block * blockRows + Math.min(count, first + rows.length - filled),
    )
    rows.set(part, filled)
    filled += part.length
  }
  return rows
}
