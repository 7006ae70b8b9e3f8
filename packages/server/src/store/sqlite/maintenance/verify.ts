// store/sqlite/maintenance/verify.ts: whether a store, or a backup of one, can be relied on: SQLite's full
// structure check, our format, and the checksum of every value. Works while an owner runs; changes nothing.
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { UsageError } from '../../../platform/usage-error.ts'
import { StoreError } from '../../store.ts'
import { checksum } from '../checksum.ts'
import { openForReading } from '../database.ts'
import { requireReadable } from '../format.ts'
import {
  countResources,
  damaged,
  type ResourceCounts,
  resourceProblems,
  resourcesSince,
} from '../resource-verification.ts'
import { asStoreError } from '../sqlite-errors.ts'

export interface Verdict extends ResourceCounts {
  /** What is wrong, in sentences; empty if nothing is. */
  readonly problems: readonly string[]
  readonly position: number
  readonly events: number
}

/** Every value with a checksum: table, key, value, sum; a backup of an earlier format may lack some tables. */
const summedValues: readonly (readonly [
  table: string,
  key: string,
  value: string,
  sum: string,
  since?: number,
])[] = [
  ['event', 'position', 'body', 'sum'],
  ['event_heads', 'block', 'bytes', 'sum'],
  ['action', 'monitor_hash', 'body', 'sum'],
  ['identity_block', 'block', 'rows', 'sum'],
  ['identity_block', 'block', 'hashes', 'hashes_sum'],
  ['state', 'numeric_id', 'body', 'sum'],
  ['counter_block', 'block', 'bytes', 'sum'],
  ['slo', 'only', 'body', 'sum'],
  ['dead_destinations', 'only', 'body', 'sum'],
  ['store_identity', 'only', 'body', 'sum', 3],
  ['label_set', 'number', 'body', 'sum', resourcesSince],
  ['resource_figures', 'only', 'body', 'sum', resourcesSince],
  ['operation', 'id', 'body', 'sum', resourcesSince],
  ['bulk', 'id', 'body', 'sum', resourcesSince],
  ['bulk_outcome', 'operation + first', 'body', 'sum', resourcesSince],
  ['resource_run', 'first', 'CAST(last AS TEXT)', 'sum', resourcesSince],
  ['incident', 'opened', 'body', 'sum', resourcesSince],
  ['execution', 'id_hash', 'body', 'sum', 6],
  ['action', 'monitor_hash', 'incarnation', 'incarnation_sum', 8],
  ['worker_statement', 'execution_hash', 'body', 'sum', 8],
  ['push', 'numeric_id', 'body', 'sum', 9],
  ['escalation', 'key_hash', 'body', 'sum', 10],
  ['revision', 'key_hash', 'body', 'sum', 11],
  ['trend_open', 'key + cell', 'bytes', 'sum', 7],
  ['trend_minute', 'key', 'bytes', 'sum', 7],
  ['trend_five_minutes', 'key', 'bytes', 'sum', 7],
  ['trend_hour', 'key', 'bytes', 'sum', 7],
  ['trend_day', 'key', 'bytes', 'sum', 7],
]

const noResources: ResourceCounts = { resources: 0, pastResources: 0, operations: 0 }

/** Further problems would only repeat that a backup is needed. */
const problemsShown = 20

export function verifyStore(path: string): Verdict {
  if (!existsSync(path)) throw new UsageError(`${path} does not exist.`)
  let database: DatabaseSync | null = null
  try {
    database = openForReading(path)
    // In one transaction: the owner may keep committing meanwhile.
    database.exec('BEGIN')
    const format = requireReadable(database)
    if (format === 0) return failed('The file is empty.')
    const problems = [...structureProblems(database)]
    if (problems.length === 0)
      problems.push(...Iterator.from(contentProblems(database, format)).take(problemsShown))
    const { position, events } = database
      .prepare('SELECT position, (SELECT count(*) FROM event) AS events FROM log')
      .get() as { position: number; events: number }
    const counts = format < resourcesSince ? noResources : countResources(database)
    return { problems, position, events, ...counts }
  } catch (error) {
    const known = asStoreError(error)
    if (!(known instanceof StoreError)) throw error
    return failed(known.message)
  } finally {
    database?.close()
  }
}

function failed(problem: string): Verdict {
  return { problems: [problem], position: 0, events: 0, ...noResources }
}

function* structureProblems(database: DatabaseSync): Iterable<string> {
  for (const row of database.prepare(`PRAGMA integrity_check(${problemsShown})`).all()) {
    const words = String(row['integrity_check'])
    if (words !== 'ok') yield `The structure is damaged: ${words}.`
  }
}

function* contentProblems(database: DatabaseSync, format: number): Iterable<string> {
  yield* sumProblems(database, format)
  if (format >= resourcesSince) yield* resourceProblems(database)
}

/** A table may have been added without a new format. */
function hasTable(database: DatabaseSync, name: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
  )
}

function* sumProblems(database: DatabaseSync, format: number): Iterable<string> {
  for (const [table, key, value, sum, since = 1] of summedValues) {
    if (format < since || !hasTable(database, table)) continue
    const rows = database.prepare(
      `SELECT ${key} AS key, ${value} AS value, ${sum} AS sum FROM ${table} WHERE ${value} IS NOT NULL`,
    )
    for (const row of rows.iterate()) {
      const kept = row as { key: number; value: string | Uint8Array; sum: number }
      if (checksum(kept.key, kept.value) !== kept.sum) yield damaged(table, kept.key)
    }
  }
}
