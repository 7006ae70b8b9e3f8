// store/sqlite/selector-matches.ts: which label sets a selector matches, for the most recently used selectors. The
// content of a set never changes, so a selector is evaluated once per set; later pages only look up numbers.
import { grown } from '../../platform/column.ts'
import { forgetOldest } from '../../platform/forget-oldest.ts'
import { type Labels, matchesSelector, type Selector } from '../selector.ts'

const selectorsKept = 16

/** A label set in stored form. */
export interface LabelSetRow {
  readonly number: number
  readonly body: string
}

export class SelectorMatch {
  readonly #selector: Selector
  readonly #sets = new Set<number>()
  #flags = new Uint8Array(0)
  /** Sets up to this number were evaluated; infinite if all were. */
  evaluatedUpTo = -1

  constructor(selector: Selector) {
    this.#selector = selector
  }

  /** The numbers of the matching sets. */
  get sets(): ReadonlySet<number> {
    return this.#sets
  }

  /** The same with one byte per number, 1 for a match: SQLite looks up the number of a row in it. */
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

  /** The matches known so far. */
  of(selector: Selector): SelectorMatch {
    const key = JSON.stringify(selector)
    const match = this.#matches.get(key) ?? new SelectorMatch(selector)
    // Reinserted, so that the least recently used one comes first.
    this.#matches.delete(key)
    this.#matches.set(key, match)
    if (this.#matches.size > selectorsKept) forgetOldest(this.#matches)
    return match
  }

  /** Evaluates a new set; its number may be a reused one. */
  made(set: LabelSetRow): void {
    for (const match of this.#matches.values()) if (set.number <= match.evaluatedUpTo) match.evaluate(set)
  }

  removed(number: number): void {
    for (const match of this.#matches.values()) match.forget(number)
  }
}
