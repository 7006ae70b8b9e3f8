// testing/random.ts: seeded random numbers. The same seed gives the same numbers on every machine. Each part
// that draws gets a separate stream, so that a change in one does not move the draws of the others.

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x9e37_79b9) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0_aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.next() * values.length)]!
  }

  /** Picks by weight; the weights need not add up to 1. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return entries.at(-1)![0]
  }

  /** Log-uniform: a number is as likely between 1 and 10 as between 10 and 100. */
  spread(low: number, high: number): number {
    return low * (high / low) ** this.next()
  }

  fork(): Random {
    return new Random(Math.floor(this.next() * 0x1_0000_0000))
  }
}
