// vault/key-file.ts: reads the key file: next to the data directory, never inside it, accessible only to its
// owner. Whatever is wrong with it is an error that says what to do. A missing file means a first start only
// if the caller knows of no sealed value.
import { constants, type Stats } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { syncToDiskAsync } from '../platform/replace-file.ts'
import { KeyRing, RingMistake } from './key-ring.ts'
import { codeOf, KeyRingError } from './key-ring-error.ts'

const largestBytes = 65_536
const forOthers = 0o077
const isWindows = process.platform === 'win32'

/** The key file of a data directory: next to it, unless a setting names another path. */
export async function keyFilePath(dataDirectory: string, configured: string | null): Promise<string> {
  const path = configured === null ? `${resolve(dataDirectory)}.key` : resolve(configured)
  const way = relative(await realPath(dataDirectory), await realPath(dirname(path)))
  const isOutside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
  if (isOutside) return path
  throw new KeyRingError(
    'inside',
    `The key file ${path} would lie inside the data directory, and so in every copy of it; name a place outside with credentials_key_file.`,
  )
}

/** Follows all links, as far as the path exists. */
export async function realPath(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path))
}

/** The ring of a store whose values are wrapped with these keys. Null if there is neither a file nor a value. */
export async function openKeyRing(path: string, keysInUse: ReadonlySet<string>): Promise<KeyRing | null> {
  try {
    const ring = await readKeyFile(path)
    refuseWrongRing(path, ring, keysInUse)
    return ring
  } catch (error) {
    if (error instanceof KeyRingError && error.code === 'missing' && keysInUse.size === 0) return null
    throw error
  }
}

/** A ring with only some of the keys is not wrong: the values of the others are reported one by one. */
export function refuseWrongRing(path: string, ring: KeyRing, keysInUse: ReadonlySet<string>): void {
  if (keysInUse.size === 0 || ring.ids.some((id) => keysInUse.has(id))) return
  throw new KeyRingError(
    'wrong',
    `The key file ${path} is not the one that the stored credentials are sealed with: it holds none of the keys ${[...keysInUse].join(', ')}. Put the right file in its place.`,
  )
}

/** Syncs the file before it returns: nothing may be sealed with a key that a power cut could erase. */
export async function readKeyFile(path: string): Promise<KeyRing> {
  try {
    // Without blocking: a pipe in its place must not block the service.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    refuseUnfitFile(path, await file.stat())
    const ring = KeyRing.parse(await file.readFile('latin1'))
    if (ring instanceof RingMistake) throw mistakeIn(path, ring)
    await syncToDiskAsync(path)
    await syncToDiskAsync(dirname(await realPath(path)))
    return ring
  } catch (error) {
    if (error instanceof KeyRingError) throw error
    const cause = { cause: error }
    if (codeOf(error) !== 'ENOENT')
      throw new KeyRingError('unreadable', `The key file ${path} cannot be read (${codeOf(error)}).`, cause)
    const sentence = `The key file ${path} is missing. Stored credentials can be opened only by its keys: put the file back.`
    throw new KeyRingError('missing', sentence, cause)
  }
}

function refuseUnfitFile(path: string, entry: Stats): void {
  if (!entry.isFile())
    throw new KeyRingError(
      'damaged',
      `The key file ${path} is not a regular file; put the right one in its place.`,
    )
  if (!isWindows && (entry.mode & forOthers) !== 0)
    throw new KeyRingError(
      'exposed',
      `The key file ${path} is open to other users (mode ${(entry.mode & 0o777).toString(8)}); run chmod 600 on it, and rotate the key if somebody may have read it.`,
    )
  if (entry.size > largestBytes)
    throw new KeyRingError(
      'damaged',
      `The key file ${path} is larger than any key file; put the right one in its place.`,
    )
}

function mistakeIn(path: string, { line }: RingMistake): KeyRingError {
  if (line === null)
    return new KeyRingError('empty', `The key file ${path} is empty; put the right one in its place.`)
  const sentence = `Line ${line} of the key file ${path} is not a whole key; put an undamaged copy in its place.`
  return new KeyRingError('damaged', sentence)
}
