// managing/keyed-lock.ts: a lock per key, granted in order of arrival. Free keys take no memory.
export class KeyedLock {
  readonly #last = new Map<string, Promise<void>>()

  /** Resolves when all earlier holders of the key have released it. */
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

  /** Takes all keys at once: resolves when all earlier holders of any of them have released it. */
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
