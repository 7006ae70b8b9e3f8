// store/sqlite/resource-reader.ts: reads resources as last committed, from another thread than the owner's.
import type { DatabaseSync } from 'node:sqlite'
import { dataDirectory } from '../data-directory.ts'
import type { ReadKey, ReadResource, ResourceReader } from '../resource-reader.ts'
import { headOf } from '../resource-rows.ts'
import { storeError } from '../store-errors.ts'
import { requireSum } from './checksum.ts'
import { openForReading } from './database.ts'
import { requireResourceSum, type SummedRow, versionColumns } from './resource-sums.ts'
import { withStoreErrors } from './sqlite-errors.ts'

const cacheKib = 4_096
const labelTextsKept = 10_000

export class SqliteResourceReader implements ResourceReader, Disposable {
  readonly #database: DatabaseSync
  readonly #sql
  /** Cleared for every read: the number of a set may be reused. */
  readonly #labels = new Map<number, string>()

  constructor(directory: string) {
    this.#database = openForReading(dataDirectory(directory).database)
    this.#database.exec(`PRAGMA cache_size = -${cacheKib}`)
    this.#sql = {
      read: this.#database.prepare(`SELECT ${versionColumns} FROM resource WHERE kind = ? AND id = ?`),
      labels: this.#database.prepare('SELECT number, sum, body FROM label_set WHERE number = ?'),
    }
  }

  async read(keys: readonly ReadKey[]): Promise<readonly (ReadResource | null)[]> {
    return withStoreErrors(() => {
      this.#labels.clear()
      this.#database.exec('BEGIN')
      try {
        return keys.map((key) => this.#read(key))
      } finally {
        this.#database.exec('COMMIT')
      }
    })
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }

  #read([kind, id]: ReadKey): ReadResource | null {
    const row = this.#sql.read.get(kind, id) as SummedRow | undefined
    if (row === undefined) return null
    requireResourceSum(row)
    const { change, labelSet, body } = row
    const headEnd = body.indexOf('\n')
    const [uid, generation, createdAt, , name] = headOf(body, headEnd)
    const spec = body.slice(headEnd + 1)
    return { change, uid, generation, createdAt, name, labels: this.#labelsOf(labelSet), spec }
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
