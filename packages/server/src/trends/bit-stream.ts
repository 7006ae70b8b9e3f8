// trends/bit-stream.ts: numbers in as few bits as they need. Small numbers are by far the most frequent in what is stored
// of trends: none of a few, or the same as the last one.
export class BitWriter {
  #bytes = new Uint8Array(256)
  #bits = 0

  /** The lowest bits of a number below 2^32, the highest of them first. */
  bits(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) this.#bit((value >>> bit) & 1)
  }

  /** A bit for every one of it, and one more. */
  unary(value: number): void {
    for (let index = 0; index < value; index++) this.#bit(1)
    this.#bit(0)
  }

  /** Its upper part as a unary number, and so many lower bits. */
  rice(value: number, lowBits: number): void {
    this.unary(value >>> lowBits)
    this.bits(value, lowBits)
  }

  /** Any whole number below 2^32 - 1: about twice as many bits as it has. */
  gamma(value: number): void {
    const length = 31 - Math.clz32(value + 1)
    this.unary(length)
    this.bits(value + 1, length)
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, Math.ceil(this.#bits / 8))
  }

  #bit(bit: number): void {
    const at = this.#bits >> 3
    if (at === this.#bytes.length) {
      const longer = new Uint8Array(2 * at)
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    if (bit === 1) this.#bytes[at]! |= 0x80 >> (this.#bits & 7)
    this.#bits++
  }
}

/** Behind its end, a stream is zeros. */
export class BitReader {
  readonly #bytes: Uint8Array
  #position: number

  constructor(bytes: Uint8Array, from = 0) {
    this.#bytes = bytes
    this.#position = from * 8
  }

  bits(count: number): number {
    if (count > mostAtOnce) return this.bits(count - 16) * 2 ** 16 + this.bits(16)
    if (count === 0) return 0
    const value = this.#ahead() >>> (32 - count)
    this.#position += count
    return value
  }

  unary(): number {
    let value = 0
    for (;;) {
      const ones = Math.clz32(~this.#ahead())
      if (ones < mostAtOnce) {
        this.#position += ones + 1
        return value + ones
      }
      value += mostAtOnce
      this.#position += mostAtOnce
    }
  }

  rice(lowBits: number): number {
    const upper = this.unary()
    return upper * 2 ** lowBits + this.bits(lowBits)
  }

  gamma(): number {
    const length = this.unary()
    return 2 ** length + this.bits(length) - 1
  }

  /** The next bits, at least so many as are read at once, from the highest on; zeros below. */
  #ahead(): number {
    const bytes = this.#bytes
    const at = this.#position >> 3
    if (at + 3 < bytes.length)
      return (
        ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) <<
        (this.#position & 7)
      )
    const word = ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8)
    return (word | (bytes[at + 3] ?? 0)) << (this.#position & 7)
  }
}

/** Four bytes, less the bits of the first that were read before. */
const mostAtOnce = 25
