// projection/query/needle.ts: searches bytes for a text with Horspool's algorithm. Created once per search.
import { isDigit } from './name-patterns.ts'

export class Needle {
  readonly bytes: Buffer
  readonly length: number
  readonly hasDigits: boolean
  /** How far to advance, by the byte under the end of the needle. */
  readonly #skips: Uint32Array

  constructor(text: string) {
    this.bytes = Buffer.from(text)
    this.length = this.bytes.length
    this.hasDigits = this.bytes.some(isDigit)
    this.#skips = new Uint32Array(256).fill(this.length)
    for (let index = 0; index < this.length - 1; index++)
      this.#skips[this.bytes[index]!] = this.length - 1 - index
  }

  /** The first match in the hay between start and end, or -1. */
  indexIn(hay: Buffer, start: number, end: number): number {
    const last = this.length - 1
    const lastByte = this.bytes[last]!
    const skips = this.#skips
    for (let place = start + last; place < end; place += skips[hay[place]!]!) {
      if (hay[place] === lastByte && this.standsAt(hay, place - last)) return place - last
    }
    return -1
  }

  standsAt(hay: Buffer, place: number): boolean {
    const { bytes } = this
    let index = 0
    while (index < bytes.length && hay[place + index] === bytes[index]) index++
    return index === bytes.length
  }
}
