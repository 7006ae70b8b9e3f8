// store/sqlite/maintenance/backup.ts: copies a store into one file while its owner keeps running, and
// verifies the copy. The file gets its name last, so that a file of that name is always complete.
import { existsSync, rmSync } from 'node:fs'
import type { Instant } from '../../../deciding/health/health.ts'
import { partialOf, putInPlace, syncToDisk } from '../../../platform/replace-file.ts'
import { UsageError } from '../../../platform/usage-error.ts'
import { dataDirectory } from '../../data-directory.ts'
import { writeLastBackup } from '../last-backup.ts'
import { asStoreError } from '../sqlite-errors.ts'
import { copyStore } from './copy-store.ts'
import { type Verdict, verifyStore } from './verify.ts'

/** If the verdict has problems, there is no file. */
export async function backUp(directory: string, file: string, now: Instant): Promise<Verdict> {
  const files = dataDirectory(directory)
  if (!existsSync(files.database)) throw new UsageError(`There is no store in ${directory}.`)
  if (existsSync(file)) throw new UsageError(`${file} exists already; choose another name.`)
  const partial = partialOf(file)
  try {
    rmSync(partial, { force: true })
    await copyStore(files.database, partial)
    const verdict = verifyStore(partial)
    const verified = verdict.problems.length === 0
    if (verified) {
      syncToDisk(partial)
      putInPlace(partial, file)
    }
    writeLastBackup(files.lastBackup, { at: now, verified })
    return verdict
  } catch (error) {
    throw asStoreError(error)
  } finally {
    rmSync(partial, { force: true })
  }
}
