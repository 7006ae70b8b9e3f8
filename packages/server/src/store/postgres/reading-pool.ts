// store/postgres/reading-pool.ts: a few connections for reads, which run beside the commits. A connection that was lost is
// replaced, and its query asked once more: a read changes nothing. A read may wait as long as a statement may take, so a reader
// that must answer soon says for how long it waits.
import { storeError } from '../store-errors.ts'
import { type ConnectionOptions, PostgresConnection } from './connection.ts'
import { postgresTrouble } from './postgres-errors.ts'

const slow = 'PostgreSQL does not answer in time; see whether it runs and can be reached.'

export class ReadingPool {
  readonly #options: ConnectionOptions
  readonly #size: number
  readonly #idle: PostgresConnection[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #isClosed = false

  constructor(options: ConnectionOptions, size: number) {
    this.#options = options
    this.#size = size
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.#isClosed) throw storeError('closed')
    await this.#turn()
    try {
      return await this.#ask<Row>(text, values)
    } finally {
      this.#busy--
      this.#waiting.shift()?.()
    }
  }

  async one<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row | null> {
    return (await this.query<Row>(text, values))[0] ?? null
  }

  /** Rejects with `io` if no row has come by then, for whatever reason. */
  async oneWithin<Row extends object>(withinMs: number, text: string): Promise<Row | null> {
    const tooLate = Promise.withResolvers<never>()
    const timer = setTimeout(() => tooLate.reject(postgresTrouble('io', slow)), withinMs)
    try {
      return await Promise.race([this.one<Row>(text), tooLate.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()))
  }

  async #ask<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      const kept = this.#idle.pop()
      if (kept?.isLost) continue
      const connection = kept ?? (await PostgresConnection.open(this.#options))
      try {
        return await connection.query<Row & Record<string, unknown>>(text, values)
      } catch (error) {
        if (kept === undefined || !connection.isLost || attempt > this.#size) throw error
      } finally {
        if (this.#isClosed) void connection.end()
        else if (!connection.isLost) this.#idle.push(connection)
      }
    }
  }

  async #turn(): Promise<void> {
    while (this.#busy >= this.#size) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy++
  }
}
