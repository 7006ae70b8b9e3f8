// platform/replace-file.ts: replaces a file atomically. The new content is written next to it, readable only by its
// owner, is synced, and renamed last; then the folder, which holds the name, is synced. After a power cut at any point
// the file is the old one or the new one, and once the call has returned it is the new one. A failure leaves no partial
// file. The asynchronous form is for the controller's thread, which must not wait for a disk.
import {
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const onlyTheOwner = 0o600

/** Where the content is until it is complete. */
export function partialOf(path: string): string {
  return `${path}.partial`
}

export function replaceFile(path: string, content: string): void {
  const partial = partialOf(path)
  try {
    writePrivateFile(partial, content, path)
    putInPlace(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** Creates a file with the owner of another one. Its content is synced, its name is not. */
export function writePrivateFile(path: string, content: string, ownedAs: string): void {
  // Created anew: a file left by a killed process may have other permissions, or be a link.
  rmSync(path, { force: true })
  const descriptor = openSync(path, 'wx', onlyTheOwner)
  try {
    fchmodSync(descriptor, onlyTheOwner)
    const owner = newOwner(ownedAs)
    if (owner !== null) fchownSync(descriptor, owner.uid, owner.gid)
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Renames a file that is on disk over another one. */
export function putInPlace(partial: string, path: string): void {
  renameSync(partial, path)
  syncToDisk(dirname(path))
}

/** Makes a change to a file, or to the names in a folder, survive a power cut. */
export function syncToDisk(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!isBeyondSyncing(error)) throw error
  }
}

/** confirm: called when everything is written; if it throws, the file stays unchanged. */
export async function replaceFileAsync(
  path: string,
  content: string,
  confirm: () => Promise<void> = async () => {},
): Promise<void> {
  const partial = partialOf(path)
  try {
    await rm(partial, { force: true })
    {
      await using file = await open(partial, 'wx', onlyTheOwner)
      await file.chmod(onlyTheOwner)
      const owner = newOwner(path)
      if (owner !== null) await file.chown(owner.uid, owner.gid)
      await file.writeFile(content)
      await file.sync()
    }
    await confirm()
    await rename(partial, path)
    await syncToDiskAsync(dirname(path))
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw error
  }
}

export async function syncToDiskAsync(path: string): Promise<void> {
  try {
    await using file = await open(path, 'r')
    await file.sync()
  } catch (error) {
    if (!isBeyondSyncing(error)) throw error
  }
}

/**
 * Files that root creates go to the owner of the other file, or else of its folder: the service could not
 * read them otherwise.
 */
export function giveAway(path: string, ownedAs: string): void {
  const owner = newOwner(ownedAs)
  if (owner !== null) chownSync(path, owner.uid, owner.gid)
}

function newOwner(path: string): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(isThere(path) ? path : dirname(path))
  return owner.uid === 0 ? null : owner
}

/** Whether the name exists, even as a dangling link. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Syncing is not supported there, as with a mounted secret or on Windows; a failing disk is not ignored. */
function isBeyondSyncing(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['EACCES', 'EPERM', 'EROFS', 'EINVAL', 'ENOTSUP', 'EISDIR'].includes(code)
}
