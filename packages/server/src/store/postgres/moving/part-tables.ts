// store/postgres/moving/part-tables.ts: where each part of a store is in PostgreSQL, as columns: how a row becomes them and
// comes from them again. A new part is an entry here; the compiler asks for it.
import type { PartName, RowOf } from '../../moving/portable-rows.ts'
import { uidIn } from '../../resource-rows.ts'
import { storeError } from '../../store-errors.ts'
import { copyField } from '../copy-rows.ts'
import { labelTokens, textArray } from '../label-tokens.ts'

interface PartColumn {
  readonly column: string
  /** What is stored instead of the value, and what is read instead of the column. */
  readonly write?: (value: unknown) => unknown
  readonly read?: string
}

interface PartTable<Row> {
  readonly table: string
  readonly columns: { readonly [Field in keyof Row & string]: PartColumn }
  /** Columns that follow from the row, and are checked when it is read. */
  readonly derived?: Readonly<Record<string, PartColumn & { readonly of: (row: Row) => unknown }>>
  readonly where?: string
  readonly order: string
  /** What was read, in the form that rows have everywhere. */
  readonly normal?: (row: Row) => Row
}

const as = (column: string): PartColumn => ({ column })

const ofMonitor = { numericId: as('numeric_id'), body: as('body') }
const version = {
  kind: as('kind'),
  id: as('id'),
  change: as('change'),
  labels: as('labels'),
  body: as('body'),
  sealed: as('sealed'),
}
const ofVersions = {
  uid: { ...as('uid'), of: uidIn },
  tokens: {
    ...as('tokens'),
    read: 'tokens::text',
    of: ({ labels }: { readonly labels: string }) => textArray(labelTokens(JSON.parse(labels))),
  },
}

export const partTables: { readonly [Name in PartName]: PartTable<RowOf<Name>> } = {
  identities: {
    table: 'identity',
    columns: {
      numericId: as('numeric_id'),
      monitorId: as('monitor_id'),
      revision: as('revision'),
      fingerprint: as('fingerprint'),
      checkFingerprint: as('check_fingerprint'),
      removedAt: as('removed_at'),
      controlsBefore: as('controls_before'),
    },
    order: 'numeric_id',
  },
  events: {
    table: 'event',
    columns: {
      position: as('position'),
      numericId: as('numeric_id'),
      at: as('at'),
      isOfResource: as('of_resource'),
      body: as('body'),
    },
    derived: { actionId: { ...as('action_id'), of: ({ body }) => actionIdIn(body) } },
    order: 'position',
  },
  incidents: {
    table: 'incident',
    columns: {
      opened: as('opened'),
      closed: as('closed'),
      numericId: as('numeric_id'),
      id: as('id'),
      body: as('body'),
      ended: as('ended'),
      handled: {
        ...as('handled'),
        write: (handled) => textArray(handled === null ? [] : [handled as string]),
        // A list of JSON objects.
        read: "CASE WHEN handled = '{}' THEN NULL ELSE '[' || array_to_string(handled, ',') || ']' END",
      },
    },
    order: 'opened',
    normal: (row) => ({ ...row, handled: row.handled === null ? null : addedUp(row.handled) }),
  },
  actions: {
    table: 'action',
    columns: {
      number: as('number'),
      id: as('id'),
      monitorId: as('monitor_id'),
      unsettled: as('unsettled'),
      changedAt: as('changed_at'),
      body: as('body'),
      incarnation: as('incarnation'),
    },
    order: 'number',
  },
  states: { table: 'state', columns: ofMonitor, order: 'numeric_id' },
  pushes: { table: 'push', columns: ofMonitor, order: 'numeric_id' },
  escalations: { table: 'escalation', columns: { key: as('key'), body: as('body') }, order: 'key' },
  revisions: {
    table: 'revision',
    columns: { kind: as('kind'), id: as('id'), until: as('until'), body: as('body') },
    order: 'kind, id, until',
  },
  blocks: {
    table: 'counter_block',
    columns: { block: as('block'), bytes: as('bytes') },
    order: 'block',
  },
  figures: {
    table: 'figure',
    columns: { name: as('name'), body: as('body') },
    order: 'name COLLATE "C"',
  },
  resources: {
    table: 'resource',
    columns: version,
    derived: ofVersions,
    where: 'ended_by IS NULL',
    order: 'kind, id',
  },
  pastResources: {
    table: 'resource',
    columns: { ...version, endedBy: as('ended_by'), endedAt: as('ended_at') },
    derived: ofVersions,
    where: 'ended_by IS NOT NULL',
    order: 'ended_by',
  },
  changes: {
    table: 'resource_change',
    columns: { change: as('change'), kind: as('kind'), id: as('id'), isDeleted: as('deleted') },
    order: 'change',
  },
  operations: { table: 'operation', columns: { id: as('id'), body: as('body') }, order: 'id' },
  bulk: {
    table: 'bulk',
    columns: { id: as('id'), endedAt: as('ended_at'), body: as('body') },
    order: 'id',
  },
  outcomes: {
    table: 'bulk_outcome',
    columns: { operation: as('operation'), first: as('place'), body: as('body') },
    order: 'operation, place',
  },
  executions: {
    table: 'execution',
    columns: { id: as('id'), forgetAt: as('forget_at'), body: as('body') },
    order: 'id',
  },
  statements: {
    table: 'worker_statement',
    columns: { executionId: as('execution'), id: as('id'), body: as('body') },
    order: 'execution, id',
  },
  trends: {
    table: 'trend',
    columns: { level: as('level'), key: as('key'), bytes: as('bytes') },
    order: 'level, key',
  },
  openTrends: {
    table: 'trend_open',
    columns: { level: as('level'), block: as('block'), cell: as('cell'), bytes: as('bytes') },
    order: 'level, block',
  },
  documents: { table: 'document', columns: { name: as('name'), body: as('body') }, order: 'name' },
  staged: {
    table: 'staged',
    columns: { operation: as('operation'), body: as('body') },
    order: 'operation',
  },
  stagedItems: {
    table: 'staged_item',
    columns: {
      operation: as('operation'),
      ordinal: as('ordinal'),
      body: as('body'),
      sealed: as('sealed'),
    },
    order: 'operation, ordinal',
  },
  stagedPlans: {
    table: 'staged_plan',
    columns: { operation: as('operation'), ordinal: as('ordinal'), body: as('body') },
    order: 'operation, ordinal',
  },
}

/** Columns of rows and those that follow from them. */
export function allColumns<Row>({ columns, derived = {} }: PartTable<Row>): PartColumn[] {
  return [...Object.values<PartColumn>(columns), ...Object.values(derived)]
}

export function copyOf<Row>(part: PartTable<Row>): string {
  const names = allColumns(part).map(({ column }) => column)
  return `COPY ${part.table} (${names.join(', ')}) FROM STDIN`
}

/** One line per row. */
export function copyText<Row>({ columns, derived = {} }: PartTable<Row>, rows: readonly Row[]): string {
  const fields = [
    ...Object.entries<PartColumn>(columns).map(([field, { write }]) => {
      const fieldOf = (row: Row): unknown => row[field as keyof Row]
      return write === undefined ? fieldOf : (row: Row) => write(fieldOf(row))
    }),
    ...Object.values(derived).map(({ of }) => of),
  ]
  let text = ''
  for (const row of rows) {
    let separator = ''
    for (const field of fields) {
      text += separator + copyField(field(row))
      separator = '\t'
    }
    text += '\n'
  }
  return text
}

export function selectOf<Row>({
  table,
  columns,
  derived = {},
  where = 'true',
  order,
}: PartTable<Row>): string {
  const fields = Object.entries<PartColumn>({ ...columns, ...derived }).map(
    ([field, { column, read }]) => `${read ?? column} AS "${field}"`,
  )
  return `SELECT ${fields.join(', ')} FROM ${table} WHERE ${where} ORDER BY ${order}`
}

/** Throws a StoreError if what follows from the row is not what is stored. */
export function rowFrom<Row>(
  { table, derived = {}, normal }: PartTable<Row>,
  record: Readonly<Record<string, unknown>>,
): Row {
  const row = { ...record }
  for (const [field, { column, of }] of Object.entries(derived)) {
    if (row[field] !== of(row as Row))
      throw storeError('corrupt', `(${table}: its column ${column} does not fit the row)`)
    delete row[field]
  }
  return normal === undefined ? (row as Row) : normal(row as Row)
}

function actionIdIn(body: string): string | null {
  return body.includes('"actionId"') ? (JSON.parse(body).actionId ?? null) : null
}

function addedUp(list: string): string {
  return JSON.stringify(Object.assign({}, ...JSON.parse(list)))
}
