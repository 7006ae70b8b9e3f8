// push-run/tail.ts: the end of what a job has written, whatever it writes before.

export class Tail {
  readonly #mostBytes: number
  #chunks: Buffer[] = []
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    // Joined now and then: a job that writes single bytes must not leave as many buffers.
    if (this.#bytes > 2 * this.#mostBytes || this.#chunks.length > 1_000) this.#shorten()
  }

  /** Begins at a whole character. */
  bytes(): Buffer {
    this.#shorten()
    const [all = Buffer.alloc(0)] = this.#chunks
    let start = 0
    while (start < 3 && start < all.length && (all[start]! & 0b1100_0000) === 0b1000_0000) start++
    return all.subarray(start)
  }

  #shorten(): void {
    const all = Buffer.concat(this.#chunks)
    // A copy: a part would keep the whole.
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#mostBytes)))
    this.#chunks = [kept]
    this.#bytes = kept.length
  }
}
