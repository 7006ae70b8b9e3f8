// store/sqlite/record-tables.ts: how each type of record becomes rows, in the controller's thread, and how
// its rows are written, in the store thread. Types that a batch lacks are not sent. An entry may use what the
// entries before it in record-types.ts have written.

import { bulkRow } from '../bulk-rows.ts'
import { escalationRow } from '../escalation-rows.ts'
import { executionRow, statementRow } from '../execution-rows.ts'
import { type RecordType, recordTypeNames, visitRecords } from '../record-types.ts'
import { operationRow, resourceWriteRow } from '../resource-rows.ts'
import { revisionRow } from '../revision.ts'
import { actionRow, eventRows, sloText, stateRow } from '../rows.ts'
import type { CommitBatch } from '../store.ts'
import { pushRow } from './push-table.ts'
import type { StoreTables } from './store-tables.ts'

interface RecordTable<Kept, Rows> {
  rows(kept: Kept): Rows
  write(rows: Rows, tables: StoreTables, committedAt: number): void
}

const recordTables = {
  identities: table(
    (identities: CommitBatch['identities']) => identities,
    (rows, { identities, log }) => {
      identities.write(rows)
      for (const { numericId } of rows)
        log.next.highestNumericId = Math.max(log.next.highestNumericId, numericId)
    },
  ),
  events: table(eventRows, (rows, { events, incidents, log }) => {
    const first = log.next.position + 1
    events.append(rows.events)
    incidents.write(rows.incidents, first)
  }),
  actions: listOf(actionRow, (rows, { actions, resources }) =>
    actions.write(rows, (monitorId) => resources.uidOf(monitorId)),
  ),
  states: listOf(stateRow, (rows, { present }) => present.writeStates(rows)),
  pushes: listOf(pushRow, (rows, { pushes }) => pushes.write(rows)),
  escalations: listOf(escalationRow, (rows, { escalations }) => escalations.write(rows)),
  revisions: listOf(revisionRow, (rows, { revisions }) => revisions.write(rows)),
  blocks: table(
    (blocks: CommitBatch['blocks']) => blocks,
    (rows, { present }) => present.writeBlocks(rows),
  ),
  slo: table(
    (slo: NonNullable<CommitBatch['slo']>) => sloText(slo),
    (body, { present }) => present.writeSlo(body),
  ),
  destinations: table(
    (destinations: NonNullable<CommitBatch['destinations']>) => JSON.stringify(destinations),
    (body, { present }) => present.writeDestinations(body),
  ),
  resources: listOf(resourceWriteRow, (rows, { resources }, committedAt) =>
    resources.write(rows, committedAt),
  ),
  operations: listOf(operationRow, (rows, { operations }) => operations.write(rows)),
  bulk: listOf(bulkRow, (rows, { bulk }) => bulk.write(rows)),
  executions: listOf(executionRow, (rows, { executions }) => executions.write(rows)),
  statements: listOf(statementRow, (rows, { statements }) => statements.write(rows)),
  trends: table(
    (trends: CommitBatch['trends']) => trends,
    (rows, { trends }) => trends.commit(rows),
  ),
} satisfies { readonly [Type in RecordType]: RecordTable<NonNullable<CommitBatch[Type]>, unknown> }

type RowsOf<Type extends RecordType> = ReturnType<(typeof recordTables)[Type]['rows']>

/** A batch, as sent to the store thread. */
export interface BatchRows {
  readonly committedAt: number
  readonly records: { readonly [Type in RecordType]?: RowsOf<Type> }
}

export function batchRows(batch: CommitBatch, committedAt: number): BatchRows {
  const records: { [Type in RecordType]?: unknown } = {}
  visitRecords(batch, (type, kept) => {
    records[type] = tableOf(type).rows(kept)
  })
  return { committedAt, records: records as BatchRows['records'] }
}

export function writeRows({ records, committedAt }: BatchRows, tables: StoreTables): void {
  for (const type of recordTypeNames) {
    const rows = records[type]
    if (rows !== undefined) tableOf(type).write(rows, tables, committedAt)
  }
}

/** Untyped, since each table is only given rows that it made itself. */
function tableOf(type: RecordType): RecordTable<unknown, unknown> {
  return recordTables[type] as RecordTable<unknown, unknown>
}

function table<Kept, Rows>(
  rows: (kept: Kept) => Rows,
  write: RecordTable<Kept, Rows>['write'],
): RecordTable<Kept, Rows> {
  return { rows, write }
}

function listOf<One, Row>(
  row: (one: One) => Row,
  write: RecordTable<unknown, readonly Row[]>['write'],
): RecordTable<readonly One[], readonly Row[]> {
  return { rows: (kept) => kept.map((one) => row(one)), write }
}
