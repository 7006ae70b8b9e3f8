// store/sqlite/label-sets.ts: every distinct label set once, under a number that rows refer to. The number of
// resources that use a set is counted only in memory: four bytes per set. A set that no present or past
// resource uses is removed, and its number is reused.
import type { DatabaseSync } from 'node:sqlite'
import { grown } from '../../platform/column.ts'
import { forgetOldest } from '../../platform/forget-oldest.ts'
import { stableHash } from '../../platform/string-hash.ts'
import type { Selector } from '../selector.ts'
import { storeError } from '../store-errors.ts'
import { checksum, requireSum } from './checksum.ts'
import { type LabelSetRow, type SelectorMatch, SelectorMatches } from './selector-matches.ts'

const textsKept = 10_000
/** Sets evaluated per call: takes some ten milliseconds, so that no commit waits long. */
const evaluatedAtOnce = 10_000

interface KeptSet extends LabelSetRow {
  readonly sum: number
}

export class LabelSets {
  readonly #selectors = new SelectorMatches()
  /** The number of resources that use each set. */
  #users = new Uint32Array(64)
  #resources = 0
  #highest = 0
  #freeNumbers: number[] = []
  /** Sets that no resource uses, and the change since which that is so. */
  readonly #unused = new Map<number, number>()
  readonly #texts = new Map<number, string>()
  readonly #numbers = new Map<string, number>()
  /** What the open transaction creates, removes and counts. */
  readonly #made = new Map<string, number>()
  readonly #removed: LabelSetRow[] = []
  readonly #counted = new Map<number, number>()
  readonly #sql

  constructor(database: DatabaseSync, lastChange: number) {
    this.#sql = {
      find: database.prepare('SELECT number FROM label_set WHERE hash = ? AND body = ?'),
      read: database.prepare('SELECT number, sum, body FROM label_set WHERE number = ?'),
      following: database.prepare(
        'SELECT number, sum, body FROM label_set WHERE number > ? ORDER BY number LIMIT ?',
      ),
      make: database.prepare('INSERT INTO label_set (number, hash, sum, body) VALUES (?, ?, ?, ?)'),
      remove: database.prepare('DELETE FROM label_set WHERE number = ?'),
    }
    this.#load(database, lastChange)
  }

  /** The number of resources. */
  get resources(): number {
    return this.#resources
  }

  usersOf(number: number): number {
    return this.#users[number] ?? 0
  }

  /** The number of a set, which is created if it is new. */
  numberOf(body: string): number {
    const known = this.#made.get(body) ?? this.#numbers.get(body) ?? this.#find(body)
    if (known !== undefined) return known
    const number = this.#nextNumber()
    this.#sql.make.run(number, stableHash(body), checksum(number, body), body)
    this.#made.set(body, number)
    return number
  }

  /** Adds to the number of resources that use the set; may be negative. */
  count(number: number, resources: number): void {
    this.#counted.set(number, (this.#counted.get(number) ?? 0) + resources)
  }

  textsOf(numbers: ReadonlySet<number>): Map<number, string> {
    const texts = new Map<number, string>()
    for (const number of numbers) texts.set(number, this.#textOf(number))
    return texts
  }

  /** Null if it takes longer: the caller asks again. */
  matching(selector: Selector): SelectorMatch | null {
    const match = this.#selectors.of(selector)
    if (match.isComplete) return match
    const sets = this.#sql.following.all(match.evaluatedUpTo, evaluatedAtOnce) as unknown as KeptSet[]
    for (const set of sets) match.evaluate(checked(set))
    const last = sets.length < evaluatedAtOnce ? undefined : sets.at(-1)
    match.evaluatedUpTo = last?.number ?? Number.POSITIVE_INFINITY
    return match.isComplete ? match : null
  }

  /** Removes sets that no resource uses, and no past version that ended at this change or later. */
  retain(pastFrom: number, rows: number): number {
    const before = this.#removed.length
    for (const [number, unusedSince] of this.#unused) {
      if (this.#removed.length - before === rows) break
      if (unusedSince >= pastFrom) continue
      this.#removed.push({ number, body: this.#textOf(number) })
      this.#sql.remove.run(number)
    }
    return this.#removed.length - before
  }

  settle(lastChange: number): void {
    for (const [body, number] of this.#made) this.#keep({ number, body })
    for (const { number, body } of this.#removed) this.#forget({ number, body })
    for (const [number, resources] of this.#counted) this.#add(number, resources, lastChange)
    this.discard()
  }

  discard(): void {
    this.#made.clear()
    this.#removed.length = 0
    this.#counted.clear()
  }

  #keep({ number, body }: LabelSetRow): void {
    if (number === this.#freeNumbers.at(-1)) this.#freeNumbers.pop()
    this.#highest = Math.max(this.#highest, number)
    this.#keepText(number, body)
    this.#selectors.made({ number, body })
  }

  #forget({ number, body }: LabelSetRow): void {
    this.#freeNumbers.push(number)
    this.#unused.delete(number)
    this.#texts.delete(number)
    this.#numbers.delete(body)
    this.#selectors.removed(number)
  }

  #add(number: number, resources: number, lastChange: number): void {
    if (number >= this.#users.length) this.#users = grown(this.#users, (number + 1) * 2)
    this.#users[number]! += resources
    this.#resources += resources
    if (this.#users[number] === 0) this.#unused.set(number, lastChange)
    else this.#unused.delete(number)
  }

  /** Free numbers are taken from the end, one per set that the transaction creates. */
  #nextNumber(): number {
    const taken = this.#made.size
    const free = this.#freeNumbers.length
    return taken < free ? this.#freeNumbers[free - 1 - taken]! : this.#highest + 1 + taken - free
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

  #load(database: DatabaseSync, lastChange: number): void {
    const sets = database.prepare('SELECT number FROM label_set ORDER BY number')
    for (const row of sets.iterate()) {
      const { number } = row as { number: number }
      for (let free = this.#highest + 1; free < number; free++) this.#freeNumbers.push(free)
      this.#highest = number
      this.#add(number, 0, lastChange)
    }
    const counts = database.prepare(`
      SELECT label_set AS number, count(*) AS resources FROM resource INDEXED BY resource_by_labels
      GROUP BY kind, label_set`)
    for (const row of counts.iterate()) {
      const { number, resources } = row as { number: number; resources: number }
      this.#add(number, resources, lastChange)
    }
  }
}

function checked(set: KeptSet): LabelSetRow {
  requireSum('label_set', set.number, set.body, set.sum)
  return set
}
