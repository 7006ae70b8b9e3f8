// store/postgres/copy-rows.ts: rows for COPY, the fastest way into a table, and the statement that takes them. The
// library has the messages of the protocol, and calls whatever is submitted to it.
import type { Submittable } from 'pg'

interface CopyConnection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** A value in the text format of COPY. */
export function copyField(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return unsafe.test(value) ? value.replaceAll(unsafeEach, escaped) : value
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

const unsafe = /[\\\n\r\t]/
const unsafeEach = /[\\\n\r\t]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escaped = (character: string): string => escapes[character]!

/** One statement with its rows; `done` settles when the server has answered. */
export class CopyRows implements Submittable {
  readonly #statement: string
  readonly #rows: string
  readonly #ended = Promise.withResolvers<void>()

  constructor(statement: string, rows: string) {
    this.#statement = statement
    this.#rows = rows
  }

  get done(): Promise<void> {
    return this.#ended.promise
  }

  submit(connection: unknown): void {
    ;(connection as CopyConnection).query(this.#statement)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows))
    connection.endCopyFrom()
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#ended.reject(error)
  }

  handleReadyForQuery(): void {
    this.#ended.resolve()
  }
}
