// store/sqlite/staging/staging-file.ts: the uploads of one operation, in a separate SQLite file: it never
// blocks the store, and its space is freed as soon as the operation ends. A killed process loses nothing of
// it. A power cut may lose the last uploads, each as a whole: the client is told how many there are and sends
// them again. `settle` syncs everything to disk before anything builds on it.
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { makePrivateFile } from '../../../platform/make-private-file.ts'
import type {
  PlannedItem,
  PlannedStagedItem,
  StagedItem,
  StagedOperation,
  StagingHead,
} from '../../staging.ts'
import { asStoreError, withStoreErrors } from '../sqlite-errors.ts'
import { type ItemRow, itemColumns, itemOf, makeTables, type PlannedRow } from './staging-tables.ts'

const cacheKib = 8_192
const writeAheadLogPages = 4_000

export class StagingFile implements StagedOperation {
  readonly #database: DatabaseSync
  readonly #sql
  #byResource: StatementSync | null = null
  #uploaded: number

  static create(path: string, head: StagingHead): StagingFile {
    return withStoreErrors(() => {
      makePrivateFile(path)
      return new StagingFile(new DatabaseSync(path), head)
    })
  }

  /** Null if the file belongs to another store. */
  static open(path: string, store: string): StagingFile | null {
    return withStoreErrors(() => {
      const database = new DatabaseSync(path)
      const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'item'").get()
      if (known !== undefined) {
        const file = new StagingFile(database, null)
        if (file.head.store === store) return file
      }
      database.close()
      return null
    })
  }

  private constructor(database: DatabaseSync, head: StagingHead | null) {
    this.#database = database
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${cacheKib};
      PRAGMA wal_autocheckpoint = ${writeAheadLogPages}`)
    if (head !== null) makeTables(database, head)
    this.#sql = {
      head: database.prepare(
        'SELECT number, store, item_count AS itemCount, content_digest AS contentDigest, touched_at AS touchedAt FROM head',
      ),
      touch: database.prepare('UPDATE head SET touched_at = ?'),
      byItemId: database.prepare(`SELECT ${itemColumns} FROM item WHERE item_id = ?`),
      add: database.prepare('INSERT OR IGNORE INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
      following: database.prepare(
        `SELECT ${itemColumns} FROM item WHERE ordinal >= ? ORDER BY ordinal LIMIT ?`,
      ),
      digests: database.prepare(
        'SELECT ordinal, item_id AS itemId, digest, sealed FROM item WHERE ordinal >= ? ORDER BY ordinal LIMIT ?',
      ),
      count: database.prepare('SELECT coalesce(max(ordinal) + 1, 0) AS count FROM item'),
      addPlan: database.prepare('INSERT INTO plan VALUES (?, ?, ?, ?)'),
      rerank: database.prepare('UPDATE plan SET rank = ? WHERE rank = ? AND ordinal = ?'),
      planned: database.prepare(`
        SELECT ${itemColumns}, rank, seen, outcome FROM plan JOIN item ON item.ordinal = plan.ordinal
        WHERE (rank, plan.ordinal) > (?, ?) ORDER BY rank, plan.ordinal LIMIT ?`),
      place: database.prepare('SELECT rank, ordinal FROM plan ORDER BY rank, ordinal LIMIT 1 OFFSET ?'),
    }
    // Reading rows as arrays is twice as fast.
    for (const statement of [this.#sql.byItemId, this.#sql.following, this.#sql.planned])
      statement.setReturnArrays(true)
    this.#uploaded = (this.#sql.count.get() as { count: number }).count
  }

  get head(): StagingHead {
    return withStoreErrors(() => ({ ...this.#sql.head.get() }) as unknown as StagingHead)
  }

  get uploaded(): number {
    return this.#uploaded
  }

  find(itemId: string): StagedItem | null {
    const row = withStoreErrors(() => this.#sql.byItemId.get(itemId)) as unknown as ItemRow | undefined
    return row === undefined ? null : itemOf(row)
  }

  add<Item extends Omit<StagedItem, 'ordinal'>>(
    items: readonly Item[],
    touchedAt: number,
    repeated: (item: Item) => void,
    counted: (added: number) => void,
  ): Item[] {
    const added: Item[] = []
    this.#transact(() => {
      for (const item of items) {
        if (this.#add(item, this.#uploaded + added.length)) added.push(item)
        else repeated(item)
      }
      counted(added.length)
      this.#sql.touch.run(touchedAt)
    })
    this.#uploaded += added.length
    return added
  }

  touch(touchedAt: number): void {
    withStoreErrors(() => this.#sql.touch.run(touchedAt))
  }

  itemsFrom(ordinal: number, count: number): StagedItem[] {
    const rows = withStoreErrors(() => this.#sql.following.all(ordinal, count))
    return (rows as unknown as ItemRow[]).map(itemOf)
  }

  digestsFrom(
    ordinal: number,
    count: number,
  ): Pick<StagedItem, 'ordinal' | 'itemId' | 'digest' | 'sealed'>[] {
    return withStoreErrors(() => this.#sql.digests.all(ordinal, count)) as unknown as StagedItem[]
  }

  /** Created once, which costs less than maintaining it with every upload. */
  indexResources(): void {
    withStoreErrors(() =>
      this.#database.exec(`
        DELETE FROM plan;
        CREATE INDEX IF NOT EXISTS item_by_resource ON item (kind, id)`),
    )
  }

  ordinalOf(kind: number, id: string): number {
    return withStoreErrors(() => {
      this.#byResource ??= this.#database.prepare(
        'SELECT ordinal FROM item INDEXED BY item_by_resource WHERE kind = ? AND id = ? ORDER BY ordinal LIMIT 1',
      )
      return (this.#byResource.get(kind, id) as { ordinal: number } | undefined)?.ordinal ?? -1
    })
  }

  *repeatedResources(): Generator<{ readonly ordinal: number; readonly first: number }> {
    try {
      const repeated = this.#database.prepare(`
        SELECT later.ordinal, earlier.first FROM (
          SELECT kind, id, min(ordinal) AS first FROM item INDEXED BY item_by_resource
          GROUP BY kind, id HAVING count(*) > 1) AS earlier
        JOIN item AS later INDEXED BY item_by_resource ON later.kind = earlier.kind AND later.id = earlier.id
        WHERE later.ordinal > earlier.first`)
      for (const row of repeated.iterate()) yield row as { ordinal: number; first: number }
    } catch (error) {
      throw asStoreError(error)
    }
  }

  plan(items: readonly PlannedItem[]): void {
    this.#transact(() => {
      for (const { rank, ordinal, seen, outcome } of items)
        this.#sql.addPlan.run(rank, ordinal, seen, outcome)
    })
  }

  rerank(changes: Iterable<{ readonly ordinal: number; readonly from: number; readonly to: number }>): void {
    this.#transact(() => {
      for (const { ordinal, from, to } of changes) this.#sql.rerank.run(to, from, ordinal)
    })
  }

  planned(place: number, count: number): PlannedStagedItem[] {
    if (place === 0) return this.plannedAfter(-1, -1, count)
    const before = withStoreErrors(() => this.#sql.place.get(place - 1))
    return before === undefined
      ? []
      : this.plannedAfter(Number(before['rank']), Number(before['ordinal']), count)
  }

  plannedAfter(rank: number, ordinal: number, count: number): PlannedStagedItem[] {
    const rows = withStoreErrors(() => this.#sql.planned.all(rank, ordinal, count))
    return (rows as unknown as PlannedRow[]).map((row) => {
      const [, , , , , , , , , , , , itsRank, seen, outcome] = row
      return { ...itemOf(row), rank: itsRank, seen, outcome }
    })
  }

  foreseen(count: number): (Pick<StagedItem, 'itemId'> & Pick<PlannedItem, 'seen' | 'outcome'>)[] {
    return withStoreErrors(() =>
      this.#database
        .prepare(
          `SELECT item_id AS itemId, seen, outcome FROM plan CROSS JOIN item ON item.ordinal = plan.ordinal
           WHERE plan.ordinal < ? ORDER BY plan.ordinal`,
        )
        .all(count),
    ) as never
  }

  async settle(): Promise<void> {
    withStoreErrors(() => this.#database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)'))
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }

  #transact(work: () => void): void {
    withStoreErrors(() => {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        work()
        this.#database.exec('COMMIT')
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** False if its id is taken. */
  #add(item: Omit<StagedItem, 'ordinal'>, ordinal: number): boolean {
    const { itemId, kind, id, digest, source, expected } = item
    const { name, labels, spec, hasReferences, sealed } = item
    const { changes } = this.#sql.add.run(
      ordinal,
      itemId,
      kind,
      id,
      digest,
      source,
      expected,
      name,
      labels,
      spec,
      hasReferences,
      sealed,
    )
    return changes === 1
  }
}
