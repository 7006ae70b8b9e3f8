// vault/key-concern.ts: whether the key file of a data directory opens the credentials in its store, for a
// store that may come from elsewhere. Changes nothing.
import { wrappingKeyOf } from './envelope.ts'
import { keyFilePath, openKeyRing } from './key-file.ts'
import { KeyRingError } from './key-ring-error.ts'

/**
 * A sentence that ends with what to do; null if the key file has all needed keys. `sealed`: all values in the
 * store; `configured`: the setting credentials_key_file.
 */
export async function keyConcern(
  directory: string,
  configured: string | null,
  sealed: Iterable<Uint8Array>,
): Promise<string | null> {
  const needed = new Set([...sealed].flatMap((value) => wrappingKeyOf(value) ?? []))
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
