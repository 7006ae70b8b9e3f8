// store/postgres/moving/part-tables.ts: where each part of a store is in PostgreSQL, as columns: how a row becomes them and
// comes from them again. A new part is an entry here; the compiler asks for it.
import type { PartName, RowOf } from '../../moving/portable-rows.ts'
import { uidIn } from '../../resource-rows.ts'
import { storeError } from '../../store-errors.ts'
import { labelTokens, textArray } from '../label-tokens.ts'

interface PartColumn {
  /** The name, and the type that it is sent as. */
  readonly column: string
  readonly type: 'bigint' | 'double precision' | 'text' | 'bytea' | 'boolean'
  /** What is stored instead of the value that was sent, and what is read instead of the column. */
  readonly write?: string
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

const number = (column: string): PartColumn => ({ column, type: 'bigint' })
const time = (column: string): PartColumn => ({ column, type: 'double precision' })
const text = (column: string): PartColumn => ({ column, type: 'text' })
const bytes = (column: string): PartColumn => ({ column, type: 'bytea' })
const flag = (column: string): PartColumn => ({ column, type: 'boolean' })

const ofMonitor = { numericId: number('numeric_id'), body: text('body') }
const version = {
  kind: number('kind'),
  id: text('id'),
  change: number('change'),
  labels: text('labels'),
  body: text('body'),
  sealed: bytes('sealed'),
}
const ofVersions = {
  uid: { ...text('uid'), of: uidIn },
  tokens: {
    ...text('tokens'),
    write: 'given.tokens::text[]',
    read: 'tokens::text',
    of: ({ labels }: { readonly labels: string }) => textArray(labelTokens(JSON.parse(labels))),
  },
}

export const partTables: { readonly [Name in PartName]: PartTable<RowOf<Name>> } = {
  identities: {
    table: 'identity',
    columns: {
      numericId: number('numeric_id'),
      monitorId: text('monitor_id'),
      revision: number('revision'),
      fingerprint: text('fingerprint'),
      checkFingerprint: text('check_fingerprint'),
      removedAt: time('removed_at'),
      controlsBefore: number('controls_before'),
    },
    order: 'numeric_id',
  },
  events: {
    table: 'event',
    columns: {
      position: number('position'),
      numericId: number('numeric_id'),
      at: time('at'),
      isOfResource: flag('of_resource'),
      body: text('body'),
    },
    derived: { actionId: { ...text('action_id'), of: ({ body }) => actionIdIn(body) } },
    order: 'position',
  },
  incidents: {
    table: 'incident',
    columns: {
      opened: number('opened'),
      closed: number('closed'),
      numericId: number('numeric_id'),
      id: text('id'),
      body: text('body'),
      ended: text('ended'),
      handled: {
        ...text('handled'),
        write: "CASE WHEN given.handled IS NULL THEN '{}' ELSE ARRAY[given.handled] END",
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
      number: number('number'),
      id: text('id'),
      monitorId: text('monitor_id'),
      unsettled: number('unsettled'),
      changedAt: time('changed_at'),
      body: text('body'),
      incarnation: text('incarnation'),
    },
    order: 'number',
  },
  states: { table: 'state', columns: ofMonitor, order: 'numeric_id' },
  pushes: { table: 'push', columns: ofMonitor, order: 'numeric_id' },
  escalations: { table: 'escalation', columns: { key: text('key'), body: text('body') }, order: 'key' },
  blocks: {
    table: 'counter_block',
    columns: { block: number('block'), bytes: bytes('bytes') },
    order: 'block',
  },
  figures: {
    table: 'figure',
    columns: { name: text('name'), body: text('body') },
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
    columns: { ...version, endedBy: number('ended_by'), endedAt: time('ended_at') },
    derived: ofVersions,
    where: 'ended_by IS NOT NULL',
    order: 'ended_by',
  },
  changes: {
    table: 'resource_change',
    columns: { change: number('change'), kind: number('kind'), id: text('id'), isDeleted: flag('deleted') },
    order: 'change',
  },
  operations: { table: 'operation', columns: { id: number('id'), body: text('body') }, order: 'id' },
  bulk: {
    table: 'bulk',
    columns: { id: number('id'), endedAt: time('ended_at'), body: text('body') },
    order: 'id',
  },
  outcomes: {
    table: 'bulk_outcome',
    columns: { operation: number('operation'), first: number('place'), body: text('body') },
    order: 'operation, place',
  },
  executions: {
    table: 'execution',
    columns: { id: text('id'), forgetAt: time('forget_at'), body: text('body') },
    order: 'id',
  },
  statements: {
    table: 'worker_statement',
    columns: { executionId: text('execution'), id: text('id'), body: text('body') },
    order: 'execution, id',
  },
  trends: {
    table: 'trend',
    columns: { level: number('level'), key: number('key'), bytes: bytes('bytes') },
    order: 'level, key',
  },
  openTrends: {
    table: 'trend_open',
    columns: { level: number('level'), block: number('block'), cell: number('cell'), bytes: bytes('bytes') },
    order: 'level, block',
  },
}

/** Columns of rows and those that follow from them. */
export function allColumns<Row>({ columns, derived = {} }: PartTable<Row>): PartColumn[] {
  return [...Object.values<PartColumn>(columns), ...Object.values(derived)]
}

export function insertOf<Row>(part: PartTable<Row>): string {
  const columns = allColumns(part)
  const names = columns.map(({ column }) => column).join(', ')
  const written = columns.map(({ column, write }) => write ?? `given.${column}`)
  const given = columns.map(({ type }, index) => `$${index + 1}::${type}[]`)
  return `INSERT INTO ${part.table} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${written.join(', ')} FROM unnest(${given.join(', ')}) AS given (${names})`
}

/** An array for each column. */
export function parametersOf<Row>(
  { columns, derived = {} }: PartTable<Row>,
  rows: readonly Row[],
): unknown[][] {
  return [
    ...Object.keys(columns).map((field) => rows.map((row) => row[field as keyof Row])),
    ...Object.values(derived).map(({ of }) => rows.map(of)),
  ]
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
