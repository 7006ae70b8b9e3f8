// simulation/oracle/findings.ts: the first violation. It is noted and not thrown, because rules run inside of
// calls whose errors the service may swallow.

export interface Violation {
  readonly invariant: string
  readonly words: string
  readonly atMs: number
}

export class Findings {
  #first: Violation | null = null
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  get first(): Violation | null {
    return this.#first
  }

  note(invariant: string, words: string): void {
    this.#first ??= { invariant, words, atMs: this.#now() }
  }
}
