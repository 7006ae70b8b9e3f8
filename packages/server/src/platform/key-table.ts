// platform/key-table.ts: which monitor a push key belongs to. Only digests are kept, packed: sixteen bytes per
// key and a hash table of numbers, so that a million keys cost a few tens of bytes each. A key is found by its
// digest, and the digests are compared in full, in a time that depends neither on the key nor on how much of it
// is right.
import { hash } from 'node:crypto'
import { grown, newColumn } from './column.ts'

const wordsOfDigest = 4
const firstPlaces = 64
const empty = 0
const removed = 0xffff_ffff

export interface KeyOwner {
  readonly row: number
  /** It is the key before the present one. */
  readonly isPrevious: boolean
}

/** 128 bits of SHA-256. */
export function keyDigest(key: string): Uint32Array {
  const bytes = hash('sha256', key, 'buffer')
  return Uint32Array.from({ length: wordsOfDigest }, (_, word) => bytes.readUInt32LE(word * 4))
}

export class KeyTable {
  /** By place: the digest, and whose it is (the row times two, plus one for a previous key). */
  #digests = newColumn(Uint32Array, firstPlaces * wordsOfDigest)
  #owners = newColumn(Uint32Array, firstPlaces)
  readonly #free: number[] = []
  #places = 0
  /** Open addressing: a place plus one, or empty, or removed. */
  #slots = new Uint32Array(firstPlaces * 2)
  #usedSlots = 0
  /** The places of each row's keys; nearly every row has one. */
  #placeOf = newColumn(Uint32Array, 0)
  readonly #previousOf = new Map<number, number>()

  growFor(rows: number): void {
    this.#placeOf = grown(this.#placeOf, rows)
  }

  /** The row that already has this key, which is then not added; null if it was added. */
  add(digest: Uint32Array, row: number, isPrevious: boolean): number | null {
    const known = this.find(digest)
    if (known !== null) return known.row
    if ((this.#usedSlots + 1) * 2 > this.#slots.length) this.#rebuild()
    const place = this.#free.pop() ?? this.#places++
    if (place >= this.#owners.length) {
      this.#owners = grown(this.#owners, place * 2)
      this.#digests = grown(this.#digests, place * 2 * wordsOfDigest)
    }
    this.#digests.set(digest, place * wordsOfDigest)
    this.#owners[place] = row * 2 + Number(isPrevious)
    this.#insert(place)
    if (isPrevious) this.#previousOf.set(row, place)
    else this.#placeOf[row] = place + 1
    return null
  }

  find(digest: Uint32Array): KeyOwner | null {
    const mask = this.#slots.length - 1
    for (let slot = digest[0]! & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot]!
      if (held === empty) return null
      if (held === removed || !this.#isAt(held - 1, digest)) continue
      const owner = this.#owners[held - 1]!
      return { row: Math.floor(owner / 2), isPrevious: owner % 2 === 1 }
    }
  }

  /** Forgets all keys of a row. */
  remove(row: number): void {
    const place = (this.#placeOf[row] ?? 0) - 1
    if (place >= 0) {
      this.#placeOf[row] = 0
      this.#drop(place)
    }
    const previous = this.#previousOf.get(row)
    if (previous === undefined) return
    this.#previousOf.delete(row)
    this.#drop(previous)
  }

  #isAt(place: number, digest: Uint32Array): boolean {
    let different = 0
    for (let word = 0; word < wordsOfDigest; word++)
      different |= this.#digests[place * wordsOfDigest + word]! ^ digest[word]!
    return different === 0
  }

  #insert(place: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#digests[place * wordsOfDigest]! & mask
    while (this.#slots[slot] !== empty) slot = (slot + 1) & mask
    this.#slots[slot] = place + 1
    this.#usedSlots++
  }

  #drop(place: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#digests[place * wordsOfDigest]! & mask
    while (this.#slots[slot] !== place + 1) slot = (slot + 1) & mask
    this.#slots[slot] = removed
    this.#free.push(place)
  }

  /** With twice the room, and without the slots of removed keys. */
  #rebuild(): void {
    const kept = this.#slots.filter((held) => held !== empty && held !== removed)
    this.#slots = new Uint32Array(Math.max(firstPlaces * 2, 2 ** Math.ceil(Math.log2((kept.length + 1) * 4))))
    this.#usedSlots = 0
    for (const held of kept) this.#insert(held - 1)
  }
}
