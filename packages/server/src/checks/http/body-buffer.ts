// checks/http/body-buffer.ts: collects body bytes up to a limit in one growing buffer. Bytes are copied at
// once, so that a peer that sends single bytes costs single bytes and not a buffer object each.

// Small enough for Node's buffer pool, large enough for most health responses.
const FIRST_CAPACITY = 2_048
const EMPTY = Buffer.alloc(0)

export class BodyBuffer {
  readonly #limit: number
  #bytes: Buffer = EMPTY
  #length = 0
  /** More bytes came than the limit allows. */
  cut = false

  constructor(limitBytes: number) {
    this.#limit = limitBytes
  }

  get length(): number {
    return this.#length
  }

  append(source: Uint8Array, from: number, to: number): void {
    if (to - from > this.#limit - this.#length) {
      to = from + this.#limit - this.#length
      this.cut = true
    }
    const length = this.#length + to - from
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(source.subarray(from, to), this.#length)
    this.#length = length
  }

  content(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(needed: number): void {
    const capacity = Math.min(this.#limit, Math.max(needed, this.#bytes.length * 2, FIRST_CAPACITY))
    const grown = Buffer.allocUnsafe(capacity)
    grown.set(this.content())
    this.#bytes = grown
  }
}
