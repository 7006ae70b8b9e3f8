// access/private-file.ts: files that only their owner may open: how they are read, and how they are replaced whole, so that
// a replacement that was reported outlives a power cut.
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { bytesInWords } from '../platform/wording.ts'
import { syncToDisk } from '../store/data-directory.ts'
import { storeErrorOf } from '../store/store-errors.ts'

const forOthers = 0o077

/**
 * Refused: why, after the words that name the file. With an owner, the file itself must belong to that user, and a link in
 * its place is not followed. Throws what the file system says.
 */
export function readPrivately(
  path: string,
  mostBytes: number,
  owner?: number,
): { readonly text: string } | { readonly refused: string } {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  // Not blocking: of a pipe in its place, opening would wait for a writer.
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (owner === undefined ? 0 : O_NOFOLLOW))
  try {
    // Of the open file, so that no other can be put in its place between the look and the read.
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { refused: 'is not a file' }
    if (owner !== undefined && stats.uid !== owner) return { refused: 'belongs to another user' }
    const mode = stats.mode & 0o777
    if (process.platform !== 'win32' && (mode & forOthers) !== 0)
      return { refused: `is open to other users (mode ${mode.toString(8)}); run chmod 600 on it` }
    if (stats.size > mostBytes) return { refused: `has more than ${bytesInWords(mostBytes)}` }
    return { text: readFileSync(descriptor, 'utf8') }
  } finally {
    closeSync(descriptor)
  }
}

/** Whether something has this name, even a link to nothing. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Writes and syncs a new file, with the owner of the other one. Its name is not synced: putInPlace does that.
 * Throws a StoreError and leaves nothing.
 */
export function writePrivately(path: string, text: string, ownedAs: string): void {
  try {
    // Made anew: what a killed process left may have other rights, or be a link.
    rmSync(path, { force: true })
    const descriptor = openSync(path, 'wx', 0o600)
    try {
      fchmodSync(descriptor, 0o600)
      giveAway(ownedAs, (uid, gid) => fchownSync(descriptor, uid, gid))
      writeFileSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw storeErrorOf(error)
  }
}

/** Replaces what is there. Throws a StoreError. */
export function putInPlace(path: string, target: string): void {
  try {
    renameSync(path, target)
    syncToDisk(dirname(target))
  } catch (error) {
    throw storeErrorOf(error)
  }
}

/**
 * What root makes goes to the owner of the file that is there, or else of its folder: a service that does not run as root
 * could not read it otherwise.
 */
export function giveAway(file: string, chown: (uid: number, gid: number) => void): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(isThere(file) ? file : dirname(file))
  if (uid !== 0) chown(uid, gid)
}
