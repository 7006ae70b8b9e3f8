// store/sqlite/sealed-values.ts: reads all sealed values, and nothing else, from the database of a store that
// no process owns.
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
