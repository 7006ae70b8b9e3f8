// import/fields.ts: reads a mapping of a foreign file and remembers which members were read. Closing the
// mapping notes the unread ones, so an unknown field is never lost silently.
import type { Notes } from './notes.ts'

/** Why a known field is left out. */
export const noCounterpart = 'has no counterpart in a fleet file'

export const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Looks up a text of the source in a table; the text may be the name of a built-in member, such as constructor. */
export function entryOf<Entry>(table: Readonly<Record<string, Entry>>, key: string): Entry | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** Whether a member is present but has no meaning. */
export type IsUnset = (value: unknown) => boolean

const isAbsent: IsUnset = (value) => value === null || value === undefined

/** For sources that write every field of every monitor, used or not. */
export const isBlank: IsUnset = (value) =>
  isAbsent(value) ||
  value === '' ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value as object).length === 0)

/** The booleans of YAML 1.1, which Go programs still accept. */
const truthValues: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'off'].map((word) => [word, false] as const),
])

export class Fields {
  readonly subject: string
  readonly notes: Notes
  readonly #members: Record<string, unknown>
  readonly #path: string
  readonly #isUnset: IsUnset
  readonly #read = new Set<string>()
  readonly #inner: Fields[] = []
  #passed: ReadonlySet<string> = new Set()

  constructor(
    members: Record<string, unknown>,
    subject: string,
    notes: Notes,
    isUnset: IsUnset = isAbsent,
    path = '',
  ) {
    this.#members = members
    this.subject = subject
    this.notes = notes
    this.#isUnset = isUnset
    this.#path = path
  }

  get keys(): string[] {
    return Object.keys(this.#members)
  }

  /** Undefined if the member is unset. */
  take(key: string): unknown {
    this.#read.add(key)
    const value = Object.hasOwn(this.#members, key) ? this.#members[key] : undefined
    return isAbsent(value) ? undefined : value
  }

  text(key: string): string | undefined {
    const value = this.take(key)
    if (typeof value === 'string') return value === '' ? undefined : value.toWellFormed()
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
    if (value !== undefined && !this.#isUnset(value)) this.note(key, 'is not text')
    return undefined
  }

  number(key: string): number | undefined {
    const value = this.take(key)
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    if (typeof number === 'number' && Number.isFinite(number)) return number
    if (value !== undefined && value !== '') this.note(key, 'is not a number')
    return undefined
  }

  flag(key: string): boolean | undefined {
    const value = this.take(key)
    if (typeof value === 'boolean') return value
    if (value === 0 || value === 1) return value === 1
    const spelled = typeof value === 'string' ? truthValues.get(value.toLowerCase()) : undefined
    if (spelled === undefined && value !== undefined && value !== '')
      this.note(key, 'is neither true nor false')
    return spelled
  }

  list(key: string): unknown[] {
    const value = this.take(key)
    if (Array.isArray(value)) return value
    if (value !== undefined && !this.#isUnset(value)) this.note(key, 'is not a list')
    return []
  }

  /** Accepts a single text instead of a list. */
  texts(key: string): string[] {
    const value = this.take(key)
    const texts: string[] = []
    for (const item of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
      if (typeof item === 'string' || typeof item === 'number') texts.push(String(item).toWellFormed())
      else this.note(key, 'has an entry that is not text')
    }
    return texts
  }

  /** The members of a mapping of texts, such as headers. */
  textMap(key: string): Record<string, string> {
    const inner = this.fields(key)
    const entries = inner?.keys.flatMap((name) => {
      const value = inner.take(name)
      if (['string', 'number', 'boolean'].includes(typeof value)) return [[name, String(value)] as const]
      if (value !== undefined) inner.note(name, 'is not text')
      return []
    })
    return Object.fromEntries(entries ?? [])
  }

  /** A nested mapping; its unread members are noted with this one. */
  fields(key: string): Fields | null {
    const value = this.take(key)
    if (isMapping(value)) return this.within(key, value)
    if (value !== undefined && !this.#isUnset(value)) this.note(key, 'is not a mapping')
    return null
  }

  /** The mappings of a list. */
  items(key: string): Fields[] {
    return this.list(key).flatMap((item, index) => {
      if (isMapping(item)) return this.within(`${key}[${index}]`, item)
      this.note(`${key}[${index}]`, 'is not a mapping')
      return []
    })
  }

  /** The mappings of a list as separate subjects, each of which the caller closes. */
  subjects(key: string, nameOf: (members: Record<string, unknown>, index: number) => string): Fields[] {
    return this.list(key).flatMap((item, index) => {
      if (isMapping(item)) return new Fields(item, nameOf(item, index), this.notes, this.#isUnset)
      this.note(`${key}[${index}]`, 'is not carried over: it is not a mapping')
      return []
    })
  }

  within(key: string, members: Record<string, unknown>): Fields {
    const inner = new Fields(members, this.subject, this.notes, this.#isUnset, `${this.#path}${key}.`)
    this.#inner.push(inner)
    return inner
  }

  note(key: string, reason: string): void {
    this.notes.add(this.subject, (this.#path + key).replace(/\.$/, ''), reason)
  }

  /** Known fields with no place in a fleet file: noted if they are set. */
  refuse(reason: string, ...keys: string[]): void {
    for (const key of keys) if (!isBlank(this.take(key))) this.note(key, reason)
  }

  /** Ignores fields that do not affect what is monitored, such as the order of a list. */
  pass(...keys: string[]): void {
    for (const key of keys) this.#read.add(key)
  }

  /** The same for a list that many subjects share. */
  passAll(keys: ReadonlySet<string>): void {
    this.#passed = keys
  }

  /** The same, if the field has its usual value. */
  passWhen(key: string, usual: unknown): void {
    if (this.#members[key] === usual) this.#read.add(key)
  }

  close(): void {
    for (const key in this.#members) {
      if (this.#read.has(key) || this.#passed.has(key) || this.#isUnset(this.#members[key])) continue
      this.note(key, 'is not known to this import')
    }
    for (const inner of this.#inner) inner.close()
  }
}
