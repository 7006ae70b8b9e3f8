// platform/key-table.ts: which monitor a push key belongs to. Only digests are kept, in a column: sixteen bytes
// per row, and a hash table of numbers, so that a million keys cost about thirty bytes each. A key is found by its
// digest, and the digests are compared in full, in a time that depends neither on the key nor on how much of it
// is right.
import { hash } from 'node:crypto'
import { grown, newColumn } from './column.ts'

const wordsOfDigest = 4
const firstSlots = 128
const empty = 0
const removed = 0xffff_ffff

export interface KeyOwner {
  readonly row: number
  /** It is the key before the present one. */
  readonly isPrevious: boolean
}

/** 128 bits of SHA-256. */
export type KeyDigest = Uint32Array

export function keyDigest(key: string): KeyDigest {
  const bytes = hash('sha256', key, 'buffer')
  const digest = new Uint32Array(wordsOfDigest)
  for (let word = 0; word < wordsOfDigest; word++) digest[word] = bytes.readUInt32LE(word * 4)
  return digest
}

export class KeyTable {
  /** The digest of each row's key, if it has one. */
  #digests = newColumn(Uint32Array, 0)
  /** The digests of keys before the present ones: few, and not for long. */
  readonly #previous = new Map<number, Uint32Array>()
  /** Open addressing: an owner (the row times two, plus one for a previous key) plus one, or empty, or removed. */
  #slots = newColumn(Uint32Array, firstSlots)
  /** Slots that are not empty. */
  #usedSlots = 0

  growFor(rows: number): void {
    this.#digests = grown(this.#digests, rows * wordsOfDigest)
  }

  /** The row that already has this key, which is then not added; null if it was added. */
  add(digest: KeyDigest, row: number, isPrevious: boolean): number | null {
    const known = this.find(digest)
    if (known !== null) return known.row
    if ((this.#usedSlots + 1) * 2 > this.#slots.length) this.#rebuild()
    if (isPrevious) this.#previous.set(row, digest)
    else this.#digests.set(digest, row * wordsOfDigest)
    this.#insert(digest, heldFor(row, isPrevious))
    return null
  }

  find(digest: KeyDigest): KeyOwner | null {
    const mask = this.#slots.length - 1
    for (let slot = digest[0]! & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot]!
      if (held === empty) return null
      if (held === removed || !areEqual(this.#digestOf(held), digest)) continue
      return { row: Math.floor((held - 1) / 2), isPrevious: held % 2 === 0 }
    }
  }

  /** Forgets all keys of a row. */
  remove(row: number): void {
    for (const isPrevious of [false, true]) this.#drop(heldFor(row, isPrevious))
    this.#previous.delete(row)
  }

  #digestOf(held: number): Uint32Array {
    const row = Math.floor((held - 1) / 2)
    const previous = held % 2 === 0 ? this.#previous.get(row) : undefined
    return previous ?? this.#digests.subarray(row * wordsOfDigest, (row + 1) * wordsOfDigest)
  }

  #insert(digest: Uint32Array, held: number): void {
    const mask = this.#slots.length - 1
    let slot = digest[0]! & mask
    while (this.#slots[slot] !== empty) slot = (slot + 1) & mask
    this.#slots[slot] = held
    this.#usedSlots++
  }

  /** Does nothing if the row has no such key. */
  #drop(held: number): void {
    const mask = this.#slots.length - 1
    for (let slot = this.#digestOf(held)[0]! & mask; this.#slots[slot] !== empty; slot = (slot + 1) & mask)
      if (this.#slots[slot] === held) this.#slots[slot] = removed
  }

  /** With twice the room, and without the slots of removed keys. */
  #rebuild(): void {
    const kept = this.#slots.filter((held) => held !== empty && held !== removed)
    const slots = Math.max(firstSlots, 2 ** Math.ceil(Math.log2((kept.length + 1) * 4)))
    this.#slots = newColumn(Uint32Array, slots)
    this.#usedSlots = 0
    for (const held of kept) this.#insert(this.#digestOf(held), held)
  }
}

/** What a slot holds for a key of a row. */
function heldFor(row: number, isPrevious: boolean): number {
  return row * 2 + Number(isPrevious) + 1
}

/** In a time that does not depend on how much is equal. */
function areEqual(one: Uint32Array, other: Uint32Array): boolean {
  let different = 0
  for (let word = 0; word < wordsOfDigest; word++) different |= one[word]! ^ other[word]!
  return different === 0
}
