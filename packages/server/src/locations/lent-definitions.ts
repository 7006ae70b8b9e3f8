// locations/lent-definitions.ts: which definitions a probe has in its session, under which numbers. They are lent: sent with
// the first check that needs them, sent again when they may have changed, and taken back when the probe no longer
// needs them. A number is used again only after the probe was told to forget it.

interface Lent {
  readonly number: number
  /** It may differ from what the fleet has now. */
  isStale: boolean
  /** It came with values of credentials. */
  readonly hasCredentials: boolean
}

export class LentDefinitions {
  readonly #byRow = new Map<number, Lent>()
  readonly #free: number[] = []
  #used = 0

  get count(): number {
    return this.#byRow.size
  }

  rows(): Iterable<number> {
    return this.#byRow.keys()
  }

  has(row: number): boolean {
    return this.#byRow.has(row)
  }

  /** The number of an up-to-date definition; null if it has to be sent first. */
  numberOf(row: number): number | null {
    const lent = this.#byRow.get(row)
    return lent === undefined || lent.isStale ? null : lent.number
  }

  /** It is being sent under the number that is returned. */
  lend(row: number, hasCredentials: boolean): number {
    const number = this.#byRow.get(row)?.number ?? this.#free.pop() ?? this.#used++
    this.#byRow.set(row, { number, isStale: false, hasCredentials })
    return number
  }

  /** The definition may have changed. */
  doubt(row: number): void {
    const lent = this.#byRow.get(row)
    if (lent !== undefined) lent.isStale = true
  }

  doubtAll(): void {
    for (const lent of this.#byRow.values()) lent.isStale = true
  }

  /** Values of credentials may have changed. */
  doubtCredentials(): void {
    for (const lent of this.#byRow.values()) if (lent.hasCredentials) lent.isStale = true
  }

  /** The number that the probe has to forget; null if it does not have the definition. */
  takeBack(row: number): number | null {
    const lent = this.#byRow.get(row)
    if (lent === undefined) return null
    this.#byRow.delete(row)
    this.#free.push(lent.number)
    return lent.number
  }
}
