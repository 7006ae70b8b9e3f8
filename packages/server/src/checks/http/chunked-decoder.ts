// checks/http/chunked-decoder.ts: decodes the chunked transfer coding of a body, fed with whatever pieces
// arrive. Sizes, extensions and line ends are read as strictly as Node's parser reads them.
import type { BodyBuffer } from './body-buffer.ts'
import type { HeadParser } from './head-parser.ts'

// Node bounds extensions by the same number. Without a bound, a peer could send one line forever.
const MAX_SIZE_LINE_BYTES = 16_384

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]*"
const QUOTED = '"(?:[\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*"'
const SIZE_LINE = new RegExp(`^([0-9A-Fa-f]+)(?:;(?![ \\r])${TOKEN}(?:=${TOKEN}(?:${QUOTED})?)?)*\\r\\n$`)

const CR = 13
const LF = 10

export class ChunkedDecoder {
  readonly #head: HeadParser
  readonly #body: BodyBuffer
  #state: 'size' | 'data' | 'data-cr' | 'data-lf' | 'trailer' | 'done' = 'size'
  #line = ''
  #left = 0
  problem: string | null = null

  constructor(head: HeadParser, body: BodyBuffer) {
    this.#head = head
    this.#body = body
  }

  get done(): boolean {
    return this.#state === 'done'
  }

  push(bytes: Buffer, at: number): void {
    while (at < bytes.length && this.problem === null && !this.done && !this.#body.cut) {
      if (this.#state === 'data') at = this.#readData(bytes, at)
      else if (this.#state === 'size') at = this.#readSize(bytes, at)
      else if (this.#state === 'trailer') at = this.#readTrailer(bytes, at)
      else at = this.#readLineEnd(bytes, at)
    }
  }

  #readSize(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at)
    const stop = end === -1 ? bytes.length : end + 1
    this.#line += bytes.toString('latin1', at, stop)
    if (end === -1) {
      if (this.#line.length > MAX_SIZE_LINE_BYTES || !/^[0-9A-Fa-f]/.test(this.#line)) this.#refuseSize()
      return stop
    }
    const size = SIZE_LINE.exec(this.#line)
    this.#line = ''
    this.#left = size === null ? Number.NaN : Number.parseInt(size[1] ?? '', 16)
    if (!Number.isSafeInteger(this.#left) || stop - at > MAX_SIZE_LINE_BYTES) this.#refuseSize()
    else if (this.#left > 0) this.#state = 'data'
    else {
      this.#state = 'trailer'
      this.#head.beginTrailer()
    }
    return stop
  }

  #readData(bytes: Buffer, at: number): number {
    const stop = Math.min(bytes.length, at + this.#left)
    this.#body.append(bytes, at, stop)
    this.#left -= stop - at
    if (this.#left === 0) this.#state = 'data-cr'
    return stop
  }

  #readLineEnd(bytes: Buffer, at: number): number {
    const expected = this.#state === 'data-cr' ? CR : LF
    if (bytes[at] !== expected) this.problem = 'a chunk of the body is longer than its size says'
    this.#state = this.#state === 'data-cr' ? 'data-lf' : 'size'
    return at + 1
  }

  #readTrailer(bytes: Buffer, at: number): number {
    this.#line += bytes.toString('latin1', at)
    this.#line = this.#line.slice(this.#head.read(this.#line, 0))
    this.problem = this.#head.problem
    if (this.#head.done) this.#state = 'done'
    return bytes.length
  }

  #refuseSize(): void {
    this.problem = 'a chunk of the body has an invalid size'
  }
}
