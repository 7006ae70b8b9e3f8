// store/sqlite/resource-verification.ts: what can be wrong with managed resources even if the structure of
// the file is right: a value that does not match its checksum, or a missing label set or change.
import type { DatabaseSync } from 'node:sqlite'
import type { ResourceRow } from '../resource-rows.ts'
import {
  type ChangeRow,
  changeSum,
  endSum,
  resourceSum,
  type SummedRow,
  type VersionEnd,
  versionColumns,
} from './resource-sums.ts'

/** The first format with resources. */
export const resourcesSince = 5

export interface ResourceCounts {
  readonly resources: number
  /** Replaced or deleted versions. */
  readonly pastResources: number
  readonly operations: number
}

export function countResources(database: DatabaseSync): ResourceCounts {
  const counts = database.prepare(`
    SELECT (SELECT count(*) FROM resource) AS resources, (SELECT count(*) FROM resource_past) AS pastResources,
      (SELECT count(*) FROM operation) AS operations`)
  return { ...counts.get() } as unknown as ResourceCounts
}

export function* resourceProblems(database: DatabaseSync): Iterable<string> {
  for (const row of rowsOf<SummedRow>(database, `SELECT ${versionColumns} FROM resource`))
    if (resourceSum(row) !== row.sum) yield damaged('resource', row.id)
  const past = `SELECT ${versionColumns}, ended_by AS endedBy, ended_at AS endedAt, end_sum AS endSum FROM resource_past`
  for (const row of rowsOf<SummedRow & VersionEnd & { endSum: number }>(database, past))
    if (resourceSum(row) !== row.sum || endSum(row, row) !== row.endSum)
      yield damaged('resource_past', row.endedBy)
  const changes = 'SELECT change, kind, deleted, sum, id FROM resource_change'
  for (const row of rowsOf<ChangeRow & { sum: number }>(database, changes))
    if (changeSum(row) !== row.sum) yield damaged('resource_change', row.change)
  yield* referenceProblems(database)
}

function* referenceProblems(database: DatabaseSync): Iterable<string> {
  const missing = `
    SELECT id, label_set AS labelSet FROM (SELECT id, label_set FROM resource UNION ALL SELECT id, label_set FROM resource_past)
    WHERE label_set NOT IN (SELECT number FROM label_set)`
  for (const { id, labelSet } of rowsOf<Pick<ResourceRow, 'id' | 'labelSet'>>(database, missing))
    yield `A value is missing: the labels ${labelSet} of resource ${id}.`
  const unlogged = `
    SELECT id, change FROM resource WHERE change > (SELECT coalesce(max(change), 0) FROM resource_change)`
  for (const { id, change } of rowsOf<Pick<ResourceRow, 'id' | 'change'>>(database, unlogged))
    yield `A value is missing: the change ${change} of resource ${id}.`
}

export function damaged(table: string, key: number | string): string {
  return `A value is damaged: ${table} ${key} has another checksum.`
}

function* rowsOf<Row>(database: DatabaseSync, sql: string): Iterable<Row> {
  for (const row of database.prepare(sql).iterate()) yield row as Row
}
