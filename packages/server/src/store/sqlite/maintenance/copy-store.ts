// store/sqlite/maintenance/copy-store.ts: copies a store, with everything that was committed, into one new
// file while its owner runs.
import { backup, DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../../../platform/make-private-file.ts'
import { openForReading } from '../database.ts'

/**
 * All pages in one step: SQLite restarts the copy if the store changes between two steps, and a busy store
 * changes all the time.
 */
const allPages = 2 ** 31 - 1

export async function copyStore(from: string, to: string): Promise<void> {
  makePrivateFile(to)
  const source = openForReading(from)
  try {
    await backup(source, to, { rate: allPages })
  } finally {
    source.close()
  }
  // Otherwise readers of the copy would leave a write-ahead log next to it.
  const copied = new DatabaseSync(to)
  try {
    copied.exec('PRAGMA journal_mode = DELETE')
  } finally {
    copied.close()
  }
}
