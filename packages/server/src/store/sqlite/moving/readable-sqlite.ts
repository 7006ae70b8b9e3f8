// store/sqlite/moving/readable-sqlite.ts: the content of a store in a file, read in one transaction. Whoever opens it
// holds the lock of the store.

import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type DataDirectory, dataDirectory } from '../../data-directory.ts'
import type { ReadableStore } from '../../moving/movable-store.ts'
import { type PartName, type PortableHead, parts, type RowOf } from '../../moving/portable-rows.ts'
import { StoreError } from '../../store.ts'
import { openForReading } from '../database.ts'
import { formatSteps, requireReadable } from '../format.ts'
import { PresentTables } from '../present-tables.ts'
import { readFigures } from '../resource-figures.ts'
import { lastChangeIn } from '../resource-table.ts'
import { asStoreError } from '../sqlite-errors.ts'
import { trendTables } from '../trend-table.ts'
import { countBeside, isBeside, type PartBeside, rowsBeside } from './beside-files.ts'
import { partRows } from './part-rows.ts'

export class ReadableSqlite implements ReadableStore {
  readonly place: string
  readonly #database: DatabaseSync
  /** Of the data directory that it is in. */
  readonly #files: DataDirectory

  /** Throws a StoreError if the file is not a store, or one of a newer or an earlier version. */
  constructor(path: string, place: string) {
    this.place = place
    this.#files = dataDirectory(dirname(path))
    this.#database = openForReading(path)
    try {
      this.#database.exec('BEGIN')
      if (!isOfThisVersion(this.#database))
        throw new StoreError('io', 'The store is of an earlier version; start the service with it once.')
    } catch (error) {
      this.#database.close()
      throw asStoreError(error)
    }
  }

  async head(): Promise<PortableHead> {
    const { epoch, restores = [], pastForgottenUpTo, pastKeptUntil } = readFigures(this.#database)
    const log = this.#database.prepare(`
      SELECT position, oldest, history_bytes AS historyBytes, highest_numeric_id AS highestNumericId,
        committed_at AS committedAt, keeps_until AS keepsUntil, restored_at AS restoredAt FROM log`)
    const figures = log.get() as unknown as Omit<PortableHead, 'identity' | 'epoch' | 'restores'>
    return {
      identity: new PresentTables(this.#database).identity(),
      epoch,
      restores,
      ...figures,
      lastChange: lastChangeIn(this.#database),
      pastForgottenUpTo,
      pastKeepsUntil: pastKeptUntil,
    }
  }

  async count(name: PartName): Promise<number> {
    if (isBeside(name)) return countBeside(this.#files, name)
    return this.#database.prepare(partRows[name].count).get()!['count'] as number
  }

  async *rows<Name extends PartName>(name: Name): AsyncIterable<readonly RowOf<Name>[]> {
    const { rowsAtOnce } = parts[name]
    let chunk: RowOf<Name>[] = []
    try {
      const rows = isBeside(name)
        ? rowsBeside(this.#files, name)
        : partRows[name as Exclude<Name, PartBeside>].read(this.#database)
      for (const row of rows as Iterable<RowOf<Name>>) {
        chunk.push(row)
        if (chunk.length < rowsAtOnce) continue
        yield chunk
        chunk = []
        // The reading itself never waits: lets signals and the other store have their turn.
        await setImmediate()
      }
    } catch (error) {
      throw asStoreError(error)
    }
    if (chunk.length > 0) yield chunk
  }

  async sealedValues(): Promise<readonly Uint8Array[]> {
    const rows = this.#database.prepare('SELECT sealed FROM resource WHERE sealed IS NOT NULL').all()
    return rows.map(({ sealed }) => sealed as Uint8Array)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }
}

/** Some tables and columns were added without a new format. */
export function isOfThisVersion(database: DatabaseSync): boolean {
  const format = requireReadable(database)
  const added = database.prepare(`
    SELECT (SELECT count(*) FROM sqlite_schema WHERE name = '${trendTables.minute}') +
      (SELECT count(*) FROM pragma_table_info('log') WHERE name = 'run') AS added`)
  return format === formatSteps.length && added.get()!['added'] === 2
}
