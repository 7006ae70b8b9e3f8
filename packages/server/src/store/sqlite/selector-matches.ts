// store/sqlite/selector-matches.ts: which sets of labels a selector matches, for the selectors that were used last. What
// a set holds never changes, so a selector is evaluated once on each; pages after the first only look numbers up.
import { grown } from '../../platform/column.ts'
import { forgetOldest } from '../../platform/forget-oldest.ts'
import { type Labels, matchesSelector, type Selector } from '../selector.ts'

const selectorsKept = 16

/** A set of labels as it is kept. */
export interface LabelSetRow {
  readonly number: number
  readonly body: string
}

export class SelectorMatch {
  readonly #selector: Selector
  readonly #sets = new Set<number>()
  #flags = new Uint8Array(0)
  /** Sets up to this number were evaluated; infinite when all were. */
  evaluatedUpTo = -1

  constructor(selector: Selector) {
    this.#selector = selector
  }

  /** The numbers of the sets that match. */
  get sets(): ReadonlySet<number> {
    return this.#sets
  }

  /** The same as a byte for each number, 1 for a match: SQLite looks up a row's number in it. */
  get flags(): Uint8Array {
    return this.#flags
  }

  get isComplete(): boolean {
    return this.evaluatedUpTo === Number.POSITIVE_INFINITY
  }

  evaluate({ number, body }: LabelSetRow): void {
    const matches = matchesSelector(JSON.parse(body) as Labels, this.#selector)
    if (!matches) return this.forget(number)
    if (number >= this.#flags.length) this.#flags = grown(this.#flags, (number + 1) * 2)
    this.#flags[number] = 1
    this.#sets.add(number)
  }

  forget(number: number): void {
    if (this.#sets.delete(number)) this.#flags[number] = 0
  }
}

export class SelectorMatches {
  readonly #matches = new Map<string, SelectorMatch>()

  /** What is known so far. */
  of(selector: Selector): SelectorMatch {
    const key = JSON.stringify(selector)
    const match = this.#matches.get(key) ?? new SelectorMatch(selector)
    // Set again, so that the one that was used longest ago comes first.
    this.#matches.delete(key)
    this.#matches.set(key, match)
    if (this.#matches.size > selectorsKept) forgetOldest(this.#matches)
    return match
  }

  /** There is a new set; its number may have been that of another one. */
  made(set: LabelSetRow): void {
    for (const match of this.#matches.values()) if (set.number <= match.evaluatedUpTo) match.evaluate(set)
  }

  removed(number: number): void {
    for (const match of this.#matches.values()) match.forget(number)
  }
}
