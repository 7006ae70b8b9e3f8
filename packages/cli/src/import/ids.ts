// import/ids.ts: unique ids made from names. The same names in the same order give the same ids.

const longestStem = 100

/** Letters, digits and dashes; the fallback if nothing is left of a name. */
export function slug(name: string, fallback: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return words.slice(0, longestStem).replace(/^-+|-+$/g, '') || fallback
}

export class UniqueNames {
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  /** False if it is already taken. */
  claim(name: string): boolean {
    if (this.#taken.has(name)) return false
    this.#taken.add(name)
    return true
  }

  /** The name itself, or with the first number appended that makes it unique. */
  make(name: string, separator = '-'): string {
    if (this.claim(name)) return name
    for (let number = this.#next.get(name) ?? 2; ; number++) {
      if (!this.claim(`${name}${separator}${number}`)) continue
      this.#next.set(name, number + 1)
      return `${name}${separator}${number}`
    }
  }
}
