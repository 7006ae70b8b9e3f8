// import/uptime-kuma/source.ts: what both forms of Uptime Kuma's configuration give: the backup of 1.x and the database of
// 1.x and 2.x. Names of fields are those of the database, whatever the form.
export type Row = Record<string, unknown>

export interface KumaSource {
  readonly monitors: Iterable<Row>
  readonly notifications: readonly Row[]
  /** By id; null when the form does not have them. */
  readonly dockerHosts: ReadonlyMap<number, Row> | null
  readonly proxies: ReadonlyMap<number, Row> | null
  notificationIds(monitor: Row): number[]
  tags(monitor: Row): Row[]
  maintenance(monitor: Row): Row[]
  /** That the windows of maintenance without a zone of their own are meant in; null when it is not known. */
  readonly timezone: string | null
  /** Titles of the pages that Uptime Kuma shows to visitors. */
  readonly statusPages: readonly string[]
  /** How many entries of a list cannot be read, by its name. */
  readonly unreadable: Readonly<Record<string, number>>
  /** Groups by id, and monitors whose parents are to be followed. */
  readonly parents: ReadonlyMap<number, Parent>
}

export interface Parent {
  readonly name: string
  readonly parent: number | null
  readonly isActive: boolean
}

/** Fields that the database keeps as JSON in a text. */
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

/** A hundred thousand monitors have the same hundred names. The bound keeps a hostile file from filling it. */
const columnNames = new Map<string, string>()
const mostColumns = 1_000

/** notificationIDList is notification_id_list; accepted_statuscodes_json and the like lose their ending. */
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

/** What is not JSON stays as it is, for whoever reads it to say so. */
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
