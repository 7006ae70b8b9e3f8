// checks/redis/resp.ts: RESP2, the protocol of Redis: a command as an array of byte strings, and one reply,
// flattened to text. A reply is bounded as a whole, however its parts are nested.
import { MAX_ANSWER_BYTES, type Session } from '../driver/session.ts'
import { CheckFailure } from '../driver.ts'

export interface Reply {
  /** Null for a null reply; elements of an array are separated by blanks. */
  readonly text: string | null
  readonly isError: boolean
}

const MAX_DEPTH = 8
const PART_BYTES = 64

export function encodeCommand(words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  return `*${words.length}\r\n${parts.join('')}`
}

export async function readReply(session: Session): Promise<Reply> {
  return await new ReplyReader(session).next(0)
}

class ReplyReader {
  readonly #session: Session
  #bytes = 0

  constructor(session: Session) {
    this.#session = session
  }

  async next(depth: number): Promise<Reply> {
    const kind = (await this.#session.read(1)).toString('latin1')
    if (!'+-:$*'.includes(kind)) throw this.#session.speaksOtherThan('Redis')
    const line = await this.#session.readLine()
    this.#count(line.length)
    if (kind === '$') return { text: await this.#bulk(this.#length(line)), isError: false }
    if (kind === '*') return { text: await this.#array(this.#length(line), depth), isError: false }
    return { text: line, isError: kind === '-' }
  }

  async #bulk(length: number): Promise<string | null> {
    if (length < 0) return null
    this.#count(length)
    const bytes = await this.#session.read(length + 2)
    if (bytes.toString('latin1', length) !== '\r\n') throw this.#session.speaksOtherThan('Redis')
    return bytes.toString('utf8', 0, length)
  }

  async #array(length: number, depth: number): Promise<string | null> {
    if (length < 0) return null
    if (depth === MAX_DEPTH) throw this.#session.speaksOtherThan('Redis')
    const texts: string[] = []
    for (let index = 0; index < length; index++) texts.push((await this.next(depth + 1)).text ?? '')
    return texts.join(' ')
  }

  #length(line: string): number {
    if (!/^(-1|\d{1,10})$/.test(line)) throw this.#session.speaksOtherThan('Redis')
    return Number(line)
  }

  #count(bytes: number): void {
    // Every part has a cost, so that a million empty ones cannot get around the limit.
    this.#bytes += bytes + PART_BYTES
    if (this.#bytes > MAX_ANSWER_BYTES)
      throw new CheckFailure(`the answer of ${this.#session.peer} is longer than 1 MiB`)
  }
}
