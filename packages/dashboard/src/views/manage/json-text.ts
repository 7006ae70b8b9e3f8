// views/manage/json-text.ts: reads a document that a person types, strictly as the service does (no duplicate names, a
// bounded depth and size), and remembers on which line each value stands, so that a mistake can be shown there.
import { v2 } from '@pulseward/contract'
import { type Json, pointerOf } from './json.ts'

export type ReadText =
  | { readonly isRead: true; readonly value: Json; readonly lineOf: (pointer: string) => number }
  /** Lines count from 1. */
  | { readonly isRead: false; readonly line: number; readonly message: string }

export function readJsonText(text: string): ReadText {
  if (new Blob([text]).size > v2.limits.bodyBytes)
    return {
      isRead: false,
      line: 1,
      message: 'The document is larger than 1 MiB, which is the most that is accepted.',
    }
  const reader = new Reader(text)
  try {
    const value = reader.document()
    return { isRead: true, value, lineOf: (pointer) => nearestLine(reader.lines, pointer) }
  } catch (error) {
    if (!(error instanceof Mistake)) throw error
    return { isRead: false, line: error.line, message: error.message }
  }
}

/** What is missing stands, if anywhere, in what is around it. */
function nearestLine(lines: ReadonlyMap<string, number>, pointer: string): number {
  let here = pointer
  while (here !== '') {
    const line = lines.get(here)
    if (line !== undefined) return line
    here = here.slice(0, here.lastIndexOf('/'))
  }
  return lines.get('') ?? 1
}

class Mistake extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const stringPattern = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const wordPattern = /true|false|null/y
const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

class Reader {
  readonly lines = new Map<string, number>()
  readonly #text: string
  #at = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  document(): Json {
    this.#skipSpace()
    const value = this.#value('', 1)
    this.#skipSpace()
    if (this.#at < this.#text.length) throw this.#mistake('Nothing may follow the end of the document.')
    return value
  }

  #value(pointer: string, depth: number): Json {
    if (depth > v2.limits.bodyDepth)
      throw this.#mistake(`The document is nested deeper than ${v2.limits.bodyDepth} levels.`)
    if (!this.lines.has(pointer)) this.lines.set(pointer, this.#line)
    const sign = this.#text[this.#at]
    if (sign === '{') return this.#object(pointer, depth)
    if (sign === '[') return this.#list(pointer, depth)
    if (sign === '"') return this.#string()
    const number = this.#take(numberPattern)
    if (number !== null) return this.#number(number)
    const word = this.#take(wordPattern)
    if (word !== null) return words[word] ?? null
    throw this.#mistake(sign === undefined ? 'The document ends too early.' : 'A value is expected here.')
  }

  #object(pointer: string, depth: number): Json {
    const members = new Map<string, Json>()
    this.#each('}', () => {
      if (this.#text[this.#at] !== '"') throw this.#mistake('A name in double quotes is expected here.')
      const line = this.#line
      const name = this.#string()
      if (members.has(name)) throw this.#mistake('This name stands here twice.')
      this.#skipSpace()
      if (this.#text[this.#at] !== ':') throw this.#mistake('A colon is expected after the name.')
      this.#at++
      this.#skipSpace()
      const inner = pointer + pointerOf([name])
      this.lines.set(inner, line)
      members.set(name, this.#value(inner, depth + 1))
    })
    // A member called __proto__ becomes one like any other.
    return Object.fromEntries(members)
  }

  #list(pointer: string, depth: number): Json {
    const items: Json[] = []
    this.#each(']', () => items.push(this.#value(`${pointer}/${items.length}`, depth + 1)))
    return items
  }

  /** Members or items with commas between them, from the opening to the closing bracket. */
  #each(closing: '}' | ']', one: () => void): void {
    this.#at++
    this.#skipSpace()
    if (this.#text[this.#at] === closing) {
      this.#at++
      return
    }
    for (;;) {
      one()
      this.#skipSpace()
      const sign = this.#text[this.#at]
      if (sign !== ',' && sign !== closing) throw this.#mistake(`A comma or ${closing} is expected here.`)
      this.#at++
      if (sign === closing) return
      this.#skipSpace()
      if (this.#text[this.#at] === closing) throw this.#mistake(`No comma may stand before ${closing}.`)
    }
  }

  #string(): string {
    const token = this.#take(stringPattern)
    if (token === null) throw this.#mistake('This text has no end on its line, or a \\ that means nothing.')
    return JSON.parse(token) as string
  }

  #number(token: string): number {
    const number = Number(token)
    if (!Number.isFinite(number)) throw this.#mistake('This number is too large.')
    return number
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const [token] = pattern.exec(this.#text) ?? []
    if (token === undefined) return null
    this.#at += token.length
    return token
  }

  #skipSpace(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at]
      if (sign === '\n') this.#line++
      else if (sign !== ' ' && sign !== '\t' && sign !== '\r') return
    }
  }

  #mistake(message: string): Mistake {
    return new Mistake(this.#line, message)
  }
}
