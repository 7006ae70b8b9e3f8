// store/sqlite/maintenance/restore.ts: replaces a store with a verified backup. Holds the owner's lock, so no service
// uses either store meanwhile; the old store is moved aside, never overwritten. If it is interrupted at any point, the
// next start finds the old store, the new one, or a reason to refuse, never an empty one. The copy is marked as restored,
// so that the next process does not resend what was queued when the backup was made.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Instant } from '../../../deciding/health/health.ts'
import { putInPlace, syncToDisk } from '../../../platform/replace-file.ts'
import { UsageError } from '../../../platform/usage-error.ts'
import { type DataDirectory, dataDirectory, makeDirectory } from '../../data-directory.ts'
import { markRestored } from '../database.ts'
import { lockForOwner } from '../owner-lock.ts'
import { asStoreError } from '../sqlite-errors.ts'
import { copyStore } from './copy-store.ts'
import { type Verdict, verifyStore } from './verify.ts'

export interface RestoreOptions {
  readonly file: string
  readonly directory: string
  /** Moves an existing store aside instead of refusing. */
  readonly force: boolean
  readonly now: Instant
}

export interface Restored {
  readonly verdict: Verdict
  /** Where the previous store is now; null if there was none. */
  readonly keptAside: string | null
}

/** Changes nothing if the verdict has problems. */
export async function restore({ file, directory, force, now }: RestoreOptions): Promise<Restored> {
  const verdict = verifyStore(file)
  if (verdict.problems.length > 0) return { verdict, keptAside: null }
  const files = dataDirectory(directory)
  makeDirectory(directory)
  using _lock = lockForOwner(files.ownerLock)
  const old = [files.database, files.writeAheadLog, files.sharedMemory].filter((path) => existsSync(path))
  if (old.length > 0 && !force)
    throw new UsageError(`There is a store in ${directory} already; pass --force to put it aside.`)
  try {
    rmSync(files.restoring, { force: true })
    await copyStore(file, files.restoring)
    markRestored(files.restoring, now)
    syncToDisk(files.restoring)
    const keptAside = old.length > 0 ? putAside(files, old, now) : null
    putInPlace(files.restoring, files.database)
    return { verdict, keptAside }
  } catch (error) {
    throw asStoreError(error)
  }
}

function putAside(files: DataDirectory, old: readonly string[], now: Instant): string {
  const name = `replaced-${new Date(now).toISOString().replaceAll(':', '-')}`
  const taken = readdirSync(files.root).filter((entry) => entry.startsWith(name)).length
  const folder = join(files.root, taken === 0 ? name : `${name}-${taken + 1}`)
  mkdirSync(folder, { mode: 0o700 })
  // The database first: from then on a start refuses, because there is a write-ahead log without a database.
  for (const path of old) renameSync(path, join(folder, basename(path)))
  syncToDisk(folder)
  return folder
}
