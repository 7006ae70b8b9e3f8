// managing/key-concern.ts: whether the key file of a data directory opens the credentials in its store, for whoever puts a
// store in place that may come from elsewhere. Reads both and changes nothing.
import { dataDirectory } from '../store/data-directory.ts'
import { openForReading } from '../store/sqlite/database.ts'
import { requireReadable } from '../store/sqlite/format.ts'
import { credentialKind } from '../store/sqlite/resource-rows.ts'
import { resourcesSince } from '../store/sqlite/resource-verification.ts'
import { wrappingKeyOf } from '../vault/envelope.ts'
import { keyFilePath, openKeyRing } from '../vault/key-file.ts'
import { KeyRingError } from '../vault/key-ring-error.ts'

/** A sentence that ends with what to do; null when the key file has all keys that are needed. */
export async function keyConcern(directory: string, configured: string | null): Promise<string | null> {
  const needed = keysIn(dataDirectory(directory).database)
  if (needed.size === 0) return null
  try {
    const path = await keyFilePath(directory, configured)
    const ring = await openKeyRing(path, needed)
    const lacking = needed.difference(new Set(ring?.ids))
    if (lacking.size === 0) return null
    return `The key file ${path} lacks ${[...lacking].join(', ')}, by which some of its credentials are sealed. Put these keys back, or write those credentials again.`
  } catch (error) {
    if (error instanceof KeyRingError) return error.message
    throw error
  }
}

function keysIn(path: string): Set<string> {
  const database = openForReading(path)
  try {
    if (requireReadable(database) < resourcesSince) return new Set()
    const rows = database.prepare('SELECT sealed FROM resource WHERE kind = ? AND sealed IS NOT NULL')
    return new Set(
      rows.all(credentialKind).flatMap(({ sealed }) => wrappingKeyOf(sealed as Uint8Array) ?? []),
    )
  } finally {
    database.close()
  }
}
