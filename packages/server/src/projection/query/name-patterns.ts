// projection/query/name-patterns.ts: names in large fleets follow patterns: with their numbers removed, a
// million names are a few hundred different ones. A text without digits is in all names of a pattern or in
// none, so it is searched once per pattern; a text with digits can only match where a name has its numbers.
import { grown, newColumn } from '../../platform/column.ts'
import { PackedCursor, type PackedStrings, placeOf } from '../../platform/packed-strings.ts'

/** Names with more patterns than that have no useful patterns; as many as two bytes can number. */
const mostPatterns = 65_536

/** The hash table is at most half full. */
const tableSize = mostPatterns * 2

/** Where the numbers begin in a pattern without any: beyond every name. */
const nowhere = 1 << 30

/** Stands for a number in the hash of a pattern; this byte never occurs in UTF-8. */
const numberMark = 0xff

export class NamePatterns {
  /** The pattern of each row. */
  of: Uint16Array
  /** Where an example name of each pattern is stored. It stays there even if its row is renamed. */
  readonly examples: number[] = []
  /** The number of bytes before the first number of each pattern; beyond every name if the pattern has no number. */
  readonly heads: number[] = []
  /** The number of bytes after the last number. */
  readonly tails: number[] = []
  #left: PackedCursor
  #right: PackedCursor
  /** Pattern numbers plus one, at the entry of their hash or the next free one; 0 is free. */
  readonly #table = new Uint32Array(tableSize)

  private constructor(names: PackedStrings) {
    this.of = newColumn(Uint16Array, names.starts.length)
    this.#left = new PackedCursor(names)
    this.#right = new PackedCursor(names)
  }

  /** Null if names follow too many patterns for this to be useful. */
  static find(names: PackedStrings): NamePatterns | null {
    const patterns = new NamePatterns(names)
    // Fleets often list patterns in rotation: the pattern that followed the last time is the first guess.
    const following = new Uint16Array(mostPatterns)
    let before = 0
    for (let row = 0; row < names.starts.length; row++) {
      const pattern = patterns.#patternOf(placeOf(names, row), following[before]!)
      if (pattern === mostPatterns) return null
      patterns.of[row] = pattern
      following[before] = pattern
      before = pattern
    }
    return patterns
  }

  /** These rows were renamed. False if there are now too many patterns for this to be useful. */
  amend(names: PackedStrings, rows: Uint32Array): boolean {
    this.#left = new PackedCursor(names)
    this.#right = new PackedCursor(names)
    this.of = grown(this.of, names.starts.length)
    for (const row of rows) {
      const pattern = this.#patternOf(placeOf(names, row), this.of[row]!)
      if (pattern === mostPatterns) return false
      this.of[row] = pattern
    }
    return true
  }

  /** The pattern of the name stored at this place: its row may have been renamed. */
  #patternOf(name: number, guess: number): number {
    if (guess < this.examples.length && this.#areAlike(name, this.examples[guess]!)) return guess
    let entry = this.#hash(name) & (tableSize - 1)
    for (; this.#table[entry] !== 0; entry = (entry + 1) & (tableSize - 1)) {
      const pattern = this.#table[entry]! - 1
      if (this.#areAlike(name, this.examples[pattern]!)) return pattern
    }
    const pattern = this.examples.length
    if (pattern < mostPatterns) this.#add(name)
    this.#table[entry] = pattern + 1
    return pattern
  }

  #add(name: number): void {
    const { bytes, start, end } = this.#left.moveToPlace(name)
    let first = start
    while (first < end && !isDigit(bytes[first]!)) first++
    let behind = end
    while (behind > first && !isDigit(bytes[behind - 1]!)) behind--
    this.examples.push(name)
    this.heads.push(first === end ? nowhere : first - start)
    this.tails.push(end - behind)
  }

  #hash(name: number): number {
    const { bytes, start, end } = this.#left.moveToPlace(name)
    let hash = 0
    for (let index = start; index < end; index++) {
      let byte = bytes[index]!
      if (isDigit(byte)) {
        byte = numberMark
        while (index + 1 < end && isDigit(bytes[index + 1]!)) index++
      }
      hash = Math.imul(hash ^ byte, 0x9e3779b1)
      hash ^= hash >>> 15
    }
    return hash
  }

  /** Whether two names differ in nothing but the digits of their numbers. */
  #areAlike(name: number, example: number): boolean {
    const { bytes: left, start: leftStart, end: leftEnd } = this.#left.moveToPlace(name)
    const { bytes: right, start: rightStart, end: rightEnd } = this.#right.moveToPlace(example)
    let one = leftStart
    let two = rightStart
    while (true) {
      while (one < leftEnd && two < rightEnd && left[one] === right[two]) {
        one++
        two++
      }
      const oneHasDigit = one < leftEnd && isDigit(left[one]!)
      const twoHasDigit = two < rightEnd && isDigit(right[two]!)
      // Both are at the same place of the pattern: inside a number if the previous byte is a digit.
      const inNumber = one > leftStart && isDigit(left[one - 1]!)
      if (!(oneHasDigit && twoHasDigit) && !(inNumber && (oneHasDigit || twoHasDigit)))
        return one === leftEnd && two === rightEnd
      while (one < leftEnd && isDigit(left[one]!)) one++
      while (two < rightEnd && isDigit(right[two]!)) two++
    }
  }
}

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}
