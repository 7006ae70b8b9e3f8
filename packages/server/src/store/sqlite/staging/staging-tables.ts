// store/sqlite/staging/staging-tables.ts: the tables of a staging file: the head of its operation, the items,
// and the plan for applying them.
import type { DatabaseSync } from 'node:sqlite'
import type { StagedItem, StagingHead } from '../../staging.ts'

export const itemColumns =
  'item.ordinal, item_id, kind, id, digest, source, expected, name, labels, spec, has_references, sealed'

export type ItemRow = [
  ordinal: number,
  itemId: string,
  kind: number,
  id: string,
  digest: string | null,
  source: string,
  expected: string | null,
  name: string | null,
  labels: string,
  spec: string,
  hasReferences: number,
  sealed: Uint8Array | null,
]
export type PlannedRow = [...item: ItemRow, rank: number, seen: number | null, outcome: string]

export function itemOf(row: ItemRow | PlannedRow): StagedItem {
  const [ordinal, itemId, kind, id, digest, source, expected, name, labels, spec, hasReferences, sealed] = row
  return { ordinal, itemId, kind, id, digest, source, expected, name, labels, spec, hasReferences, sealed }
}

export function makeTables(database: DatabaseSync, head: StagingHead): void {
  database.exec(`
    CREATE TABLE head (
      number INTEGER PRIMARY KEY,
      store TEXT NOT NULL,
      item_count INTEGER NOT NULL,
      content_digest TEXT,
      touched_at REAL NOT NULL
    ) STRICT;
    CREATE TABLE item (
      ordinal INTEGER PRIMARY KEY,       -- the order of upload
      item_id TEXT NOT NULL,
      kind INTEGER NOT NULL,
      id TEXT NOT NULL,
      digest TEXT,
      source TEXT NOT NULL,
      expected TEXT,
      name TEXT,
      labels TEXT NOT NULL,
      spec TEXT NOT NULL,
      has_references INTEGER NOT NULL,
      sealed BLOB
    ) STRICT;
    CREATE UNIQUE INDEX item_by_item_id ON item (item_id);
    CREATE TABLE plan (
      rank INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      seen INTEGER,
      outcome TEXT NOT NULL,
      PRIMARY KEY (rank, ordinal)
    ) STRICT, WITHOUT ROWID;
  `)
  const { number, store, itemCount, contentDigest, touchedAt } = head
  database
    .prepare('INSERT INTO head VALUES (?, ?, ?, ?, ?)')
    .run(number, store, itemCount, contentDigest, touchedAt)
}
