// store/sqlite/moved-mark.ts: the mark of a store that was moved away. It raises the format number, so that every version
// refuses the store: those that do not know the mark take it for one of a newer version.
import type { DatabaseSync } from 'node:sqlite'
import type { Moved } from '../moving/movable-store.ts'

/** More than there will be formats. */
export const movedBy = 1_000

export function markMoved(database: DatabaseSync, { to, at }: Moved): void {
  const format = formatNumber(database)
  database.exec(`
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS moved (only INTEGER PRIMARY KEY CHECK (only = 1), place TEXT NOT NULL, at REAL NOT NULL) STRICT`)
  database.prepare('REPLACE INTO moved VALUES (1, ?, ?)').run(to, at)
  database.exec(`PRAGMA user_version = ${(format % movedBy) + movedBy}; COMMIT`)
}

/** Within a transaction of the caller. */
export function takeMarkBack(database: DatabaseSync): void {
  database.exec(`DROP TABLE IF EXISTS moved; PRAGMA user_version = ${formatNumber(database) % movedBy}`)
}

/** Null if the store is where it was made. */
export function movedIn(database: DatabaseSync): Moved | null {
  if (formatNumber(database) < movedBy) return null
  return database.prepare('SELECT place AS "to", at FROM moved').get() as unknown as Moved
}

/** With the mark. */
export function formatNumber(database: DatabaseSync): number {
  return database.prepare('PRAGMA user_version').get()!['user_version'] as number
}
