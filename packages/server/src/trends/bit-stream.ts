// trends/bit-stream.ts: writes and reads numbers with variable-length bit codes. Most numbers in stored
// trends are small: zero failures, or no difference from the previous one.
export class BitWriter {
  #bytes = new Uint8Array(256)
  #bits = 0

  /** The lowest `count` bits of a number below 2^32, most significant bit first. */
  bits(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) this.#bit((value >>> bit) & 1)
  }

  /** As many one bits as the value, then a zero bit. */
  unary(value: number): void {
    for (let index = 0; index < value; index++) this.#bit(1)
    this.#bit(0)
  }

  /** Rice code: the upper part in unary, then `lowBits` lower bits. */
  rice(value: number, lowBits: number): void {
    this.unary(value >>> lowBits)
    this.bits(value, lowBits)
  }

  /** Elias gamma code, for any integer below 2^32 - 1: about twice as many bits as the number has. */
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

/** Past its end, a stream reads as zeros. */
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

  /** The next bits, left-aligned: at least `mostAtOnce` of them, with zeros below. */
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

/** Four bytes, less up to seven bits of the first one that were already read. */
const mostAtOnce = 25
