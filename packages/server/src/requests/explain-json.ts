// requests/explain-json.ts: finds everything that is wrong with a text that should be strict JSON. Each
// mistake has its JSON pointer, line and column. Slow and careful: strict-json.ts has already accepted every
// valid text. Messages never repeat the text, which may contain a secret.
import { v2 } from '@pulseward/contract'
import { pointerTo } from './json-pointer.ts'
import type { V2FieldError } from './v2-problem.ts'

export function explainJson(text: string): V2FieldError[] {
  return new SlowReader(text).mistakes()
}

/** Thrown when reading cannot continue. */
class Stop extends Error {}

const escapeForm = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const wordForm = /true|false|null/y

class SlowReader {
  readonly #text: string
  readonly #found: V2FieldError[] = []
  readonly #path: (string | number)[] = []
  #at = 0
  #depth = 0
  #line = 1
  #lineStart = 0

  constructor(text: string) {
    this.#text = text
  }

  mistakes(): V2FieldError[] {
    try {
      this.#skip()
      if (this.#at === this.#text.length) this.#stop('notJson', 'is empty')
      if (this.#text.startsWith('\ufeff'))
        this.#stop('notJson', 'begins with a byte order mark, which JSON does not have')
      this.#value()
      this.#skip()
      if (this.#at < this.#text.length) this.#stop('notJson', `goes on after its end, ${this.#place()}`)
    } catch (error) {
      if (!(error instanceof Stop)) throw error
    }
    return this.#found
  }

  #value(): void {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object())
      case '[':
        return this.#nested(() => this.#array())
      case '"':
        return void this.#string()
      default:
        if (!this.#skips(wordForm)) this.#number()
    }
  }

  #nested(read: () => void): void {
    if (++this.#depth > v2.limits.bodyDepth)
      this.#stop('tooDeep', `is nested deeper than ${v2.limits.bodyDepth} levels, ${this.#place()}`)
    this.#at++
    this.#skip()
    read()
    this.#depth--
  }

  #object(): void {
    const keys = new Set<string>()
    if (this.#takeOne('}')) return
    for (;;) {
      const at = this.#at
      const key = this.#text[at] === '"' ? this.#string() : this.#expected('a key in double quotes')
      this.#path.push(key)
      if (keys.has(key)) this.#say('duplicateKey', `is in the same object twice, again ${this.#place(at)}`)
      keys.add(key)
      this.#skip()
      if (!this.#takeOne(':')) this.#expected('a colon')
      this.#skip()
      this.#value()
      this.#path.pop()
      if (this.#isLast('}')) return
    }
  }

  #array(): void {
    if (this.#takeOne(']')) return
    for (let index = 0; ; index++) {
      this.#path.push(index)
      this.#value()
      this.#path.pop()
      if (this.#isLast(']')) return
    }
  }

  /** After a member: whether the container ends here or another member follows. */
  #isLast(end: '}' | ']'): boolean {
    this.#skip()
    if (this.#takeOne(end)) return true
    if (!this.#takeOne(',')) this.#expected(`a comma or ${end}`)
    this.#skip()
    return false
  }

  /** Written by hand: a regular expression that repeats over alternatives may run out of stack on a long text. */
  #string(): string {
    const begin = this.#at++
    for (;;) {
      const character = this.#text.charCodeAt(this.#at)
      // NaN at the end of the text. Control characters are not allowed in a string.
      if (!(character >= 0x20))
        this.#stop('notJson', `has an unterminated string, which begins ${this.#place(begin)}`)
      if (character === 0x5c) {
        if (!this.#skips(escapeForm)) this.#expected('an escape such as \\n or \\u00e9')
      } else {
        this.#at++
        if (character === 0x22) break
      }
    }
    const value = JSON.parse(this.#text.slice(begin, this.#at)) as string
    if (!value.isWellFormed()) this.#say('notUnicode', 'has half of a surrogate pair')
    return value
  }

  #number(): void {
    const begin = this.#at
    if (!this.#skips(numberForm)) this.#expected('a value')
    if (!Number.isFinite(Number(this.#text.slice(begin, this.#at))))
      this.#say('outOfRange', 'is too large a number')
  }

  /** Skips whitespace, the only place where line breaks are allowed. */
  #skip(): void {
    for (; ; this.#at++) {
      const character = this.#text.charCodeAt(this.#at)
      if (character === 0x0a) {
        this.#line++
        this.#lineStart = this.#at + 1
      } else if (character !== 0x20 && character !== 0x09 && character !== 0x0d) return
    }
  }

  #skips(form: RegExp): boolean {
    form.lastIndex = this.#at
    if (!form.test(this.#text)) return false
    this.#at = form.lastIndex
    return true
  }

  #takeOne(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #expected(what: string): never {
    this.#stop('notJson', `is not JSON: ${what} is expected ${this.#place()}`)
  }

  #say(reason: v2.FieldReason, message: string): void {
    this.#found.push({ field: pointerTo(this.#path), reason, message })
    // One more than an answer lists, which is enough to know that there are more.
    if (this.#found.length > v2.limits.problemErrors) throw new Stop()
  }

  #stop(reason: v2.FieldReason, message: string): never {
    this.#say(reason, message)
    throw new Stop()
  }

  #place(at = this.#at): string {
    if (at >= this.#text.length) return 'at the end'
    return `in line ${this.#line}, column ${at - this.#lineStart + 1}`
  }
}
