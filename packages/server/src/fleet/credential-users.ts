// fleet/credential-users.ts: which monitors use a credential, found without walking over the fleet. Monitors that use the
// same credentials share one list of names; the rows of each list are chained through two columns, so that changing a
// monitor costs the same however many there are. Built on first use: most fleets never need it.
import type { Shared } from '../config/fleet-file/definition.ts'

const none = -1

export class CredentialUsers {
  readonly #lists: readonly string[]
  /** The numbers of the lists that contain a name. */
  readonly #listsWith = new Map<string, number[]>()
  /** The first row of each list, and the neighbours of each row in its chain. */
  readonly #first: number[] = []
  #next = new Int32Array(0)
  #previous = new Int32Array(0)

  constructor({ values, of }: Shared<string>, present: Uint8Array) {
    this.#lists = values
    // Backwards, since a row is added at the front of its chain.
    for (let row = present.length - 1; row >= 0; row--) if (present[row] === 1) this.#add(row, of[row] ?? 0)
  }

  /** A monitor moves to another list of names; null: it is added or removed. */
  move(row: number, from: number | null, to: number | null): void {
    if (from !== null) this.#remove(row, from)
    if (to !== null) this.#add(row, to)
  }

  /** The rows of monitors with this name in their list. */
  *rowsWith(name: string): Generator<number> {
    for (const list of this.#listsWith.get(name) ?? [])
      for (let row = this.#first[list] ?? none; row !== none; row = this.#next[row] ?? none) yield row
  }

  #add(row: number, list: number): void {
    const names = this.#lists[list] ?? ''
    if (names === '') return
    this.#makeRoom(row)
    if (this.#first[list] === undefined) this.#index(list, names)
    const follower = this.#first[list] ?? none
    this.#next[row] = follower
    this.#previous[row] = none
    if (follower !== none) this.#previous[follower] = row
    this.#first[list] = row
  }

  #remove(row: number, list: number): void {
    if ((this.#lists[list] ?? '') === '') return
    const [before, after] = [this.#previous[row] ?? none, this.#next[row] ?? none]
    if (before === none) this.#first[list] = after
    else this.#next[before] = after
    if (after !== none) this.#previous[after] = before
  }

  /** Lists are never removed, so this happens once per list. */
  #index(list: number, names: string): void {
    this.#first[list] = none
    for (const name of names.split('\n')) {
      const lists = this.#listsWith.get(name)
      if (lists === undefined) this.#listsWith.set(name, [list])
      else lists.push(list)
    }
  }

  #makeRoom(row: number): void {
    if (row < this.#next.length) return
    const longer = (column: Int32Array): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(Math.max(64, Math.ceil((row + 1) * 1.25)))
      grown.set(column)
      return grown
    }
    this.#next = longer(this.#next)
    this.#previous = longer(this.#previous)
  }
}
