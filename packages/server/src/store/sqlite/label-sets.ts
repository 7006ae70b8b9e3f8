// store/sqlite/label-sets.ts: every distinct set of labels once, under a number that rows refer to. Counts who refers to
// a set: a set without users is removed, and its number given to another. Four bytes per set are kept in memory.
import type { DatabaseSync } from 'node:sqlite'
import { grown } from '../../platform/column.ts'
import { forgetOldest } from '../../platform/forget-oldest.ts'
import { stableHash } from '../../platform/string-hash.ts'
import type { Selector } from '../selector.ts'
import { checksum, requireSum } from './checksum.ts'
import { type LabelSetRow, type SelectorMatch, SelectorMatches } from './selector-matches.ts'
import { storeError } from './sqlite-errors.ts'

/** The set without any label: it is always there. */
export const noLabels = { number: 0, body: '{}' }

const textsKept = 10_000
/** In one call, so that no commit waits long: some ten milliseconds. */
const evaluatedAtOnce = 10_000

interface References {
  resources: number
  past: number
}

export class LabelSets {
  readonly #selectors = new SelectorMatches()
  /** Resources by the number of their set. */
  #users = new Uint32Array(64)
  #highest = 0
  #unusedNumbers: number[] = []
  readonly #texts = new Map<number, string>()
  readonly #numbers = new Map<string, number>()
  #total: References = { resources: 0, past: 0 }
  /** Sets that the open transaction makes, and removes. */
  readonly #made = new Map<string, number>()
  readonly #removed: LabelSetRow[] = []
  readonly #changed = new Map<number, References>()
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      find: database.prepare('SELECT number FROM label_set WHERE hash = ? AND body = ?'),
      read: database.prepare('SELECT number, sum, body FROM label_set WHERE number = ?'),
      following: database.prepare(
        'SELECT number, sum, body FROM label_set WHERE number > ? ORDER BY number LIMIT ?',
      ),
      make: database.prepare('INSERT INTO label_set VALUES (?, ?, 0, 0, ?, ?)'),
      count: database.prepare(
        'UPDATE label_set SET users = users + ?, past_users = past_users + ? WHERE number = ?',
      ),
      unused: database.prepare(
        'SELECT number, body FROM label_set WHERE users = 0 AND past_users = 0 AND number > 0 LIMIT ?',
      ),
      remove: database.prepare('DELETE FROM label_set WHERE number = ?'),
    }
    this.#load(database)
  }

  /** How many rows there are, of resources and of their past. */
  get total(): Readonly<References> {
    return this.#total
  }

  usersOf(number: number): number {
    return this.#users[number] ?? 0
  }

  /** The number of a set, which is made if there is none. */
  numberOf(body: string): number {
    if (body === noLabels.body) return noLabels.number
    const known = this.#made.get(body) ?? this.#numbers.get(body) ?? this.#find(body)
    if (known !== undefined) return known
    const number = this.#nextNumber()
    this.#sql.make.run(number, stableHash(body), checksum(number, body), body)
    this.#made.set(body, number)
    return number
  }

  /** So many more rows refer to the set, or fewer. */
  count(number: number, resources: number, past: number): void {
    const changed = this.#changed.get(number)
    if (changed === undefined) this.#changed.set(number, { resources, past })
    else {
      changed.resources += resources
      changed.past += past
    }
  }

  /** Writes what was counted: once for each set, however many rows of a transaction refer to it. */
  writeCounts(): void {
    for (const [number, { resources, past }] of this.#changed)
      if (resources !== 0 || past !== 0) this.#sql.count.run(resources, past, number)
  }

  textsOf(numbers: ReadonlySet<number>): Map<number, string> {
    const texts = new Map<number, string>()
    for (const number of numbers) texts.set(number, this.#textOf(number))
    return texts
  }

  /** Null when it takes longer: to be asked again. */
  matching(selector: Selector): SelectorMatch | null {
    const match = this.#selectors.of(selector)
    if (match.isComplete) return match
    const sets = this.#sql.following.all(match.evaluatedUpTo, evaluatedAtOnce) as unknown as KeptSet[]
    for (const set of sets) match.evaluate(checked(set))
    const last = sets.length < evaluatedAtOnce ? undefined : sets.at(-1)
    match.evaluatedUpTo = last?.number ?? Number.POSITIVE_INFINITY
    return match.isComplete ? match : null
  }

  /** After the counts are written. */
  retain(rows: number): number {
    const unused = this.#sql.unused.all(rows) as unknown as LabelSetRow[]
    for (const set of unused) {
      this.#sql.remove.run(set.number)
      this.#removed.push(set)
    }
    return unused.length
  }

  settle(): void {
    for (const [body, number] of this.#made) {
      if (number === this.#unusedNumbers.at(-1)) this.#unusedNumbers.pop()
      this.#highest = Math.max(this.#highest, number)
      this.#keepText(number, body)
      this.#selectors.made({ number, body })
    }
    for (const { number, body } of this.#removed) {
      this.#unusedNumbers.push(number)
      this.#texts.delete(number)
      this.#numbers.delete(body)
      this.#selectors.removed(number)
    }
    for (const [number, { resources, past }] of this.#changed) this.#add(number, resources, past)
    this.discard()
  }

  discard(): void {
    this.#made.clear()
    this.#removed.length = 0
    this.#changed.clear()
  }

  /** Numbers are taken from the end of the unused ones, one for each set that the transaction makes. */
  #nextNumber(): number {
    const taken = this.#made.size
    const unused = this.#unusedNumbers.length
    return taken < unused ? this.#unusedNumbers[unused - 1 - taken]! : this.#highest + 1 + taken - unused
  }

  #find(body: string): number | undefined {
    const found = this.#sql.find.get(stableHash(body), body) as { number: number } | undefined
    if (found !== undefined) this.#keepText(found.number, body)
    return found?.number
  }

  #textOf(number: number): string {
    const known = this.#texts.get(number)
    if (known !== undefined) return known
    const found = this.#sql.read.get(number) as KeptSet | undefined
    if (found === undefined) throw storeError('corrupt', `(label_set ${number} is missing)`)
    const { body } = checked(found)
    this.#keepText(number, body)
    return body
  }

  #keepText(number: number, body: string): void {
    this.#texts.set(number, body)
    this.#numbers.set(body, number)
    if (this.#texts.size > textsKept) forgetOldest(this.#texts)
    if (this.#numbers.size > textsKept) forgetOldest(this.#numbers)
  }

  #add(number: number, resources: number, past: number): void {
    if (number >= this.#users.length) this.#users = grown(this.#users, (number + 1) * 2)
    this.#users[number]! += resources
    this.#total = { resources: this.#total.resources + resources, past: this.#total.past + past }
  }

  #load(database: DatabaseSync): void {
    const sets = database.prepare('SELECT number, users, past_users AS past FROM label_set ORDER BY number')
    for (const row of sets.iterate()) {
      const { number, users, past } = row as { number: number; users: number; past: number }
      for (let unused = this.#highest + 1; unused < number; unused++) this.#unusedNumbers.push(unused)
      this.#highest = number
      this.#add(number, users, past)
    }
  }
}

interface KeptSet extends LabelSetRow {
  readonly sum: number
}

function checked(set: KeptSet): LabelSetRow {
  requireSum('label_set', set.number, set.body, set.sum)
  return set
}
