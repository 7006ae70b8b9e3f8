// platform/linear-regex/character-set.ts: sets of code points as sorted pairs [low, high, low, high, …] that
// neither touch nor overlap.

export type CharacterSet = readonly number[]

const LAST_CODE_POINT = 0x10ffff

// Larger ranges are not folded: they contain both cases of nearly all their characters.
const MAX_FOLDED_RANGE = 0x3000

const DIGIT = [48, 57]
const WORD = [48, 57, 65, 90, 95, 95, 97, 122]
const SPACE = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
]
const LINE_END = [10, 10, 13, 13, 0x2028, 0x2029]

/** Sorts and merges pairs in any order. */
export function characterSet(pairs: readonly number[]): CharacterSet {
  const ranges: [number, number][] = []
  for (let index = 0; index < pairs.length; index += 2) ranges.push([pairs[index]!, pairs[index + 1]!])
  ranges.sort((a, b) => a[0] - b[0])
  const united: number[] = []
  for (const [low, high] of ranges) {
    const last = united.length - 1
    if (last > 0 && low <= united[last]! + 1) united[last] = Math.max(united[last]!, high)
    else united.push(low, high)
  }
  return united
}

export function complement(set: CharacterSet): CharacterSet {
  const rest: number[] = []
  let next = 0
  for (let index = 0; index < set.length; index += 2) {
    if (set[index]! > next) rest.push(next, set[index]! - 1)
    next = set[index + 1]! + 1
  }
  if (next <= LAST_CODE_POINT) rest.push(next, LAST_CODE_POINT)
  return rest
}

export function contains(set: CharacterSet, codePoint: number): boolean {
  for (let index = 0; index < set.length; index += 2) {
    if (codePoint < set[index]!) return false
    if (codePoint <= set[index + 1]!) return true
  }
  return false
}

export function dot(alsoLineEnds: boolean): CharacterSet {
  return alsoLineEnds ? [0, LAST_CODE_POINT] : complement(LINE_END)
}

export function isLineEnd(codePoint: number): boolean {
  return contains(LINE_END, codePoint)
}

export function isWord(codePoint: number): boolean {
  return contains(WORD, codePoint)
}

/** The boundaries of the two character kinds that assertions test. */
export const KIND_BORDERS: CharacterSet = characterSet([...WORD, ...LINE_END])

/** The set of \d, \D, \w, \W, \s or \S. */
export function escapeClass(letter: string): CharacterSet | null {
  switch (letter) {
    case 'd':
      return DIGIT
    case 'D':
      return complement(DIGIT)
    case 'w':
      return WORD
    case 'W':
      return complement(WORD)
    case 's':
      return SPACE
    case 'S':
      return complement(SPACE)
    default:
      return null
  }
}

/** Adds the other case of every character that has exactly one other. */
export function foldCase(set: CharacterSet): CharacterSet {
  const pairs = [...set]
  for (let index = 0; index < set.length; index += 2) {
    const high = set[index + 1]!
    if (high - set[index]! > MAX_FOLDED_RANGE) continue
    for (let code = set[index]!; code <= high; code++) {
      const character = String.fromCodePoint(code)
      for (const other of [character.toLowerCase(), character.toUpperCase()]) {
        const folded = other.codePointAt(0)!
        if (other.length === (folded > 0xffff ? 2 : 1)) pairs.push(folded, folded)
      }
    }
  }
  return characterSet(pairs)
}
