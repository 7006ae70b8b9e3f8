// platform/interner.ts: one small number for each distinct value. Fleets are repetitive: a million monitors
// share a few policies, tag lists and notification rules, and a row keeps only the number.
export class Interner<Value> {
  readonly #numbers = new Map<string, number>()
  readonly values: Value[] = []

  /** The number of the value with this key; `make` is called only for a new key. */
  intern(key: string, make: () => Value): number {
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.values.length
    this.#numbers.set(key, number)
    this.values.push(make())
    return number
  }
}
