// store/sqlite/trend-table.ts: trend blocks. Each level has its own table, ordered by cell and block, so that
// closed blocks are appended at its end and fill its pages. Open blocks are few and rewritten often, so they
// are in another table.
import type { DatabaseSync } from 'node:sqlite'
import { isSaved, type SavedLevel, type TrendLevel } from '../../trends/levels.ts'
import type { OpenTrendBlock } from '../trend.ts'
import type { TrendRows } from '../trend-keeping.ts'
import { checksum, requireSum } from './checksum.ts'

export const trendTables: Readonly<Record<TrendLevel, string>> = {
  minute: 'trend_minute',
  fiveMinutes: 'trend_five_minutes',
  hour: 'trend_hour',
  day: 'trend_day',
}

/** Part of the stored keys of open blocks: must never change. */
const levelNumbers: Readonly<Record<SavedLevel, number>> = { fiveMinutes: 0, hour: 1 }
const savedLevels = ['fiveMinutes', 'hour'] as const
const openKeysPerLevel = 2 ** 32

const columns = 'key INTEGER PRIMARY KEY, sum INTEGER NOT NULL, bytes BLOB NOT NULL'

export function makeTrendTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE trend_five_minutes (${columns}) STRICT;
    CREATE TABLE trend_hour (${columns}) STRICT;
    CREATE TABLE trend_day (${columns}) STRICT;
    CREATE TABLE trend_open (
      key INTEGER PRIMARY KEY,           -- level and block
      cell INTEGER NOT NULL,
      sum INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
  `)
}

/**
 * The table for minutes. The format number stays the same: earlier versions of the format name the tables that they write,
 * so they leave this one alone, and an older release can still open the data.
 */
function addMinutes(database: DatabaseSync): void {
  database.exec(`CREATE TABLE IF NOT EXISTS ${trendTables.minute} (${columns}) STRICT`)
}

export class TrendTable implements TrendRows {
  readonly #levels
  readonly #open

  constructor(database: DatabaseSync) {
    addMinutes(database)
    const statements = (table: string) => ({
      read: database.prepare(`SELECT sum, bytes FROM ${table} WHERE key = ?`),
      write: database.prepare(`REPLACE INTO ${table} (key, sum, bytes) VALUES (?, ?, ?)`),
      first: database.prepare(`SELECT key FROM ${table} WHERE key >= ? ORDER BY key LIMIT 1`),
      remove: database.prepare(
        `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE key < ? ORDER BY key LIMIT ?)`,
      ),
    })
    this.#levels = {
      minute: statements(trendTables.minute),
      fiveMinutes: statements(trendTables.fiveMinutes),
      hour: statements(trendTables.hour),
      day: statements(trendTables.day),
    }
    this.#open = {
      all: database.prepare('SELECT key, cell, sum, bytes FROM trend_open ORDER BY key'),
      read: database.prepare('SELECT key, cell, sum, bytes FROM trend_open WHERE key = ?'),
      write: database.prepare('REPLACE INTO trend_open (key, cell, sum, bytes) VALUES (?, ?, ?, ?)'),
      remove: database.prepare('DELETE FROM trend_open WHERE key = ?'),
    }
  }

  read(level: TrendLevel, key: number): Uint8Array | null {
    const row = this.#levels[level].read.get(key) as { sum: number; bytes: Uint8Array } | undefined
    if (row === undefined) return null
    requireSum(trendTables[level], key, row.bytes, row.sum)
    return row.bytes
  }

  write(level: TrendLevel, key: number, bytes: Uint8Array): void {
    this.#levels[level].write.run(key, checksum(key, bytes), bytes)
  }

  firstFrom(level: TrendLevel, key: number): number | null {
    const row = this.#levels[level].first.get(key) as { key: number } | undefined
    return row?.key ?? null
  }

  removeBelow(level: TrendLevel, key: number, atMost: number): number {
    return Number(this.#levels[level].remove.run(key, atMost).changes)
  }

  readOpen(level: SavedLevel, block: number): OpenTrendBlock | null {
    const row = this.#open.read.get(openKey(level, block))
    return row === undefined ? null : openBlockOf(row)
  }

  /** All blocks that the previous process was filling. */
  allOpen(): OpenTrendBlock[] {
    return this.#open.all.all().map(openBlockOf)
  }

  writeOpen({ level, block, cell, bytes }: OpenTrendBlock): void {
    if (!isSaved(level)) throw new Error(`cells of the level ${level} are written only when they are closed`)
    const key = openKey(level, block)
    this.#open.write.run(key, cell, checksum(key + cell, bytes), bytes)
  }

  removeOpen(level: SavedLevel, block: number): void {
    this.#open.remove.run(openKey(level, block))
  }
}

function openKey(level: SavedLevel, block: number): number {
  return levelNumbers[level] * openKeysPerLevel + block + 1
}

export function openBlockOf(row: object): OpenTrendBlock {
  const { key, cell, sum, bytes } = row as { key: number; cell: number; sum: number; bytes: Uint8Array }
  // The sum covers the cell: another one would move all that was counted.
  requireSum('trend_open', key + cell, bytes, sum)
  const level = savedLevels[Math.floor(key / openKeysPerLevel)] ?? 'hour'
  return { level, block: (key % openKeysPerLevel) - 1, cell, bytes }
}
