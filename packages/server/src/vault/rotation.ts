// vault/rotation.ts: changes the key file: creates it, adds a new key at the top, removes the old ones. The file is
// replaced atomically, under a lock, by a rename after syncing; so at any moment, even after a power cut, it has either
// the previous ring or the new one. The order is: rotate, rewrap every value with the new key, then drop the old keys.
import { replaceFileAsync } from '../platform/replace-file.ts'
import { type HeldLock, withExclusiveLock } from './exclusive-lock.ts'
import { openKeyRing, readKeyFile, realPath } from './key-file.ts'
import { KeyRing } from './key-ring.ts'
import { codeOf, KeyRingError } from './key-ring-error.ts'

/** Creates the file with its first key. A file that another process created meanwhile is used as it is. */
export async function createKeyRing(path: string, abandonedAfterMs?: number): Promise<KeyRing> {
  const create = async (lock: HeldLock) => {
    const found = await openKeyRing(path, new Set())
    if (found !== null) return found
    const ring = KeyRing.generate()
    await replaceFileAsync(path, ring.fileText(), lock.confirm)
    return ring
  }
  return await changing(path, create, abandonedAfterMs)
}

/** Adds a new key at the top of the ring. The others stay: they still wrap values. */
export async function rotate(path: string, abandonedAfterMs?: number): Promise<KeyRing> {
  return await replaceRing(path, (ring) => ring.withNewKey(), abandonedAfterMs)
}

/**
 * Removes all keys but the current one. `keysInUse` are the keys that wrap a stored value, and the one that a
 * running service seals with: it may not have noticed the new key yet. If any key but the current one is
 * among them, nothing is removed.
 */
export async function dropOldKeys(
  path: string,
  keysInUse: ReadonlySet<string>,
  abandonedAfterMs?: number,
): Promise<KeyRing> {
  const drop = (ring: KeyRing): KeyRing => {
    const stillNeeded = [...keysInUse].filter((id) => id !== ring.currentId)
    if (stillNeeded.length === 0) return ring.onlyCurrent()
    throw new KeyRingError(
      'in-use',
      `Stored credentials are not all wrapped by the current key ${ring.currentId} of ${path}, but by ${stillNeeded.join(', ')}. No key was removed; try again when the service has rewrapped them.`,
    )
  }
  return await replaceRing(path, drop, abandonedAfterMs)
}

async function replaceRing(
  path: string,
  change: (ring: KeyRing) => KeyRing,
  abandonedAfterMs: number | undefined,
): Promise<KeyRing> {
  // A link stays a link: its target is replaced.
  const place = await realPath(path)
  const replace = async (lock: HeldLock) => {
    const before = await readKeyFile(place)
    const next = change(before)
    if (!next.equals(before)) await replaceFileAsync(place, next.fileText(), lock.confirm)
    return next
  }
  return await changing(place, replace, abandonedAfterMs)
}

async function changing(
  path: string,
  change: (lock: HeldLock) => Promise<KeyRing>,
  abandonedAfterMs: number | undefined,
): Promise<KeyRing> {
  try {
    return await withExclusiveLock(`${path}.lock`, change, abandonedAfterMs)
  } catch (error) {
    if (error instanceof KeyRingError) throw error
    const code = codeOf(error)
    const sentence = `The key file ${path} cannot be written (${code}). ${adviceFor(code)}`
    throw new KeyRingError('unwritable', sentence, { cause: error })
  }
}

function adviceFor(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Free some space on that disk and try again.'
  return 'Its folder must be there and writable for the user who runs this; credentials_key_file names another place.'
}
