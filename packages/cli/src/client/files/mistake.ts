// client/files/mistake.ts: a mistake in a resource file with its location, and the list of all mistakes.
import { counted } from '@pulseward/server'

export type Path = readonly (string | number)[]

export interface Mistake {
  readonly path: Path
  readonly message: string
  /** The key is wrong, not its value. */
  readonly isKey?: true
}

export interface LocatedMistake {
  readonly file: string
  /** Null if `file` already includes the line. */
  readonly line: number | null
  readonly field: string
  readonly message: string
}

/** The mistakes of all files; nothing has been sent. */
export class ResourceFileError extends Error {
  /** The first of them. */
  readonly mistakes: readonly LocatedMistake[]

  constructor(mistakes: readonly LocatedMistake[], count = mistakes.length) {
    const shown = mistakes.length < count ? `, of which the first ${mistakes.length} are shown` : ''
    super(`the files have ${count === 1 ? 'a mistake' : counted(count, 'mistake')}${shown}`)
    this.name = 'ResourceFileError'
    this.mistakes = mistakes
  }
}

/** Keeps the first mistakes and counts the others. */
export class MistakeList {
  static readonly most = 1_000
  readonly #kept: LocatedMistake[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(mistakes: readonly LocatedMistake[]): void {
    this.#count += mistakes.length
    const room = MistakeList.most - this.#kept.length
    if (room > 0) this.#kept.push(...mistakes.slice(0, room))
  }

  /** Sorted by file and line. */
  error(files: readonly string[]): ResourceFileError {
    const rank = ({ file }: LocatedMistake) => files.indexOf(file)
    const sorted = this.#kept.toSorted(
      (left, right) => rank(left) - rank(right) || (left.line ?? 0) - (right.line ?? 0),
    )
    return new ResourceFileError(sorted, this.#count)
  }
}

/** The path that a JSON pointer names. A step into a list is its index. */
export function pathIn(value: unknown, pointer: string): Path {
  let at = value
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      const isIndex = Array.isArray(at)
      at = (at as Record<string, unknown> | null | undefined)?.[key]
      return isIndex ? Number(key) : key
    })
}

/** A line of output: the place and the sentence. */
export function lineOf({ file, line, field, message }: LocatedMistake): string {
  const place = line === null ? file : `${file}:${line}`
  return `${place}: ${field === '' ? '' : `${field}: `}${message}${/[.?]$/.test(message) ? '' : '.'}`
}

export function fieldOf(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
}
