// store/sqlite/resource-runs.ts: which events are writes to resources, as runs of consecutive positions. v1
// does not show them, and a million monitors may have been created in a row. Between two runs there is at
// least one other event, so a reader that skips runs takes no more steps than it finds events.
import type { DatabaseSync } from 'node:sqlite'
import { checksum, requireSum } from './checksum.ts'

/** Positions from first to last, inclusive. */
export interface Span {
  readonly first: number
  readonly last: number
}

const columns = 'first, last, sum'

export class ResourceRuns {
  /** The run nearest to the end of the log; null if there is none. */
  #newest: Span | null
  /** As of the open transaction. */
  #next: Span | null
  readonly #sql

  constructor(database: DatabaseSync) {
    this.#sql = {
      write: database.prepare('REPLACE INTO resource_run (first, last, sum) VALUES (?, ?, ?)'),
      upTo: database.prepare(
        `SELECT ${columns} FROM resource_run WHERE first <= ? ORDER BY first DESC LIMIT 1`,
      ),
      after: database.prepare(`SELECT ${columns} FROM resource_run WHERE first > ? ORDER BY first LIMIT 1`),
      forget: database.prepare('DELETE FROM resource_run WHERE first < ? AND last < ?'),
    }
    this.#newest = this.#upTo(Number.MAX_SAFE_INTEGER)
    this.#next = this.#newest
  }

  /** Notes that the events at these positions, in order, are about resources. */
  append(positions: readonly number[]): void {
    if (positions.length === 0) return
    for (const position of positions) {
      if (this.#next?.last === position - 1) this.#next = { first: this.#next.first, last: position }
      else {
        this.#write()
        this.#next = { first: position, last: position }
      }
    }
    this.#write()
  }

  settle(): void {
    this.#newest = this.#next
  }

  discard(): void {
    this.#next = this.#newest
  }

  /** The parts of a span between runs, in this order. */
  between(span: Span, order: 'asc' | 'desc'): Iterable<Span> {
    return order === 'asc' ? this.#upwards(span) : this.#downwards(span)
  }

  /** Removes runs that end before the oldest event. */
  retain(oldest: number): void {
    this.#sql.forget.run(oldest, oldest)
  }

  *#upwards({ first, last }: Span): Iterable<Span> {
    for (let position = first; position <= last; ) {
      const run = this.#upTo(position)
      if (run !== null && run.last >= position) position = run.last + 1
      else {
        const next = runOf(this.#sql.after.get(position))
        const end = next === null ? last : Math.min(last, next.first - 1)
        yield { first: position, last: end }
        position = end + 1
      }
    }
  }

  *#downwards({ first, last }: Span): Iterable<Span> {
    for (let position = last; position >= first; ) {
      const run = this.#upTo(position)
      if (run !== null && run.last >= position) position = run.first - 1
      else {
        const begin = run === null ? first : Math.max(first, run.last + 1)
        yield { first: begin, last: position }
        position = begin - 1
      }
    }
  }

  /** The last run that begins at or before the position. */
  #upTo(position: number): Span | null {
    return runOf(this.#sql.upTo.get(position))
  }

  #write(): void {
    if (this.#next === null) return
    const { first, last } = this.#next
    this.#sql.write.run(first, last, checksum(first, String(last)))
  }
}

function runOf(row: unknown): Span | null {
  if (row === undefined) return null
  const { first, last, sum } = row as Span & { sum: number }
  requireSum('resource_run', first, String(last), sum)
  return { first, last }
}
