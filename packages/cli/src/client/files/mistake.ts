// client/files/mistake.ts: something wrong in a resource file, with its place.

export type Path = readonly (string | number)[]

export interface Mistake {
  readonly path: Path
  readonly message: string
  /** The key is wrong, not what stands behind it. */
  readonly isKey?: true
}

export interface LocatedMistake {
  readonly file: string
  readonly line: number
  readonly field: string
  readonly message: string
}

/** Every mistake of all files; nothing was sent. */
export class ResourceFileError extends Error {
  readonly mistakes: readonly LocatedMistake[]

  constructor(mistakes: readonly LocatedMistake[]) {
    super(`the files have ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}`)
    this.name = 'ResourceFileError'
    this.mistakes = mistakes
  }
}

export function fieldOf(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('')
}
