// fleet/shared-values.ts: values that monitors share, stored once: the distinct values of a part of their
// configuration, how many monitors have each, and the number of a value.
import type { Shared } from '../config/fleet-file/definition.ts'
import { grown, newColumn } from '../platform/column.ts'
import { RowIndex, type RowTexts } from '../platform/row-index.ts'
import { stableHash } from '../platform/string-hash.ts'
import { changedParts } from './arrangement.ts'

/** The parts that monitors share, and what changes when a monitor gets another value. */
export const sharedParts = {
  policies: changedParts.policy,
  recoveries: changedParts.recovery,
  notifications: changedParts.notify,
  maintenance: changedParts.maintenance,
  dependencies: changedParts.dependencies,
  tags: changedParts.description,
  labels: changedParts.description,
  // These are derived from the others, or change nothing that runs.
  credentials: 0,
  sources: 0,
} as const
export type SharedPart = keyof typeof sharedParts
export const sharedPartNames = Object.keys(sharedParts) as SharedPart[]

/** Distinct values, appended in place: all holders of the list see the new ones. */
export class SharedValues {
  readonly #values: unknown[]
  /** How many monitors have each value. */
  #uses: Uint32Array
  /** By the values' JSON; built on first use. */
  #index: RowIndex | null = null
  readonly #texts: RowTexts = {
    is: (number, text) => this.#textOf(number) === text,
    hash: (number) => stableHash(this.#textOf(number)),
  }

  constructor({ values, of }: Shared<unknown>, present: Uint8Array) {
    this.#values = values as unknown[]
    this.#uses = newColumn(Uint32Array, values.length + 16)
    for (let row = 0; row < present.length; row++) if (present[row] === 1) this.#uses[of[row]!]! += 1
  }

  /** A monitor gets another value; null: it is added or removed. */
  moveUse(from: number | null, to: number | null): void {
    if (from !== null) this.#uses[from]! -= 1
    if (to === null) return
    if (to >= this.#uses.length) this.#uses = grown(this.#uses, to * 2)
    this.#uses[to]! += 1
  }

  /** Whether a monitor has a matching value. */
  someUsed(isMeant: (value: unknown) => boolean): boolean {
    return this.#values.some((value, number) => this.#uses[number]! > 0 && isMeant(value))
  }

  numberOf(value: unknown): number {
    const index = this.#index ?? this.#makeIndex()
    const text = JSON.stringify(value)
    const known = index.find(text, this.#texts)
    if (known !== -1) return known
    const number = this.#values.push(value) - 1
    index.add(text, number, this.#texts)
    return number
  }

  /** An omitted value and an equivalent explicit one have different numbers. */
  areEqual(one: number, other: number): boolean {
    return this.#textOf(one) === this.#textOf(other)
  }

  #makeIndex(): RowIndex {
    const index = new RowIndex(this.#values.length)
    for (const number of this.#values.keys()) index.add(this.#textOf(number), number, this.#texts)
    this.#index = index
    return index
  }

  #textOf(number: number): string {
    return JSON.stringify(this.#values[number])
  }
}
