// platform/packed-map.ts: texts by name, as a Map has them, packed: a million entries take their bytes and about
// seventeen more each, and threads share them without a copy. Never changes once it is made.
import { PackedReader, type PackedStrings, PackedWriter } from './packed-strings.ts'
import { RowIndex, type RowTable } from './row-index.ts'

/** The entries as plain data, for another thread: a PackedMap itself cannot be sent. */
export interface PackedEntries {
  readonly count: number
  readonly names: PackedStrings
  readonly texts: PackedStrings
  readonly table: RowTable
}

export class PackedMap implements ReadonlyMap<string, string> {
  readonly packed: PackedEntries
  readonly #names: PackedReader
  readonly #texts: PackedReader
  readonly #index: RowIndex

  constructor(packed: PackedEntries) {
    this.packed = packed
    this.#names = new PackedReader(packed.names)
    this.#texts = new PackedReader(packed.texts)
    this.#index = new RowIndex(packed.table)
  }

  /** Of entries with one name, the last. */
  static of(entries: Iterable<readonly [string, string]>, expected = 0): PackedMap {
    const names = new PackedWriter()
    const texts = new PackedWriter()
    const index = new RowIndex(expected)
    for (const [name, text] of entries) {
      const row = index.find(name, names)
      if (row !== -1) texts.set(row, text)
      else {
        index.add(name, names.append(name), names)
        texts.append(text)
      }
    }
    return new PackedMap({
      count: names.count,
      names: names.finish(),
      texts: texts.finish(),
      table: index.table,
    })
  }

  /** The map itself if it is packed already. */
  static from(map: ReadonlyMap<string, string>): PackedMap {
    return map instanceof PackedMap ? map : PackedMap.of(map, map.size)
  }

  get size(): number {
    return this.packed.count
  }

  has(name: string): boolean {
    return this.#index.find(name, this.#names) !== -1
  }

  get(name: string): string | undefined {
    const row = this.#index.find(name, this.#names)
    return row === -1 ? undefined : this.#texts.get(row)
  }

  *keys(): Generator<string, undefined> {
    for (let row = 0; row < this.size; row++) yield this.#names.get(row)
  }

  *values(): Generator<string, undefined> {
    for (let row = 0; row < this.size; row++) yield this.#texts.get(row)
  }

  *entries(): Generator<[string, string], undefined> {
    for (let row = 0; row < this.size; row++) yield [this.#names.get(row), this.#texts.get(row)]
  }

  [Symbol.iterator](): Generator<[string, string], undefined> {
    return this.entries()
  }

  forEach(visit: (text: string, name: string, map: ReadonlyMap<string, string>) => void): void {
    for (const [name, text] of this) visit(text, name, this)
  }
}
