// managing/keyed-lock.ts: one at a time for each key, in the order in which they came. Keys that nobody holds cost
// nothing.
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>()

  /** Resolves when all that took the key before have let it go. */
  async take(key: string): Promise<Disposable> {
    const before = this.#last.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(key, promise)
    await before
    return {
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === promise) this.#last.delete(key)
        resolve()
      },
    }
  }

  /** All of them at once, for one that holds many: resolves when all that took any of them before have let it go. */
  async takeAll(keys: readonly string[]): Promise<Disposable> {
    const before = keys.flatMap((key) => this.#last.get(key) ?? [])
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const key of keys) this.#last.set(key, promise)
    await Promise.all(before)
    return {
      [Symbol.dispose]: () => {
        for (const key of keys) if (this.#last.get(key) === promise) this.#last.delete(key)
        resolve()
      },
    }
  }
}
