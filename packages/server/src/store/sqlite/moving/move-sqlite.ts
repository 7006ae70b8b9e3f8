// store/sqlite/moving/move-sqlite.ts: a data directory as the source or the target of a move. The lock of the owner is held
// all the time, so no service uses the store meanwhile. A copy is a file of another name until it is complete; a start
// refuses a directory that has such a file and no store.
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { putInPlace, syncToDisk } from '../../../platform/replace-file.ts'
import { UsageError } from '../../../platform/usage-error.ts'
import { type DataDirectory, dataDirectory, makeDirectory } from '../../data-directory.ts'
import type { Moved, MoveSource, MoveTarget, ReadableStore } from '../../moving/movable-store.ts'
import type { PartName, PortableHead, RowOf } from '../../moving/portable-rows.ts'
import { storeBounds } from '../../retention.ts'
import { checksum } from '../checksum.ts'
import { makeEmptyDatabase, markRestored, openForReading } from '../database.ts'
import { markMoved, movedIn, takeMarkBack } from '../moved-mark.ts'
import { lockForOwner } from '../owner-lock.ts'
import { writeFigures } from '../resource-figures.ts'
import { withStoreErrors } from '../sqlite-errors.ts'
import { StoreEngine } from '../store-engine.ts'
import { StoreTables } from '../store-tables.ts'
import { BesideFiles, isBeside, type PartBeside } from './beside-files.ts'
import { PartWriters } from './part-writers.ts'
import { isOfThisVersion, ReadableSqlite } from './readable-sqlite.ts'

export function sqlitePlace(directory: string): string {
  return `sqlite:${resolve(directory)}`
}

/** To be compared: changes nothing. */
export function openReadableSqlite(directory: string): ReadableStore {
  return new LockedSqlite(directory)
}

/** A store of an earlier version is brought to this one first, as by a start. */
export function openSqliteSource(directory: string): MoveSource {
  const { database } = existingStore(directory)
  if (withStoreErrors(() => isEarlier(database))) new StoreEngine(directory).close()
  return new SqliteSource(directory)
}

/** Makes a store that was moved away usable again, as one that was restored. */
export function reclaimSqlite(directory: string, now: number): void {
  const files = existingStore(directory)
  using _lock = lockForOwner(files.ownerLock)
  withStoreErrors(() => {
    using database = openForReading(files.database)
    if (movedIn(database) === null)
      throw new UsageError(`The store in ${directory} was not moved; start the service with it.`)
  })
  withStoreErrors(() => markRestored(files.database, now))
}

class LockedSqlite extends ReadableSqlite {
  readonly #lock: Disposable

  constructor(directory: string) {
    const { database, ownerLock } = existingStore(directory)
    using opened = new DisposableStack()
    const lock = opened.use(lockForOwner(ownerLock))
    super(database, sqlitePlace(directory))
    this.#lock = lock
    opened.move()
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]()
    this.#lock[Symbol.dispose]()
  }

  /** Others may write from now on, as far as the lock allows. */
  protected stopReading(): Promise<void> {
    return super[Symbol.asyncDispose]()
  }
}

class SqliteSource extends LockedSqlite implements MoveSource {
  readonly #path: string
  readonly moved: Moved | null

  constructor(directory: string) {
    super(directory)
    this.#path = dataDirectory(directory).database
    using database = openForReading(this.#path)
    this.moved = movedIn(database)
  }

  async markMoved(moved: Moved): Promise<void> {
    await this.stopReading()
    this.#write((database) => markMoved(database, moved))
  }

  async unmark(): Promise<void> {
    this.#write((database) => {
      database.exec('BEGIN IMMEDIATE')
      takeMarkBack(database)
      database.exec('COMMIT')
    })
  }

  #write(work: (database: DatabaseSync) => void): void {
    withStoreErrors(() => {
      using database = new DatabaseSync(this.#path)
      database.exec('PRAGMA synchronous = FULL')
      work(database)
    })
  }
}

export class SqliteTarget implements MoveTarget {
  readonly place: string
  readonly #files: DataDirectory
  readonly #lock: Disposable
  readonly #database: DatabaseSync
  readonly #tables: StoreTables
  readonly #writers: PartWriters
  readonly #beside: BesideFiles
  #isInPlace = false

  constructor(directory: string) {
    this.place = sqlitePlace(directory)
    this.#files = dataDirectory(directory)
    using opened = new DisposableStack()
    withStoreErrors(() => makeDirectory(directory))
    this.#lock = opened.use(lockForOwner(this.#files.ownerLock))
    requireNoStore(directory, this.#files)
    const { copying } = this.#files
    opened.defer(() => rmSync(copying, { force: true }))
    this.#database = withStoreErrors(() => {
      makeEmptyDatabase(copying)
      const database = opened.use(new DatabaseSync(copying))
      // What is not in place yet need not survive a power cut.
      database.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -65536')
      return database
    })
    this.#tables = new StoreTables(this.#database, storeBounds, randomUUID())
    this.#writers = new PartWriters(this.#database, this.#tables)
    this.#beside = new BesideFiles(this.#files)
    opened.move()
  }

  async write<Name extends PartName>(name: Name, rows: readonly RowOf<Name>[]): Promise<void> {
    if (isBeside(name)) withStoreErrors(() => this.#beside.write(name, rows as never))
    else
      this.#transact(() => this.#writers.write(name as Exclude<Name, PartBeside>, rows as readonly never[]))
  }

  async finish(head: PortableHead): Promise<void> {
    const { identity, epoch, restores, pastForgottenUpTo, pastKeepsUntil } = head
    const { position, oldest, historyBytes, highestNumericId, committedAt, keepsUntil, restoredAt } = head
    this.#transact(() => {
      const { events, log } = this.#tables
      events.writeHeads()
      Object.assign(log.next, { position, oldest, historyBytes, highestNumericId })
      Object.assign(log.next, { committedAt, keepsUntil, restoredAt })
      this.#database
        .prepare('REPLACE INTO store_identity (only, sum, body) VALUES (1, ?, ?)')
        .run(checksum(1, identity), identity)
      writeFigures(this.#database, {
        ...{ epoch, pastForgottenUpTo, pastKeptUntil: pastKeepsUntil },
        ...(restores.length === 0 ? {} : { restores }),
      })
    })
    this.#database.close()
    withStoreErrors(() => this.#beside.finish())
  }

  readBack(): ReadableStore {
    return new ReadableSqlite(this.#files.copying, this.place)
  }

  async putInPlace(): Promise<void> {
    withStoreErrors(() => {
      syncToDisk(this.#files.copying)
      putInPlace(this.#files.copying, this.#files.database)
    })
    this.#isInPlace = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
    rmSync(this.#files.copying, { force: true })
    if (!this.#isInPlace) this.#beside.discard()
    this.#lock[Symbol.dispose]()
  }

  #transact(work: () => void): void {
    withStoreErrors(() => {
      this.#database.exec('BEGIN')
      work()
      this.#tables.log.write()
      this.#database.exec('COMMIT')
      this.#writers.settle()
    })
  }
}

function existingStore(directory: string): DataDirectory {
  const files = dataDirectory(directory)
  if (!existsSync(files.database)) throw new UsageError(`There is no store in ${directory}.`)
  return files
}

function isEarlier(path: string): boolean {
  using database = openForReading(path)
  return !isOfThisVersion(database)
}

function requireNoStore(directory: string, { database, writeAheadLog, restoring }: DataDirectory): void {
  const there = [database, writeAheadLog, restoring].find((path) => existsSync(path))
  if (there !== undefined)
    throw new UsageError(
      `There is a store in ${directory} already (${there}); name another directory, or move the files ${database}* away if it is not needed.`,
    )
}
