// checks/kafka/wire.ts: the types of Kafka's protocol on the wire: big-endian numbers, and texts and lists
// prefixed with their length. Reading past the end throws RangeError.

export function int16(value: number): Buffer {
  const field = Buffer.alloc(2)
  field.writeInt16BE(value)
  return field
}

export function int32(value: number): Buffer {
  const field = Buffer.alloc(4)
  field.writeInt32BE(value)
  return field
}

export function yes(value: boolean): Buffer {
  return Buffer.from([value ? 1 : 0])
}

export function wireText(value: string): Buffer {
  const text = Buffer.from(value)
  return Buffer.concat([int16(text.length), text])
}

export function bytes(value: Buffer): Buffer {
  return Buffer.concat([int32(value.length), value])
}

export class WireReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  int8(): number {
    this.#at += 1
    return this.#bytes.readInt8(this.#at - 1)
  }

  int16(): number {
    this.#at += 2
    return this.#bytes.readInt16BE(this.#at - 2)
  }

  int32(): number {
    this.#at += 4
    return this.#bytes.readInt32BE(this.#at - 4)
  }

  /** A text with a 16-bit length; empty if it is null. */
  text(): string {
    return this.#textOf(this.int16())
  }

  /** A text with a 32-bit length. */
  text32(): string {
    return this.#textOf(this.int32())
  }

  list<Item>(read: () => Item): Item[] {
    const count = this.int32()
    // Every item has at least one byte: a larger count is wrong, and no memory is allocated for it.
    if (count > this.#bytes.length - this.#at) throw new RangeError('a list that is longer than its answer')
    const items: Item[] = []
    for (let index = 0; index < count; index++) items.push(read())
    return items
  }

  #textOf(length: number): string {
    if (length <= 0) return ''
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('a text that is longer than its answer')
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end
    return text
  }
}
