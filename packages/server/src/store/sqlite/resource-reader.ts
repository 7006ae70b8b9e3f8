// store/sqlite/resource-reader.ts: reads resources as they were last committed, beside the thread that owns the store. For
// work that compares many of them with something and must not stand in the way of commits.
import type { DatabaseSync } from 'node:sqlite'
import { dataDirectory } from '../data-directory.ts'
import { requireSum } from './checksum.ts'
import { openForReading } from './database.ts'
import { requireResourceSum, type SummedRow, versionColumns } from './resource-sums.ts'
import { storeError } from './sqlite-errors.ts'

/** A resource as it lies in the store; its body is a line about it, and its spec. */
export interface ReadResource {
  readonly change: number
  /** As JSON with sorted keys. */
  readonly labels: string
  readonly body: string
}

const cacheKib = 4_096
const labelTextsKept = 10_000

export class ResourceReader implements Disposable {
  readonly #database: DatabaseSync
  readonly #sql
  readonly #labels = new Map<number, string>()

  constructor(directory: string) {
    this.#database = openForReading(dataDirectory(directory).database)
    this.#database.exec(`PRAGMA cache_size = -${cacheKib}`)
    this.#sql = {
      read: this.#database.prepare(`SELECT ${versionColumns} FROM resource WHERE kind = ? AND id = ?`),
      labels: this.#database.prepare('SELECT number, sum, body FROM label_set WHERE number = ?'),
    }
  }

  /** All of it at one position. Labels are looked up anew: the number of a set may be given to another. */
  together<Result>(work: () => Result): Result {
    this.#labels.clear()
    this.#database.exec('BEGIN')
    try {
      return work()
    } finally {
      this.#database.exec('COMMIT')
    }
  }

  read(kind: number, id: string): ReadResource | null {
    const row = this.#sql.read.get(kind, id) as SummedRow | undefined
    if (row === undefined) return null
    requireResourceSum(row)
    return { change: row.change, labels: this.#labelsOf(row.labelSet), body: row.body }
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }

  #labelsOf(number: number): string {
    const known = this.#labels.get(number)
    if (known !== undefined) return known
    const row = this.#sql.labels.get(number) as { sum: number; body: string } | undefined
    if (row === undefined) throw storeError('corrupt', `(label_set ${number} is missing)`)
    requireSum('label_set', number, row.body, row.sum)
    if (this.#labels.size >= labelTextsKept) this.#labels.clear()
    this.#labels.set(number, row.body)
    return row.body
  }
}
