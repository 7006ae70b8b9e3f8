// store/postgres/resource-queries.ts: reads of managed resources: present versions, lists as of a change, and what changed.
import { kindNumber } from '@pulseward/contract/v2/kinds'
import type { MonitorChanges, ResourcePage, ResourceQuery, StoredResource } from '../resource.ts'
import { monitorKind, type ResourceColumns, resourcesOf } from '../resource-rows.ts'
import { selectorCondition } from './label-tokens.ts'
import type { ReadingPool } from './reading-pool.ts'

export const versionColumns = 'kind, id, change, labels, body, sealed'
const monitorsAtOnce = 2_000

export interface VersionRow {
  readonly kind: number
  readonly id: string
  readonly change: number
  readonly labels: string
  readonly body: string
  readonly sealed: Uint8Array | null
}

export async function readPresent(
  pool: ReadingPool,
  wanted: readonly Pick<StoredResource, 'kind' | 'id'>[],
): Promise<StoredResource[]> {
  const rows = await pool.query<VersionRow>(
    `SELECT ${versionColumns} FROM resource JOIN unnest($1::bigint[], $2::text[]) AS wanted (of_kind, of_id)
     ON kind = of_kind AND id = of_id WHERE ended_by IS NULL`,
    [wanted.map(({ kind }) => kindNumber(kind)), wanted.map(({ id }) => id)],
  )
  return versionsOf(rows)
}

export async function readOthers(pool: ReadingPool): Promise<StoredResource[]> {
  return versionsOf(
    await pool.query<VersionRow>(
      `SELECT ${versionColumns} FROM resource WHERE kind > ${monitorKind} AND ended_by IS NULL ORDER BY kind, id`,
    ),
  )
}

/** Versions that existed at the change: present ones made by then, and past ones that ended later. */
export async function listResources(
  pool: ReadingPool,
  { kind, upToChange, afterId, limit, selector }: ResourceQuery,
): Promise<ResourcePage | 'expired'> {
  const condition = selector === null ? null : selectorCondition(selector, 5)
  const matching = condition === null || condition.text === '' ? '' : `AND ${condition.text}`
  const part = (ending: string) => `(
    SELECT ${versionColumns} FROM resource
    WHERE kind = $1 AND id > $2 AND change <= $3 AND ${ending} ${matching} ORDER BY id LIMIT $4)`
  const rows = await pool.query<VersionRow & { forgotten: number }>(
    `SELECT head.past_forgotten_up_to AS forgotten, versions.* FROM head LEFT JOIN (
       SELECT * FROM (${part('ended_by IS NULL')} UNION ALL ${part('ended_by > $3')}) AS both_parts
       ORDER BY id LIMIT $4) AS versions ON true ORDER BY id`,
    [kindNumber(kind), afterId ?? '', upToChange, limit + 1, ...(condition?.values ?? [])],
  )
  if (upToChange < rows[0]!.forgotten) return 'expired'
  const found = versionsOf(rows.filter(({ id }) => id !== null))
  return { resources: found.slice(0, limit), more: found.length > limit }
}

export async function* presentMonitors(pool: ReadingPool): AsyncIterable<readonly StoredResource[]> {
  const read = (after: string) =>
    pool.query<VersionRow>(
      `SELECT ${versionColumns} FROM resource
       WHERE kind = ${monitorKind} AND id > $1 AND ended_by IS NULL ORDER BY id LIMIT ${monitorsAtOnce}`,
      [after],
    )
  let reading: ReturnType<typeof read> | null = read('')
  while (reading !== null) {
    const rows: VersionRow[] = await reading
    // Read ahead; if the caller stops iterating, the rejection must not be unhandled.
    reading = rows.length < monitorsAtOnce ? null : read(rows.at(-1)!.id)
    reading?.catch(() => undefined)
    if (rows.length > 0) yield versionsOf(rows)
  }
}

export async function changedMonitors(
  pool: ReadingPool,
  since: number,
): Promise<AsyncIterable<MonitorChanges> | 'forgotten'> {
  const known = await pool.one<{ last: number; first: number | null }>(
    'SELECT last_change AS last, (SELECT min(change) FROM resource_change) AS first FROM head',
  )
  const { last, first } = known!
  const isKnown = since >= last || (first !== null && first <= since + 1)
  return isKnown ? changesAfter(pool, since) : 'forgotten'
}

async function* changesAfter(pool: ReadingPool, since: number): AsyncIterable<MonitorChanges> {
  for (let after: number | null = since; after !== null; ) {
    // A monitor that was changed again is returned with its last change.
    const rows: (VersionRow & { at: number; of: string; gone: boolean })[] = await pool.query(
      `SELECT named.change AS at, named.id AS of, named.kind = ${monitorKind} AND named.deleted AND present.id IS NULL AS gone,
         made.kind, made.id, made.change, made.labels, made.body, made.sealed
       FROM (SELECT * FROM resource_change WHERE change > $1 ORDER BY change LIMIT ${monitorsAtOnce}) AS named
       LEFT JOIN resource AS present
         ON present.kind = named.kind AND present.id = named.id AND present.ended_by IS NULL
       LEFT JOIN resource AS made
         ON made.change = named.change AND made.ended_by IS NULL AND made.kind = ${monitorKind}
       ORDER BY named.change`,
      [after],
    )
    yield {
      written: versionsOf(rows.filter(({ body }) => body !== null)),
      deletedIds: rows.filter(({ gone }) => gone).map(({ of }) => of),
    }
    after = rows.length < monitorsAtOnce ? null : rows.at(-1)!.at
  }
}

/** Resources share few label sets, so each is parsed once. */
export function versionsOf(rows: readonly VersionRow[]): StoredResource[] {
  const numbers = new Map<string, number>()
  const labelSets = rows.map(({ labels }) => {
    const number = numbers.get(labels) ?? numbers.size
    numbers.set(labels, number)
    return number
  })
  const columns: ResourceColumns = {
    kinds: rows.map(({ kind }) => kind),
    ids: rows.map(({ id }) => id),
    labelSets,
    changes: rows.map(({ change }) => change),
    bodies: rows.map(({ body }) => body),
    sealed: rows.map(({ sealed }) => sealed),
    labels: new Map(Array.from(numbers, ([text, number]) => [number, text])),
  }
  return resourcesOf(columns)
}
