// import/uptime-kuma/database.fixture.ts: a real SQLite file with the tables of Uptime Kuma, as far as a test needs them.
import { DatabaseSync } from 'node:sqlite'

type Row = Readonly<Record<string, string | number | null>>

/** Columns without a default in 1.x, which every monitor here gets. */
const monitorDefaults: Row = {
  active: 1,
  user_id: 1,
  interval: 60,
  weight: 2000,
  maxretries: 0,
  ignore_tls: 0,
  upside_down: 0,
  maxredirects: 10,
  accepted_statuscodes_json: '["200-299"]',
  dns_resolve_type: 'A',
  dns_resolve_server: '1.1.1.1',
  retry_interval: 60,
  method: 'GET',
  packet_size: 56,
  expiry_notification: 0,
  resend_interval: 0,
  timeout: 48,
  created_date: '2024-01-01 00:00:00',
}

/** Tables by name; each has the columns of its rows. */
export function writeKumaDatabase(
  file: string,
  { monitor, ...others }: { readonly monitor: readonly Row[] } & Readonly<Record<string, readonly Row[]>>,
  journal: 'delete' | 'wal' = 'delete',
): void {
  using database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = ${journal}`)
  addTable(
    database,
    'monitor',
    monitor.map((row, index) => ({ id: index + 1, ...monitorDefaults, ...row })),
  )
  for (const [name, rows] of Object.entries(others))
    addTable(
      database,
      name,
      rows.map((row, index) => ({ id: index + 1, ...row })),
    )
}

/** As while Uptime Kuma runs: a monitor that is only in the log beside the file, until it is disposed of. */
export function openKumaDatabase(file: string, name: string): Disposable {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_autocheckpoint = 0')
  database.prepare('UPDATE monitor SET name = ?').run(name)
  return database
}

/** A database of another program. */
export function writeOtherDatabase(file: string, schema: string): void {
  using database = new DatabaseSync(file)
  database.exec(schema)
}

function addTable(database: DatabaseSync, name: string, rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const quoted = columns.map((column) => `"${column}"`)
  database.exec(`CREATE TABLE "${name}" (${quoted.join(', ')})`)
  const insert = database.prepare(`INSERT INTO "${name}" VALUES (${columns.map(() => '?').join(', ')})`)
  database.exec('BEGIN')
  for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null))
  database.exec('COMMIT')
}
