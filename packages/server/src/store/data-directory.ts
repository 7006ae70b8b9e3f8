// store/data-directory.ts: the files of a data directory. Only their owner may read and write them. Files are
// created before SQLite opens them, because its own files take the mode of the first.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { syncToDisk } from '../platform/replace-file.ts'

export interface DataDirectory {
  readonly root: string
  readonly database: string
  /** Commits that are not in the database file yet. */
  readonly writeAheadLog: string
  readonly sharedMemory: string
  readonly ownerLock: string
  /** A new store until it is complete; only then is it renamed to the store. */
  readonly unfinished: string
  /** The restored store, until the one that it replaces has been moved away. */
  readonly restoring: string
  /** A store that is being copied here from elsewhere; only a complete one is renamed to the store. */
  readonly copying: string
  readonly lastBackup: string
  /** A copy of what the store has, for fast starts. Not part of a backup: the next start rebuilds it. */
  readonly arrangement: string
  /** A copy of what the fleet files say, for fast starts. Not part of a backup either. */
  readonly fleet: string
  /** Which key seals credentials, and which keys sealed the stored ones. Never contains a key. */
  readonly sealing: string
  /** What status pages have published by themselves. */
  readonly statusIncidents: string
  /** The principals of v2. */
  readonly principals: string
  /** The operator token that the first start created. */
  readonly operatorToken: string
  /** The address that the service listens on. Valid only while its lock is held: a killed process leaves the file. */
  readonly address: string
  /** Has one file for each bulk operation that is not applied yet. */
  readonly staging: string
  readonly addressLock: string
}

export function dataDirectory(root: string): DataDirectory {
  const database = join(root, 'pulseward.db')
  return {
    root,
    database,
    writeAheadLog: `${database}-wal`,
    sharedMemory: `${database}-shm`,
    ownerLock: join(root, 'owner.lock'),
    unfinished: `${database}.unfinished`,
    restoring: `${database}.restoring`,
    copying: `${database}.copying`,
    lastBackup: join(root, 'last-backup.json'),
    arrangement: join(root, 'arrangement.snapshot'),
    fleet: join(root, 'fleet.snapshot'),
    sealing: join(root, 'sealing.json'),
    statusIncidents: join(root, 'status-incidents.json'),
    principals: join(root, 'principals.json'),
    operatorToken: join(root, 'operator.token'),
    address: join(root, 'address'),
    staging: join(root, 'staging'),
    addressLock: join(root, 'address.lock'),
  }
}

const onlyTheOwner = 0o700
const othersMayWrite = 0o002

/**
 * Throws if the directory is not writable. A created directory survives a power cut: its parent, which holds
 * its name, is synced.
 */
export function makeDirectory(path: string): void {
  const missing = firstMissing(resolve(path))
  if (missing !== null) {
    // Created separately: on a read-only file system, the recursive call only reports a missing path.
    mkdirSync(missing, { mode: onlyTheOwner })
    mkdirSync(path, { recursive: true, mode: onlyTheOwner })
    for (let made = resolve(path); made !== dirname(missing); made = dirname(made)) syncToDisk(dirname(made))
  }
  // Called even if it exists: throws if there is a file in its place.
  else mkdirSync(path, { recursive: true })
  accessSync(path, constants.W_OK)
}

/** The topmost missing directory of the path; null if none is missing. */
function firstMissing(path: string): string | null {
  if (existsSync(path)) return null
  return firstMissing(dirname(path)) ?? path
}

/** What is unsafe about a data directory, in sentences that end with what to do; empty if that cannot be determined. */
export function directoryConcerns(path: string, owner = process.getuid?.()): string[] {
  if (owner === undefined) return []
  const { mode, uid } = statSync(path)
  return [
    ...((mode & othersMayWrite) === 0
      ? []
      : [`The data directory ${path} can be written by everybody on this machine; run chmod 700 on it.`]),
    ...(uid === owner
      ? []
      : [
          `The data directory ${path} belongs to another user (uid ${uid}, this is ${owner}); run chown on it, or run the service as that user.`,
        ]),
  ]
}
