// store/postgres/record-sets.ts: how each type of record becomes rows, and how the commit function writes them. A set of
// rows is given to the function as one array per column, and written by one statement. The statement reads the rows as
// `given`, with their place as `ordinal`; `first` is the position of the first event of the batch, `p_at` its time. It
// may use what the sets before it have written.
import { bulkRow } from '../bulk-rows.ts'
import { escalationRow } from '../escalation-rows.ts'
import { executionRow, statementRow } from '../execution-rows.ts'
import { pushText } from '../push.ts'
import { type RecordType, visitRecords } from '../record-types.ts'
import { monitorKind, operationRow, resourceWriteRow, uidIn } from '../resource-rows.ts'
import { revisionRow } from '../revision.ts'
import { actionRow, eventRows, sloText, stateRow } from '../rows.ts'
import type { CommitBatch } from '../store.ts'
import { labelTokens, textArray } from './label-tokens.ts'
import type { TrendChanges } from './trend-round.ts'

export interface RowSet {
  /** The type of each column in SQL. */
  readonly columns: Readonly<Record<string, 'bigint' | 'double precision' | 'text' | 'bytea' | 'boolean'>>
  /** Rows with equal keys are one row: the last, in the place of the first. */
  readonly key?: readonly string[]
  readonly write: string
}

/** In the order in which they are written. */
export const rowSets = {
  identity: {
    columns: {
      numeric_id: 'bigint',
      monitor_id: 'text',
      revision: 'bigint',
      fingerprint: 'text',
      check_fingerprint: 'text',
      removed_at: 'double precision',
      controls_before: 'bigint',
    },
    key: ['numeric_id'],
    write: `
      INSERT INTO identity
      SELECT numeric_id, monitor_id, revision, fingerprint, check_fingerprint, removed_at, controls_before FROM given
      ON CONFLICT (numeric_id) DO UPDATE SET monitor_id = excluded.monitor_id, revision = excluded.revision,
        fingerprint = excluded.fingerprint, check_fingerprint = excluded.check_fingerprint,
        removed_at = excluded.removed_at, controls_before = excluded.controls_before;
      UPDATE head SET highest_numeric_id =
        greatest(highest_numeric_id, (SELECT max(id) FROM unnest(p_identity_numeric_id) AS id));`,
  },
  event: {
    columns: {
      numeric_id: 'bigint',
      at: 'double precision',
      of_resource: 'boolean',
      action_id: 'text',
      body: 'text',
    },
    write: `
      INSERT INTO event (position, numeric_id, at, of_resource, action_id, body)
      SELECT first + ordinal - 1, numeric_id, at, of_resource, action_id, body FROM given;
      UPDATE head SET position = position + cardinality(p_event_at),
        history_bytes = history_bytes + (SELECT sum(octet_length(body)) FROM unnest(p_event_body) AS body);`,
  },
  incident: {
    columns: { place: 'bigint', change: 'text', id: 'text', numeric_id: 'bigint', body: 'text' },
    // Ids do not repeat; if one did, the existing incident would stay unchanged.
    write: `
      INSERT INTO incident (opened, numeric_id, id, body)
      SELECT first + place, numeric_id, id, body FROM given WHERE change = 'opened' ORDER BY ordinal
      ON CONFLICT DO NOTHING;
      UPDATE incident SET closed = first + given.place, ended = given.body
      FROM given WHERE given.change = 'closed' AND incident.id = given.id;
      UPDATE incident SET handled = handled || changes.bodies
      FROM (SELECT id, array_agg(body ORDER BY ordinal) AS bodies FROM given WHERE change = 'handled' GROUP BY id)
        AS changes
      WHERE incident.id = changes.id;`,
  },
  action: {
    columns: {
      id: 'text',
      monitor_id: 'text',
      unsettled: 'bigint',
      changed_at: 'double precision',
      body: 'text',
    },
    key: ['id'],
    // The incarnation is that of the first commit of the action, and never changes.
    write: `
      UPDATE action SET unsettled = given.unsettled, changed_at = given.changed_at, body = given.body
      FROM given WHERE action.id = given.id;
      INSERT INTO action (id, monitor_id, unsettled, changed_at, body, incarnation)
      SELECT given.id, given.monitor_id, given.unsettled, given.changed_at, given.body,
        CASE WHEN given.monitor_id IS NULL THEN NULL ELSE coalesce((
          SELECT uid FROM resource
          WHERE kind = ${monitorKind} AND resource.id = given.monitor_id AND ended_by IS NULL), '') END
      FROM given WHERE NOT EXISTS (SELECT FROM action WHERE action.id = given.id) ORDER BY ordinal;`,
  },
  state: {
    columns: { numeric_id: 'bigint', body: 'text' },
    key: ['numeric_id'],
    write: `
      DELETE FROM state USING given WHERE state.numeric_id = given.numeric_id AND given.body IS NULL;
      INSERT INTO state SELECT numeric_id, body FROM given WHERE body IS NOT NULL
      ON CONFLICT (numeric_id) DO UPDATE SET body = excluded.body;`,
  },
  push: {
    columns: { numeric_id: 'bigint', body: 'text' },
    key: ['numeric_id'],
    write: `
      DELETE FROM push USING given WHERE push.numeric_id = given.numeric_id AND given.body IS NULL;
      INSERT INTO push SELECT numeric_id, body FROM given WHERE body IS NOT NULL
      ON CONFLICT (numeric_id) DO UPDATE SET body = excluded.body;`,
  },
  escalation: {
    columns: { key: 'text', body: 'text' },
    key: ['key'],
    write: `
      DELETE FROM escalation USING given WHERE escalation.key = given.key AND given.body IS NULL;
      INSERT INTO escalation SELECT key, body FROM given WHERE body IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET body = excluded.body;`,
  },
  revision: {
    columns: { kind: 'text', id: 'text', until: 'double precision', body: 'text' },
    key: ['kind', 'id', 'until'],
    write: `
      DELETE FROM revision USING given
      WHERE revision.kind = given.kind AND revision.id = given.id AND revision.until = given.until AND given.body IS NULL;
      INSERT INTO revision SELECT kind, id, until, body FROM given WHERE body IS NOT NULL
      ON CONFLICT (kind, id, until) DO UPDATE SET body = excluded.body;`,
  },
  counter_block: {
    columns: { block: 'bigint', bytes: 'bytea' },
    key: ['block'],
    write: `
      INSERT INTO counter_block SELECT block, bytes FROM given
      ON CONFLICT (block) DO UPDATE SET bytes = excluded.bytes;`,
  },
  figure: {
    columns: { name: 'text', body: 'text' },
    key: ['name'],
    write: `
      INSERT INTO figure SELECT name, body FROM given ON CONFLICT (name) DO UPDATE SET body = excluded.body;`,
  },
  resource: {
    columns: {
      kind: 'bigint',
      id: 'text',
      change: 'bigint',
      uid: 'text',
      labels: 'text',
      tokens: 'text',
      body: 'text',
      sealed: 'bytea',
    },
    // Each version is ended by the next write to the same resource, which may be in the same batch.
    write: `
      UPDATE resource SET ended_by = ending.change, ended_at = p_at
      FROM (SELECT kind, id, min(change) AS change FROM given GROUP BY kind, id) AS ending
      WHERE resource.kind = ending.kind AND resource.id = ending.id AND resource.ended_by IS NULL;
      GET DIAGNOSTICS ended = ROW_COUNT;
      INSERT INTO resource (kind, id, change, uid, labels, tokens, body, sealed, ended_by, ended_at)
      SELECT kind, id, change, uid, labels, tokens::text[], body, sealed, next,
        CASE WHEN next IS NULL THEN NULL ELSE p_at END
      FROM (SELECT *, lead(change) OVER (PARTITION BY kind, id ORDER BY change) AS next FROM given) AS versions
      WHERE body IS NOT NULL;
      GET DIAGNOSTICS made = ROW_COUNT;
      SELECT ended + count(*) INTO ended FROM (
        SELECT body, lead(change) OVER (PARTITION BY kind, id ORDER BY change) AS next FROM given) AS versions
      WHERE body IS NOT NULL AND next IS NOT NULL;
      INSERT INTO resource_change (change, kind, id, deleted) SELECT change, kind, id, body IS NULL FROM given;
      UPDATE head SET resources = resources + made - ended, past_resources = past_resources + ended,
        last_change = greatest(last_change, (SELECT max(change) FROM given));`,
  },
  operation: {
    columns: { id: 'bigint', body: 'text' },
    key: ['id'],
    write: `
      INSERT INTO operation SELECT id, body FROM given ON CONFLICT (id) DO UPDATE SET body = excluded.body;`,
  },
  bulk: {
    columns: { id: 'bigint', ended_at: 'double precision', body: 'text' },
    key: ['id'],
    write: `
      INSERT INTO bulk SELECT id, ended_at, body FROM given
      ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, body = excluded.body;`,
  },
  bulk_outcome: {
    columns: { operation: 'bigint', place: 'bigint', body: 'text' },
    key: ['operation', 'place'],
    write: `
      INSERT INTO bulk_outcome SELECT operation, place, body FROM given
      ON CONFLICT (operation, place) DO UPDATE SET body = excluded.body;`,
  },
  execution: {
    columns: { id: 'text', forget_at: 'double precision', body: 'text' },
    key: ['id'],
    write: `
      INSERT INTO execution SELECT id, forget_at, body FROM given
      ON CONFLICT (id) DO UPDATE SET forget_at = excluded.forget_at, body = excluded.body;`,
  },
  worker_statement: {
    columns: { execution: 'text', id: 'text', body: 'text' },
    key: ['execution', 'id'],
    write: `
      INSERT INTO worker_statement SELECT execution, id, body FROM given
      ON CONFLICT (execution, id) DO UPDATE SET body = excluded.body;`,
  },
  trend: {
    columns: { level: 'bigint', key: 'bigint', bytes: 'bytea' },
    key: ['level', 'key'],
    write: `
      INSERT INTO trend SELECT level, key, bytes FROM given
      ON CONFLICT (level, key) DO UPDATE SET bytes = excluded.bytes;`,
  },
  trend_open: {
    columns: { level: 'bigint', block: 'bigint', cell: 'bigint', bytes: 'bytea' },
    key: ['level', 'block'],
    write: `
      DELETE FROM trend_open USING given
      WHERE trend_open.level = given.level AND trend_open.block = given.block AND given.bytes IS NULL;
      INSERT INTO trend_open SELECT level, block, cell, bytes FROM given WHERE bytes IS NOT NULL
      ON CONFLICT (level, block) DO UPDATE SET cell = excluded.cell, bytes = excluded.bytes;`,
  },
} satisfies Readonly<Record<string, RowSet>>

export type RowSetName = keyof typeof rowSets
export const rowSetNames = Object.keys(rowSets) as readonly RowSetName[]

/** Rows of some sets; each value is a row in the order of the columns. */
export type RowsBySet = { readonly [Name in RowSetName]?: readonly (readonly unknown[])[] }

/** What is committed: records whose trend blocks were already joined with what the store has. */
export type PreparedBatch = Omit<CommitBatch, 'trends'> & { readonly trends: readonly TrendChanges[] }

const rowsOf: { readonly [Type in RecordType]: (kept: NonNullable<PreparedBatch[Type]>) => RowsBySet } = {
  identities: (identities) => ({
    identity: identities.map((one) => [
      ...[one.numericId, one.monitorId, one.revision, one.fingerprint, one.checkFingerprint, one.removedAt],
      one.controlsBefore ?? null,
    ]),
  }),
  events: (events) => {
    const rows = eventRows(events)
    return {
      event: rows.events.map(({ numericId, at, isOfResource, body }, index) => [
        ...[numericId, at, isOfResource === true, events[index]!.actionId, body],
      ]),
      incident: rows.incidents.map(({ index, is, id, numericId, body }) => [index, is, id, numericId, body]),
    }
  },
  actions: (actions) => ({
    action: actions.map((action) => {
      const { id, monitorId, unsettled, changedAt, body } = actionRow(action)
      return [id, monitorId, unsettled, changedAt, body]
    }),
  }),
  states: (states) => ({
    state: states.map(stateRow).map(({ numericId, body }) => [numericId, body]),
  }),
  pushes: (pushes) => ({
    push: pushes.map(({ numericId, push }) => [numericId, push === null ? null : pushText(push)]),
  }),
  escalations: (records) => ({
    escalation: records.map(escalationRow).map(({ key, body }) => [key, body]),
  }),
  revisions: (revisions) => ({
    revision: revisions.map(revisionRow).map(({ kind, id, until, body }) => [kind, id, until, body]),
  }),
  blocks: (blocks) => ({ counter_block: blocks.map(({ block, bytes }) => [block, bytes]) }),
  slo: (slo) => ({ figure: [['slo', sloText(slo)]] }),
  destinations: (destinations) => ({ figure: [['destinations', JSON.stringify(destinations)]] }),
  resources: (writes) => ({
    resource: writes.map((write) => {
      const { kind, id, change, content } = resourceWriteRow(write)
      if (content === null) return [kind, id, change, null, null, null, null, null]
      const { labels, body, sealed } = content
      const tokens = textArray(labelTokens(JSON.parse(labels)))
      return [kind, id, change, uidIn({ body }), labels, tokens, body, sealed]
    }),
  }),
  operations: (operations) => ({
    operation: operations.map(operationRow).map(({ id, body }) => [id, body]),
  }),
  bulk: (writes) => {
    const rows = writes.map(bulkRow)
    return {
      bulk: rows.map(({ id, endedAt, body }) => [id, endedAt, body]),
      bulk_outcome: rows.flatMap(({ id, outcomes }) =>
        outcomes === null ? [] : [[id, outcomes.first, outcomes.body]],
      ),
    }
  },
  executions: (executions) => ({
    execution: executions.map(executionRow).map(({ id, forgetAt, body }) => [id, forgetAt, body]),
  }),
  statements: (statements) => ({
    worker_statement: statements
      .map(statementRow)
      .map(({ executionId, id, body }) => [executionId, id, body]),
  }),
  trends: (changes) => ({
    trend: changes.flatMap(({ closed }) => closed),
    trend_open: changes.flatMap(({ open }) => open),
  }),
}

/** The rows of a batch as parameters of the commit function: an array for each column of each set. */
export function commitParameters(batch: PreparedBatch): readonly unknown[][] {
  const rows: Partial<Record<RowSetName, readonly (readonly unknown[])[]>> = {}
  visitRecords(batch as unknown as CommitBatch, (type, kept) => {
    const made = (rowsOf[type] as (kept: unknown) => RowsBySet)(kept)
    for (const [name, given] of Object.entries(made) as [RowSetName, readonly unknown[][]][])
      rows[name] = [...(rows[name] ?? []), ...given]
  })
  return rowSetNames.flatMap((name) => columnsOf(rowSets[name], rows[name] ?? []))
}

function columnsOf({ columns, key }: RowSet, rows: readonly (readonly unknown[])[]): unknown[][] {
  const names = Object.keys(columns)
  const distinct =
    key === undefined || rows.length < 2
      ? rows
      : lastOfEach(
          rows,
          key.map((name) => names.indexOf(name)),
        )
  return names.map((_, column) => distinct.map((row) => row[column] ?? null))
}

function lastOfEach(rows: readonly (readonly unknown[])[], key: readonly number[]): (readonly unknown[])[] {
  const byKey = new Map<unknown, readonly unknown[]>()
  for (const row of rows)
    byKey.set(key.length === 1 ? row[key[0]!] : JSON.stringify(key.map((at) => row[at])), row)
  return [...byKey.values()]
}
