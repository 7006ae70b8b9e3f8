// store/sqlite/sealed-values.ts: all sealed values in the database of a store that no process has, and nothing else of it.
import { openForReading } from './database.ts'
import { requireReadable } from './format.ts'
import { resourcesSince } from './resource-verification.ts'

export function sealedValuesIn(path: string): Uint8Array[] {
  const database = openForReading(path)
  try {
    if (requireReadable(database) < resourcesSince) return []
    const rows = database.prepare('SELECT sealed FROM resource WHERE sealed IS NOT NULL').all()
    return rows.map(({ sealed }) => sealed as Uint8Array)
  } finally {
    database.close()
  }
}
