// client/files/key-set.ts: the keys of a collection seen so far, in 16 bytes each: it keeps hashes, not keys.
// A hash may collide, so the set only reports suspected duplicates; the caller compares the keys themselves.

const smallest = 1 << 12

export class KeySet {
  #size = 0
  /** The two halves of each hash, by place; both are 0 in an empty place. */
  #high = new Uint32Array(smallest)
  #low = new Uint32Array(smallest)

  /** False if the key, or another key with the same hash, has been added before. */
  add(key: string): boolean {
    if (this.#size * 2 >= this.#high.length) this.#grow()
    let high = 0x811c9dc5
    let low = 0x9747b28c
    for (let index = 0; index < key.length; index++) {
      const code = key.charCodeAt(index)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low ^ code, 0x85ebca6b)
      low ^= low >>> 15
    }
    if (!this.#put(high >>> 0 || 1, low >>> 0)) return false
    this.#size++
    return true
  }

  #put(high: number, low: number): boolean {
    const mask = this.#high.length - 1
    for (let place = (high ^ (low >>> 7)) & mask; ; place = (place + 1) & mask) {
      if (this.#high[place] === 0) {
        this.#high[place] = high
        this.#low[place] = low
        return true
      }
      if (this.#high[place] === high && this.#low[place] === low) return false
    }
  }

  #grow(): void {
    const [highs, lows] = [this.#high, this.#low]
    this.#high = new Uint32Array(highs.length * 2)
    this.#low = new Uint32Array(highs.length * 2)
    for (const [place, high] of highs.entries()) if (high !== 0) this.#put(high, lows[place] ?? 0)
  }
}
