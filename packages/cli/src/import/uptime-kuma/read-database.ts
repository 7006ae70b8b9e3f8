// import/uptime-kuma/read-database.ts: the SQLite file of Uptime Kuma 1.x and 2.x. It may come from anywhere: it is
// opened read-only, its schema is not trusted, and only plain tables are read. Nothing is written, not even beside it.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { ImportError } from '../import-error.ts'
import { idOf, type KumaSource, normalized, parentsOf, parsed, type Row } from './source.ts'
import { statusPagesIn } from './status-pages.ts'

const mostMonitors = 1_000_000
const needed = ['id', 'name', 'type', 'interval', 'active']

/** The database is closed with the source. */
export interface OpenDatabase extends KumaSource, Disposable {}

export function readDatabase(file: string): OpenDatabase {
  try {
    return open(file)
  } catch (error) {
    if (error instanceof ImportError || (error as NodeJS.ErrnoException).code === undefined) throw error
    throw new ImportError(
      `${file} cannot be read as an SQLite database; is it damaged, or not a whole copy?`,
      {
        cause: error,
      },
    )
  }
}

function open(file: string): OpenDatabase {
  const database = new DatabaseSync(location(file), { readOnly: true, allowExtension: false })
  try {
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON')
    const tables = new Tables(database, file)
    const joined = tables.joined
    return {
      monitors: tables.monitors(),
      notifications: tables.rows(['notification']).map(normalized),
      dockerHosts: tables.byId('docker_host'),
      proxies: tables.byId('proxy'),
      timezone: tables.timezone(),
      statusPages: statusPagesIn((table) => tables.rows([table])),
      unreadable: {},
      parents: parentsOf(tables.monitors()),
      notificationIds: ({ id }) =>
        (joined.notifications.get(id) ?? []).flatMap((row) => idOf(row['notification_id']) ?? []),
      tags: ({ id }) => joined.tags.get(id) ?? [],
      maintenance: ({ id }) => joined.maintenance.get(id) ?? [],
      [Symbol.dispose]: () => database.close(),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Without a log beside it the file is complete, and SQLite need not create a log, which it would leave behind. */
function location(file: string): URL {
  const url = pathToFileURL(file)
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1')
  return url
}

class Tables {
  readonly #database: DatabaseSync
  readonly #names: ReadonlySet<unknown>

  constructor(database: DatabaseSync, file: string) {
    this.#database = database
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    this.#names = new Set(tables.map(({ name }) => name))
    const columns = this.#names.has('monitor') ? database.prepare('PRAGMA table_info(monitor)').all() : []
    const missing = needed.filter((column) => !columns.some(({ name }) => name === column))
    if (missing.length > 0)
      throw new ImportError(
        `${file} is an SQLite database, but not one of Uptime Kuma 1 or 2: its table of monitors lacks ${missing.join(', ')}.`,
      )
    const [count] = database.prepare('SELECT count(*) AS monitors FROM monitor').all()
    if (Number(count?.['monitors']) > mostMonitors)
      throw new ImportError(
        `${file} has more than ${mostMonitors.toLocaleString('en')} monitors, the most that are read.`,
      )
  }

  get joined() {
    const tags = this.rows(
      ['monitor_tag', 'tag'],
      'SELECT mt.monitor_id, tag.name, mt.value FROM monitor_tag mt JOIN tag ON tag.id = mt.tag_id ORDER BY mt.id',
    )
    const windows = this.rows(
      ['monitor_maintenance', 'maintenance'],
      'SELECT maintenance.*, mm.monitor_id FROM monitor_maintenance mm JOIN maintenance ON maintenance.id = mm.maintenance_id ORDER BY mm.id',
    )
    return {
      notifications: byMonitor(this.rows(['monitor_notification'])),
      tags: byMonitor(tags),
      maintenance: byMonitor(windows.map(normalized)),
    }
  }

  /** Each iteration reads the table again. */
  monitors(): Iterable<Row> {
    const database = this.#database
    return {
      *[Symbol.iterator]() {
        for (const row of database.prepare('SELECT * FROM monitor ORDER BY id').iterate())
          yield normalized(row)
      },
    }
  }

  /** Empty unless all of them are tables: a view can have endless rows. */
  rows(tables: readonly [string, ...string[]], query = `SELECT * FROM "${tables[0]}" ORDER BY id`): Row[] {
    return tables.every((table) => this.#names.has(table)) ? this.#database.prepare(query).all() : []
  }

  byId(table: string): Map<number, Row> {
    return new Map(
      this.rows([table]).flatMap((row) => {
        const id = idOf(row['id'])
        return id === null ? [] : [[id, row] as const]
      }),
    )
  }

  timezone(): string | null {
    const [row] = this.rows(['setting'], "SELECT value FROM setting WHERE key = 'serverTimezone'")
    const value = parsed(row?.['value'])
    return typeof value === 'string' && value !== '' ? value : null
  }
}

function byMonitor(rows: readonly Row[]): Map<unknown, Row[]> {
  return Map.groupBy(rows, ({ monitor_id }) => monitor_id)
}
