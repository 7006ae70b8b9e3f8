// import/uptime-kuma/source.ts: what both forms of Uptime Kuma's configuration provide: the backup of 1.x and
// the database of 1.x and 2.x. Fields are named as in the database in both.
export type Row = Record<string, unknown>

export interface KumaSource {
  readonly monitors: Iterable<Row>
  readonly notifications: readonly Row[]
  /** By id; null if this form does not have them. */
  readonly dockerHosts: ReadonlyMap<number, Row> | null
  readonly proxies: ReadonlyMap<number, Row> | null
  notificationIds(monitor: Row): number[]
  tags(monitor: Row): Row[]
  maintenance(monitor: Row): Row[]
  /** The zone of maintenance windows without their own; null if unknown. */
  readonly timezone: string | null
  /** What Uptime Kuma shows to visitors. */
  readonly statusPages: readonly KumaPage[]
  /** How many entries cannot be read, by name of the list. */
  readonly unreadable: Readonly<Record<string, number>>
  /** Groups by id, and monitors whose parents are resolved. */
  readonly parents: ReadonlyMap<number, Parent>
}

export interface KumaPage {
  readonly slug: string
  readonly title: string
  readonly isPublished: boolean
  readonly hasPassword: boolean
  readonly domains: readonly string[]
  /** In the order in which visitors see them, with the ids of their monitors. */
  readonly groups: readonly { readonly name: string; readonly monitors: readonly number[] }[]
}

export interface Parent {
  readonly name: string
  readonly parent: number | null
  readonly isActive: boolean
}

/** Fields that the database stores as JSON text. */
const jsonFields: ReadonlySet<string> = new Set([
  'kafka_producer_brokers',
  'kafka_producer_sasl_options',
  'rabbitmq_nodes',
  'conditions',
  'accepted_statuscodes',
  'headers',
])

export function normalized(row: Readonly<Row>): Row {
  const members: Row = {}
  for (const [key, value] of Object.entries(row)) {
    const name = columnName(key)
    members[name] = jsonFields.has(name) ? parsed(value) : value
  }
  return members
}

/**
 * Cached: a hundred thousand monitors have the same hundred names. The limit keeps a hostile file from filling the cache.
 */
const columnNames = new Map<string, string>()
const mostColumns = 1_000

/** notificationIDList becomes notification_id_list; accepted_statuscodes_json and the like lose their suffix. */
function columnName(key: string): string {
  const known = columnNames.get(key)
  if (known !== undefined) return known
  const name = key
    .replaceAll(/ID(?=[A-Z]|s?$)/g, '_id')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/_json$/, '')
  if (columnNames.size < mostColumns) columnNames.set(key, name)
  return name
}

/** Invalid JSON is returned unchanged, so that the reader of the field notes it. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

export function idOf(value: unknown): number | null {
  const id = typeof value === 'string' ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null
}

export function parentsOf(monitors: Iterable<Row>): Map<number, Parent> {
  const parents = new Map<number, Parent>()
  for (const { id, name, parent, active } of monitors) {
    const own = idOf(id)
    if (own === null) continue
    const isActive = active !== 0 && active !== false
    parents.set(own, { name: typeof name === 'string' ? name : '', parent: idOf(parent), isActive })
  }
  return parents
}
