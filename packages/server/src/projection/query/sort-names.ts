// projection/query/sort-names.ts: sorts a whole fleet into list order: code points of the name, then numeric id. UTF-8
// bytes sort like code points, so a radix sort from the first byte on works directly on the packed names and creates no
// strings. Takes time linear in the fleet: for a large one it must not run in the controller's thread.
import { chunkBits, chunkBytes, PackedCursor, type PackedStrings } from '../../platform/packed-strings.ts'

/** Shorter runs are sorted by insertion. */
const shortRun = 24

const offsetMask = chunkBytes - 1

/** The key of a name that has ended: sorts before every byte, whose key is its value plus one. */
const ended = 0
const keyCount = 257

/**
 * The rows that hold a monitor, in order. Meanwhile the controller may add and remove monitors, but must not rename any.
 */
export function orderByName(names: PackedStrings, present: Uint8Array, numericId: Uint32Array): Uint32Array {
  const rows = presentRows(present)
  new NameSorter(names, numericId, rows).sort(0, rows.length, 0)
  return rows
}

/** Looks at each row once: the number of present rows may change between two passes. */
function presentRows(present: Uint8Array): Uint32Array {
  const rows = new Uint32Array(present.length)
  let count = 0
  for (let row = 0; row < present.length; row++) if (present[row]) rows[count++] = row
  return rows.slice(0, count)
}

class NameSorter {
  readonly #chunks: Uint8Array[]
  /** Where the name of each row begins, and its length: read once, since sorting needs them repeatedly. */
  readonly #starts: Uint32Array
  readonly #lengths: Uint32Array
  readonly #numericId: Uint32Array
  readonly #rows: Uint32Array
  readonly #spread: Uint32Array
  readonly #keys: Uint16Array

  constructor(names: PackedStrings, numericId: Uint32Array, rows: Uint32Array) {
    const { chunks, starts } = names
    this.#chunks = chunks.map((chunk) => new Uint8Array(chunk))
    this.#starts = new Uint32Array(starts.length)
    this.#lengths = new Uint32Array(starts.length)
    const cursor = new PackedCursor(names)
    for (let row = 0; row < starts.length; row++) {
      const { start, end } = cursor.moveTo(row)
      this.#starts[row] = ((starts[row]! & ~offsetMask) | start) >>> 0
      this.#lengths[row] = end - start
    }
    this.#numericId = numericId
    this.#rows = rows
    this.#spread = new Uint32Array(rows.length)
    this.#keys = new Uint16Array(rows.length)
  }

  /** Sorts a run whose names agree up to this depth. Recursion is at most as deep as the longest name has bytes. */
  sort(from: number, to: number, depth: number): void {
    if (to - from <= shortRun) return this.#sortShort(from, to, depth)
    depth = this.#commonEnd(from, to, depth)
    const ends = this.#distribute(from, to, depth)
    if (ends[ended]! > 1) this.#sortById(from, from + ends[ended]!)
    for (let key = ended + 1; key < keyCount; key++) {
      const first = ends[key - 1]!
      const last = ends[key]!
      if (last - first > 1) this.sort(from + first, from + last, depth + 1)
    }
  }

  /** Orders a run by the byte at this depth; returns where each key's part ends, relative to the start of the run. */
  #distribute(from: number, to: number, depth: number): Uint32Array {
    const places = new Uint32Array(keyCount + 1)
    for (let index = from; index < to; index++) {
      const key = this.#keyAt(this.#rows[index]!, depth)
      this.#keys[index] = key
      places[key + 1] = places[key + 1]! + 1
    }
    for (let key = 0; key < keyCount; key++) places[key + 1] = places[key + 1]! + places[key]!
    for (let index = from; index < to; index++) {
      const key = this.#keys[index]!
      this.#spread[places[key]!] = this.#rows[index]!
      places[key] = places[key]! + 1
    }
    this.#rows.set(this.#spread.subarray(0, to - from), from)
    return places
  }

  /** The first depth at which names of the run may differ: names of a fleet share long prefixes. */
  #commonEnd(from: number, to: number, depth: number): number {
    const first = this.#rows[from]!
    let end = this.#lengths[first]!
    for (let index = from + 1; index < to && end > depth; index++) {
      const row = this.#rows[index]!
      let same = depth
      while (same < end && this.#keyAt(row, same) === this.#keyAt(first, same)) same++
      end = same
    }
    return Math.max(end, depth)
  }

  #sortShort(from: number, to: number, depth: number): void {
    for (let index = from + 1; index < to; index++) {
      const row = this.#rows[index]!
      let place = index
      while (place > from && this.#compare(this.#rows[place - 1]!, row, depth) > 0) {
        this.#rows[place] = this.#rows[place - 1]!
        place--
      }
      this.#rows[place] = row
    }
  }

  #sortById(from: number, to: number): void {
    const ids = this.#numericId
    this.#rows.subarray(from, to).sort((left, right) => ids[left]! - ids[right]!)
  }

  #compare(left: number, right: number, depth: number): number {
    for (; ; depth++) {
      const key = this.#keyAt(left, depth)
      const difference = key - this.#keyAt(right, depth)
      if (difference !== 0) return difference
      if (key === ended) return this.#numericId[left]! - this.#numericId[right]!
    }
  }

  #keyAt(row: number, depth: number): number {
    if (depth >= this.#lengths[row]!) return ended
    const start = this.#starts[row]!
    return this.#chunks[start >>> chunkBits]![(start & offsetMask) + depth]! + 1
  }
}
