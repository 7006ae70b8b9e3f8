// store/sqlite/moving/part-rows.ts: reads each part of a store from its tables, in the order of the key, and checks every
// sum on the way: a damaged row is never copied. A new part is an entry here; the compiler asks for it.
import type { DatabaseSync } from 'node:sqlite'
import type { PartName, RowOf } from '../../moving/portable-rows.ts'
import { storeError } from '../../store-errors.ts'
import { storedLevels } from '../../trend.ts'
import { requireSum } from '../checksum.ts'
import { identitiesOf } from '../identity-blocks.ts'
import { changeSum, endSum, requireResourceSum, type SummedRow } from '../resource-sums.ts'
import { openBlockOf, trendTables } from '../trend-table.ts'
import type { PartBeside } from './beside-files.ts'

interface PartRows<Row> {
  readonly count: string
  read(database: DatabaseSync): Iterable<Row>
}

export const partRows: { readonly [Name in Exclude<PartName, PartBeside>]: PartRows<RowOf<Name>> } = {
  identities: {
    count: 'SELECT coalesce(sum(json_array_length(rows)), 0) AS count FROM identity_block',
    *read(database) {
      for (const row of database
        .prepare('SELECT block, rows, sum FROM identity_block ORDER BY block')
        .iterate()) {
        const { block, rows, sum } = row as { block: number; rows: string; sum: number }
        requireSum('identity_block', block, rows, sum)
        for (const identity of identitiesOf(rows)) yield { controlsBefore: null, ...identity }
      }
    },
  },
  events: { count: countOf('event'), read: readEvents },
  incidents: {
    count: countOf('incident'),
    *read(database) {
      const sql =
        'SELECT opened, closed, numeric_id AS numericId, id, body, sum FROM incident ORDER BY opened'
      for (const { body, ...row } of summed<RowOf<'incidents'>>(database, 'incident', 'opened', sql))
        yield { ...row, ...splitIncident(body) }
    },
  },
  actions: { count: countOf('action'), read: readActions },
  states: bodies('state', 'numeric_id', 'numericId'),
  pushes: bodies('push', 'numeric_id', 'numericId'),
  escalations: {
    count: countOf('escalation'),
    *read(database) {
      const sql = 'SELECT key, key_hash AS hash, body, sum FROM escalation ORDER BY key'
      for (const { hash, ...row } of summed<RowOf<'escalations'> & Hashed>(
        database,
        'escalation',
        'hash',
        sql,
      ))
        yield row
    },
  },
  revisions: {
    count: countOf('revision'),
    *read(database) {
      const sql = 'SELECT kind, id, until, key_hash AS hash, body, sum FROM revision ORDER BY kind, id, until'
      for (const { hash, ...row } of summed<RowOf<'revisions'> & Hashed>(database, 'revision', 'hash', sql))
        yield row
    },
  },
  blocks: {
    count: countOf('counter_block'),
    *read(database) {
      for (const row of database
        .prepare('SELECT block, bytes, sum FROM counter_block ORDER BY block')
        .iterate()) {
        const { block, bytes, sum } = row as { block: number; bytes: Uint8Array; sum: number }
        requireSum('counter_block', block, bytes, sum)
        yield { block, bytes }
      }
    },
  },
  figures: {
    count: 'SELECT (SELECT count(*) FROM slo) + (SELECT count(*) FROM dead_destinations) AS count',
    *read(database) {
      for (const [name, table] of figureTables)
        for (const { body } of summed<Body>(database, table, 'only', `SELECT only, body, sum FROM ${table}`))
          yield { name, body }
    },
  },
  resources: {
    count: countOf('resource'),
    *read(database) {
      const sql = `SELECT ${versionOf('resource')} FROM resource ${withLabels('resource')} ORDER BY kind, id`
      for (const row of database.prepare(sql).iterate()) yield versionIn(row as unknown as VersionRow)
    },
  },
  pastResources: {
    count: countOf('resource_past'),
    *read(database) {
      const sql = `
        SELECT ${versionOf('resource_past')}, ended_by AS endedBy, ended_at AS endedAt, end_sum AS endSum
        FROM resource_past ${withLabels('resource_past')} ORDER BY ended_by`
      for (const row of database.prepare(sql).iterate()) {
        const past = row as unknown as VersionRow & { endedBy: number; endedAt: number; endSum: number }
        if (endSum(past, past) !== past.endSum) throw wrongSum('resource_past', past.endedBy)
        yield { ...versionIn(past), endedBy: past.endedBy, endedAt: past.endedAt }
      }
    },
  },
  changes: {
    count: countOf('resource_change'),
    *read(database) {
      const sql = 'SELECT change, kind, id, deleted, sum FROM resource_change ORDER BY change'
      for (const row of database.prepare(sql).iterate()) {
        const { deleted, sum, ...change } = row as unknown as ChangeRow
        if (changeSum({ ...change, deleted }) !== sum) throw wrongSum('resource_change', change.change)
        yield { ...change, isDeleted: deleted === 1 }
      }
    },
  },
  operations: bodies('operation', 'id', 'id'),
  bulk: {
    count: countOf('bulk'),
    read: (database) =>
      summed(database, 'bulk', 'id', 'SELECT id, ended_at AS endedAt, body, sum FROM bulk ORDER BY id'),
  },
  outcomes: {
    count: countOf('bulk_outcome'),
    *read(database) {
      const sql = 'SELECT operation, first, body, sum FROM bulk_outcome ORDER BY operation, first'
      for (const row of database.prepare(sql).iterate()) {
        const { sum, ...outcome } = row as { operation: number; first: number; body: string; sum: number }
        requireSum('bulk_outcome', outcome.operation + outcome.first, outcome.body, sum)
        yield outcome
      }
    },
  },
  executions: {
    count: countOf('execution'),
    *read(database) {
      const sql = 'SELECT id, id_hash AS hash, forget_at AS forgetAt, body, sum FROM execution ORDER BY id'
      for (const { hash, ...row } of summed<RowOf<'executions'> & Hashed>(database, 'execution', 'hash', sql))
        yield row
    },
  },
  statements: {
    count: countOf('worker_statement'),
    *read(database) {
      const sql = `
        SELECT execution AS executionId, id, execution_hash AS hash, body, sum FROM worker_statement
        ORDER BY execution, id`
      for (const { hash, ...row } of summed<RowOf<'statements'> & Hashed>(
        database,
        'worker_statement',
        'hash',
        sql,
      ))
        yield row
    },
  },
  trends: {
    count: `SELECT ${storedLevels.map((level) => `(SELECT count(*) FROM ${trendTables[level]})`).join(' + ')} AS count`,
    *read(database) {
      for (const [level, name] of storedLevels.entries()) {
        const table = trendTables[name]
        for (const row of database.prepare(`SELECT key, bytes, sum FROM ${table} ORDER BY key`).iterate()) {
          const { key, bytes, sum } = row as { key: number; bytes: Uint8Array; sum: number }
          requireSum(table, key, bytes, sum)
          yield { level, key, bytes }
        }
      }
    },
  },
  openTrends: {
    count: countOf('trend_open'),
    *read(database) {
      for (const row of database
        .prepare('SELECT key, cell, sum, bytes FROM trend_open ORDER BY key')
        .iterate()) {
        const { level, block, cell, bytes } = openBlockOf(row)
        yield { level: storedLevels.indexOf(level), block, cell, bytes }
      }
    },
  },
}

interface Body {
  readonly body: string
}

interface Hashed {
  readonly hash: number
}

type ChainedRow = Omit<RowOf<'events'>, 'numericId' | 'isOfResource'> & { readonly chain: number | null }
type ActionRow = Omit<RowOf<'actions'>, 'monitorId'> & Hashed & { readonly incarnationSum: number }

/** In the order of their names. */
export const figureTables = [
  ['destinations', 'dead_destinations'],
  ['slo', 'slo'],
] as const

interface ChangeRow {
  readonly change: number
  readonly kind: number
  readonly id: string
  readonly deleted: number
  readonly sum: number
}

type VersionRow = SummedRow & { readonly labels: string | null; readonly labelsSum: number }

function* readEvents(database: DatabaseSync): Iterable<RowOf<'events'>> {
  const runs = database.prepare('SELECT first, last FROM resource_run ORDER BY first').iterate()
  let run = nextRun(runs)
  const sql = 'SELECT position, numeric_id AS chain, at, body, sum FROM event ORDER BY position'
  for (const { chain, ...row } of summed<ChainedRow>(database, 'event', 'position', sql)) {
    while (run !== null && run.last < row.position) run = nextRun(runs)
    const isOfResource = run !== null && run.first <= row.position
    yield { ...row, isOfResource, numericId: chain === null || chain >= 0 ? chain : -1 - chain }
  }
}

function nextRun(runs: Iterator<unknown>): { first: number; last: number } | null {
  const { done, value } = runs.next()
  return done ? null : (value as { first: number; last: number })
}

function* readActions(database: DatabaseSync): Iterable<RowOf<'actions'>> {
  const sql = `
    SELECT sequence AS number, id, monitor_hash AS hash, unsettled, changed_at AS changedAt, body, sum,
      incarnation, incarnation_sum AS incarnationSum FROM action ORDER BY sequence`
  for (const { hash, incarnationSum, ...row } of summed<ActionRow>(database, 'action', 'hash', sql)) {
    if (row.incarnation !== null) requireSum('action of monitor', hash, row.incarnation, incarnationSum)
    yield { ...row, monitorId: JSON.parse(row.body).monitorId ?? null }
  }
}

/** The body has all of an incident; its end and what people did are apart in a copy. */
function splitIncident(text: string): Pick<RowOf<'incidents'>, 'body' | 'ended' | 'handled'> {
  const { closed = null, handling = null, ...opened } = JSON.parse(text)
  const { position: _position, ...ended } = closed ?? {}
  return {
    body: JSON.stringify(opened),
    ended: closed === null ? null : JSON.stringify(ended),
    handled: handling === null ? null : JSON.stringify(handling),
  }
}

function versionIn({ labels, labelsSum, ...row }: VersionRow): RowOf<'resources'> {
  requireResourceSum(row)
  if (labels === null) throw storeError('corrupt', `(label_set ${row.labelSet} is missing)`)
  requireSum('label_set', row.labelSet, labels, labelsSum)
  const { kind, id, change, body, sealed } = row
  return { kind, id, change, labels, body, sealed }
}

function versionOf(table: string): string {
  return `kind, id, label_set AS labelSet, change, ${table}.sum AS sum, ${table}.body AS body, sealed,
    label_set.body AS labels, label_set.sum AS labelsSum`
}

function withLabels(table: string): string {
  return `LEFT JOIN label_set ON label_set.number = ${table}.label_set`
}

function bodies<Key extends 'numericId' | 'id'>(
  table: string,
  column: string,
  key: Key,
): PartRows<{ readonly [Name in Key]: number } & { readonly body: string }> {
  const sql = `SELECT ${column} AS ${key}, body, sum FROM ${table} ORDER BY ${column}`
  return { count: countOf(table), read: (database) => summed(database, table, key, sql) }
}

/** Rows with a body, without the sum that covers the body and the column `key`. */
function* summed<Row extends { readonly body: string }>(
  database: DatabaseSync,
  table: string,
  key: string,
  sql: string,
): Iterable<Row> {
  for (const row of database.prepare(sql).iterate()) {
    const { sum, ...rest } = row as { sum: number; body: string; [column: string]: unknown }
    requireSum(table, rest[key] as number, rest.body, sum)
    yield rest as unknown as Row
  }
}

function wrongSum(table: string, key: number): Error {
  return storeError('corrupt', `(${table} ${key}: its checksum is wrong)`)
}

function countOf(table: string): string {
  return `SELECT count(*) AS count FROM ${table}`
}
