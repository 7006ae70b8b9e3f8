// resources/selector.ts: which resources a list shows, by their labels: clauses that must all hold, separated by commas,
// with the meaning that kubectl gives them. A resource without the label matches != and notin. Selectors that mean the
// same have the same canonical text, which cursors bind to.
export const maxSelectorBytes = 1_024
export const maxSelectorClauses = 16

/** The values that the label may have, or must not have; null where any value will do. */
interface Clause {
  readonly key: string
  readonly isNegated: boolean
  readonly values: ReadonlySet<string> | null
}

export class SelectorMistake {
  /** The character of the text where it cannot be read any further, from 1. */
  readonly position: number
  /** Goes after "The selector". */
  readonly message: string
  constructor(index: number, message: string) {
    this.position = index + 1
    this.message = `${message} (character ${this.position})`
  }
}

export class Selector {
  readonly #clauses: readonly Clause[]
  /** The canonical form. */
  readonly text: string

  constructor(clauses: readonly Clause[]) {
    this.#clauses = clauses
    this.text = [...new Set(clauses.map(canonicalClause))].sort().join(',')
  }

  matches(labels: Readonly<Record<string, string>>): boolean {
    return this.#clauses.every(({ key, isNegated, values }) => {
      const label = Object.hasOwn(labels, key) ? labels[key] : undefined
      const holds = label !== undefined && (values === null || values.has(label))
      return holds !== isNegated
    })
  }
}

/** Null for an empty one, which selects everything. */
export function parseSelector(text: string): Selector | SelectorMistake | null {
  const bytes = Buffer.from(text)
  if (bytes.length > maxSelectorBytes)
    return new SelectorMistake(bytes.toString('utf8', 0, maxSelectorBytes).length, 'is longer than 1 KiB')
  const reader = new SelectorReader(text)
  if (reader.isAtEnd()) return null
  const clauses: Clause[] = []
  for (;;) {
    if (clauses.length === maxSelectorClauses)
      return reader.mistake(`has more than ${maxSelectorClauses} clauses`)
    const clause = reader.clause()
    if (clause instanceof SelectorMistake) return clause
    clauses.push(clause)
    if (reader.isAtEnd()) return new Selector(clauses)
    if (!reader.takes(',')) return reader.mistake('lacks a comma between two clauses')
  }
}

const blanks = /[ \t]*/y
const keyForm = /[A-Za-z0-9][A-Za-z0-9._/-]*/y
const longestKey = 63
/** What separates clauses and values cannot stand in a value: a forgotten comma must not become a part of one. */
const valueForm = /[^,()=!]*/y
const membership = /(not)?in(?![A-Za-z0-9._/-])/y

class SelectorReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#take(blanks)
    return this.#at === this.#text.length
  }

  takes(word: string): boolean {
    this.#take(blanks)
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  mistake(message: string): SelectorMistake {
    return new SelectorMistake(this.#at, message)
  }

  clause(): Clause | SelectorMistake {
    const isAbsence = this.takes('!')
    this.#take(blanks)
    const start = this.#at
    const key = this.#take(keyForm)
    if (key === '') return this.mistake('lacks the key of a label')
    if (key.length > longestKey)
      return new SelectorMistake(start, `has a key of more than ${longestKey} characters`)
    if (isAbsence || this.#isAtClauseEnd()) return { key, isNegated: isAbsence, values: null }
    if (this.takes('!=')) return this.#equality(key, true)
    if (this.takes('=')) return this.#equality(key, false)
    const word = this.#take(membership)
    if (word === '') return this.mistake('needs =, !=, in or notin between a key and its value')
    return this.#membership(key, word === 'notin')
  }

  #equality(key: string, isNegated: boolean): Clause | SelectorMistake {
    const value = this.#value()
    if (this.#isAtClauseEnd()) return { key, isNegated, values: new Set([value]) }
    return this.mistake(`has a ${this.#text[this.#at]} that cannot stand in a value`)
  }

  #membership(key: string, isNegated: boolean): Clause | SelectorMistake {
    if (!this.takes('(')) return this.mistake('needs values in parentheses after in and notin')
    if (this.takes(')')) return new SelectorMistake(this.#at - 1, 'has no value between its parentheses')
    const values = new Set<string>()
    do values.add(this.#value())
    while (this.takes(','))
    if (this.takes(')')) return { key, isNegated, values }
    return this.mistake('lacks a comma or a closing parenthesis')
  }

  #value(): string {
    this.#take(blanks)
    return this.#take(valueForm).replace(/[ \t]+$/, '')
  }

  #isAtClauseEnd(): boolean {
    return this.isAtEnd() || this.#text[this.#at] === ','
  }

  #take(form: RegExp): string {
    form.lastIndex = this.#at
    const [found = ''] = form.exec(this.#text) ?? []
    this.#at += found.length
    return found
  }
}

function canonicalClause({ key, isNegated, values }: Clause): string {
  if (values === null) return isNegated ? `!${key}` : key
  const [first, ...others] = [...values].sort()
  if (others.length === 0) return `${key}${isNegated ? '!=' : '='}${first}`
  return `${key} ${isNegated ? 'notin' : 'in'} (${[first, ...others].join(',')})`
}
