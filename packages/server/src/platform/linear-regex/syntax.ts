// platform/linear-regex/syntax.ts: parses a regular expression into a tree. The dialect is JavaScript's with
// the `u` flag, without what no automaton can do in linear time (back references, look-around) and without \p
// classes. A prefix such as (?i), (?s) or (?m) sets flags for the whole expression.
import { type CharacterSet, characterSet, complement, dot, escapeClass, foldCase } from './character-set.ts'

export type Tree =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'concat'; readonly parts: readonly Tree[] }
  | { readonly kind: 'choice'; readonly options: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly of: Tree; readonly min: number; readonly max: number }

export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge'

/** A mistake in an expression, as a sentence for the person who wrote it. */
export class RegexError extends Error {
  override readonly name = 'RegexError'
}

const MAX_DEPTH = 50
const MAX_REPEAT = 1_000

const CONTROL_ESCAPES: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 }

export function parseRegex(source: string): Tree {
  return new Parser(source).parse()
}

class Parser {
  readonly #characters: readonly string[]
  #at = 0
  #depth = 0
  #ignoreCase = false
  #dotAll = false
  #multiline = false

  constructor(source: string) {
    const flags = /^\(\?([ims]+)\)/.exec(source)
    if (flags !== null) {
      this.#ignoreCase = flags[1]!.includes('i')
      this.#multiline = flags[1]!.includes('m')
      this.#dotAll = flags[1]!.includes('s')
    }
    this.#characters = Array.from(source.slice(flags?.[0].length ?? 0))
  }

  parse(): Tree {
    const tree = this.#choice()
    if (this.#at < this.#characters.length) throw new RegexError('a ")" has no "(" before it')
    return tree
  }

  #choice(): Tree {
    if (++this.#depth > MAX_DEPTH) throw new RegexError(`groups are nested more than ${MAX_DEPTH} deep`)
    const options = [this.#concat()]
    while (this.#take('|')) options.push(this.#concat())
    this.#depth--
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  #concat(): Tree {
    const parts: Tree[] = []
    while (this.#at < this.#characters.length && this.#peek() !== '|' && this.#peek() !== ')') {
      parts.push(this.#repeated())
    }
    if (parts.length === 0) return { kind: 'empty' }
    return parts.length === 1 ? parts[0]! : { kind: 'concat', parts }
  }

  #repeated(): Tree {
    const of = this.#atom()
    const bounds = this.#bounds()
    if (bounds === null) return of
    // Laziness changes which match is found, never whether there is one.
    this.#take('?')
    if (of.kind === 'assert') throw new RegexError('an anchor cannot be repeated')
    if (this.#bounds() !== null) throw new RegexError('nothing to repeat')
    return { kind: 'repeat', of, ...bounds }
  }

  #bounds(): { min: number; max: number } | null {
    if (this.#take('*')) return { min: 0, max: Infinity }
    if (this.#take('+')) return { min: 1, max: Infinity }
    if (this.#take('?')) return { min: 0, max: 1 }
    if (this.#peek() !== '{') return null
    const rest = this.#characters.slice(this.#at, this.#at + 12).join('')
    const braces = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest)
    if (braces === null)
      throw new RegexError('a "{" must be written \\{ unless it repeats: {2}, {2,} or {2,5}')
    this.#at += braces[0].length
    const min = Number(braces[1])
    const max = braces[2] === undefined ? min : braces[3] === '' ? Infinity : Number(braces[3])
    if (min > max) throw new RegexError('a repetition has its numbers out of order')
    if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Infinity)) {
      throw new RegexError(`a repetition is over ${MAX_REPEAT}`)
    }
    return { min, max }
  }

  #atom(): Tree {
    const character = this.#next()
    switch (character) {
      case '(':
        return this.#group()
      case '[':
        return this.#setOf(this.#class())
      case '.':
        return { kind: 'set', set: dot(this.#dotAll) }
      case '^':
        return { kind: 'assert', assertion: this.#multiline ? 'line-start' : 'text-start' }
      case '$':
        return { kind: 'assert', assertion: this.#multiline ? 'line-end' : 'text-end' }
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
      case '{':
        throw new RegexError('nothing to repeat')
      case '}':
      case ']':
        throw new RegexError(`a "${character}" must be written \\${character}`)
      default:
        return this.#setOf(single(character.codePointAt(0)!))
    }
  }

  #group(): Tree {
    if (this.#take('?')) {
      if (this.#take('<')) this.#groupName()
      else if (!this.#take(':')) throw new RegexError('look-around and flags inside are not supported')
    }
    const tree = this.#choice()
    if (!this.#take(')')) throw new RegexError('a "(" is never closed')
    return tree
  }

  #groupName(): void {
    if (this.#peek() === '=' || this.#peek() === '!') throw new RegexError('look-around is not supported')
    while (this.#at < this.#characters.length && /[\w$]/.test(this.#peek()!)) this.#at++
    if (!this.#take('>')) throw new RegexError('the name of a group is malformed')
  }

  #escape(): Tree {
    if (this.#take('b')) return { kind: 'assert', assertion: 'word-edge' }
    if (this.#take('B')) return { kind: 'assert', assertion: 'no-word-edge' }
    if (/[1-9k]/.test(this.#peek() ?? '')) throw new RegexError('back references are not supported')
    const named = this.#namedClass()
    return named === null ? this.#setOf(single(this.#escapedCharacter())) : { kind: 'set', set: named }
  }

  #namedClass(): CharacterSet | null {
    const name = this.#peek() ?? ''
    if (name === 'p' || name === 'P') throw new RegexError('\\p classes are not supported')
    const set = escapeClass(name)
    if (set !== null) this.#at++
    return set
  }

  #escapedCharacter(): number {
    const character = this.#next()
    const control = CONTROL_ESCAPES[character]
    if (control !== undefined) return control
    if (character === 'x') return this.#hex(/^[0-9A-Fa-f]{2}/)
    if (character === 'u') return this.#hex(/^[0-9A-Fa-f]{4}|^\{[0-9A-Fa-f]{1,6}\}/)
    if (/[A-Za-z0-9]/.test(character)) throw new RegexError(`\\${character} is not supported`)
    return character.codePointAt(0)!
  }

  #hex(form: RegExp): number {
    const digits = form.exec(this.#characters.slice(this.#at, this.#at + 8).join(''))?.[0]
    const code = Number.parseInt(digits?.replace(/[{}]/g, '') ?? '', 16)
    if (digits === undefined || code > 0x10ffff) throw new RegexError('a \\x or \\u escape is malformed')
    this.#at += digits.length
    return code
  }

  #class(): CharacterSet {
    const negated = this.#take('^')
    const ranges: number[] = []
    while (!this.#take(']')) {
      const low = this.#classItem()
      if (typeof low !== 'number') {
        ranges.push(...low)
        continue
      }
      const ranged = this.#peek() === '-' && this.#characters[this.#at + 1] !== ']'
      if (!ranged) {
        ranges.push(low, low)
        continue
      }
      this.#at++
      const high = this.#classItem()
      if (typeof high !== 'number' || high < low) throw new RegexError('a range in a class is out of order')
      ranges.push(low, high)
    }
    const set = characterSet(ranges)
    // Folding comes before the complement: (?i)[^a] matches neither a nor A.
    const folded = this.#ignoreCase ? foldCase(set) : set
    return negated ? complement(folded) : folded
  }

  #classItem(): number | CharacterSet {
    const character = this.#next()
    if (character !== '\\') return character.codePointAt(0)!
    if (this.#take('b')) return 8
    if (this.#take('-')) return 45
    return this.#namedClass() ?? this.#escapedCharacter()
  }

  #setOf(set: CharacterSet): Tree {
    return { kind: 'set', set: this.#ignoreCase ? foldCase(set) : set }
  }

  #peek(): string | undefined {
    return this.#characters[this.#at]
  }

  #take(character: string): boolean {
    if (this.#characters[this.#at] !== character) return false
    this.#at++
    return true
  }

  #next(): string {
    const character = this.#characters[this.#at++]
    if (character === undefined) throw new RegexError('it ends too early')
    return character
  }
}

function single(codePoint: number): CharacterSet {
  return [codePoint, codePoint]
}
