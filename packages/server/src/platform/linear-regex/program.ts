// platform/linear-regex/program.ts: compiles a tree into a nondeterministic automaton whose alphabet is a
// small number of character classes: characters that no part of the expression distinguishes share one.
import { type CharacterSet, contains, isLineEnd, isWord, KIND_BORDERS } from './character-set.ts'
import { type Assertion, RegexError, type Tree } from './syntax.ts'

// Together with the number of classes, bounds the work per character of text.
const MAX_INSTRUCTIONS = 1_000

export type Instruction =
  | { readonly op: 'set'; readonly set: CharacterSet; readonly classes: Uint8Array }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | { readonly op: 'match' }

/** What assertions need to know about a neighbouring character. */
export const NEIGHBOUR = { none: 0, other: 1, word: 2, lineEnd: 3 } as const

export interface Program {
  readonly instructions: readonly Instruction[]
  readonly classCount: number
  /** The neighbour kind of each class. */
  readonly classKinds: Uint8Array
  /** The class of every code point below 128; classOf finds the others. */
  readonly asciiClasses: Uint16Array
  classOf(codePoint: number): number
}

export function compileProgram(tree: Tree): Program {
  const builder = new Builder()
  builder.add(tree)
  builder.emit({ op: 'match' })
  return withClasses(builder.instructions)
}

class Builder {
  readonly instructions: Instruction[] = []

  emit(instruction: Instruction): number {
    if (this.instructions.length >= MAX_INSTRUCTIONS) throw new RegexError('it is too large')
    return this.instructions.push(instruction) - 1
  }

  add(tree: Tree): void {
    switch (tree.kind) {
      case 'empty':
        return
      case 'set':
        this.emit({ op: 'set', set: tree.set, classes: new Uint8Array(0) })
        return
      case 'assert':
        this.emit({ op: 'assert', assertion: tree.assertion })
        return
      case 'concat':
        for (const part of tree.parts) this.add(part)
        return
      case 'choice':
        this.#addChoice(tree.options)
        return
      case 'repeat':
        this.#addRepeat(tree.of, tree.min, tree.max)
    }
  }

  #addChoice(options: readonly Tree[]): void {
    const ends: { op: 'jump'; to: number }[] = []
    options.forEach((option, index) => {
      if (index === options.length - 1) {
        this.add(option)
        return
      }
      const split = { op: 'split' as const, first: 0, second: 0 }
      split.first = this.emit(split) + 1
      this.add(option)
      const end = { op: 'jump' as const, to: 0 }
      split.second = this.emit(end) + 1
      ends.push(end)
    })
    for (const end of ends) end.to = this.instructions.length
  }

  #addRepeat(of: Tree, min: number, max: number): void {
    for (let count = 0; count < min; count++) {
      const before = this.instructions.length
      this.add(of)
      // Repeating something empty changes nothing; nested repetitions of it would never end.
      if (this.instructions.length === before) return
    }
    if (max === Infinity) {
      const split = { op: 'split' as const, first: 0, second: 0 }
      const start = this.emit(split)
      split.first = start + 1
      this.add(of)
      split.second = this.emit({ op: 'jump', to: start }) + 1
      return
    }
    const splits: { op: 'split'; first: number; second: number }[] = []
    for (let count = min; count < max; count++) {
      const split = { op: 'split' as const, first: 0, second: 0 }
      split.first = this.emit(split) + 1
      splits.push(split)
      this.add(of)
    }
    for (const split of splits) split.second = this.instructions.length
  }
}

function withClasses(instructions: readonly Instruction[]): Program {
  const starts = new Set([0])
  const border = (set: CharacterSet): void => {
    for (let index = 0; index < set.length; index += 2) starts.add(set[index]!).add(set[index + 1]! + 1)
  }
  border(KIND_BORDERS)
  for (const instruction of instructions) if (instruction.op === 'set') border(instruction.set)
  const firsts = Uint32Array.from(starts).sort()
  const classKinds = Uint8Array.from(firsts, (first) =>
    isWord(first) ? NEIGHBOUR.word : isLineEnd(first) ? NEIGHBOUR.lineEnd : NEIGHBOUR.other,
  )
  const classOf = (codePoint: number): number => {
    let low = 0
    let high = firsts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (firsts[middle]! <= codePoint) low = middle
      else high = middle
    }
    return low
  }
  const resolved = instructions.map((instruction) =>
    instruction.op !== 'set'
      ? instruction
      : {
          ...instruction,
          classes: Uint8Array.from(firsts, (first) => Number(contains(instruction.set, first))),
        },
  )
  return {
    instructions: resolved,
    classCount: firsts.length,
    classKinds,
    asciiClasses: Uint16Array.from({ length: 128 }, (_, code) => classOf(code)),
    classOf,
  }
}
