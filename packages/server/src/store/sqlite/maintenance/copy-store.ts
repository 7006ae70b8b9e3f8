// store/sqlite/maintenance/copy-store.ts: copies a store, with everything that was committed, into one new file beside a working owner.
import { backup, DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../../../platform/make-private-file.ts'
import { openForReading } from '../database.ts'

/** In one step: SQLite begins again when the store changes between two, and a busy one changes all the time. */
const allPages = 2 ** 31 - 1

export async function copyStore(from: string, to: string): Promise<void> {
  makePrivateFile(to)
  const source = openForReading(from)
  try {
    await backup(source, to, { rate: allPages })
  } finally {
    source.close()
  }
  // Without this the readers of the copy would leave a write-ahead log beside it.
  const copied = new DatabaseSync(to)
  try {
    copied.exec('PRAGMA journal_mode = DELETE')
  } finally {
    copied.close()
  }
}
