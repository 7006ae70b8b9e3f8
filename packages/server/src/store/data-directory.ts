// store/data-directory.ts: which files a data directory holds, and who may read and write them: only their owner. Files are
// made before SQLite opens them, because it gives its own the mode of the first.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { syncToDisk } from '../platform/replace-file.ts'

export interface DataDirectory {
  readonly root: string
  readonly database: string
  /** Everything that was committed and is not in the database file yet. */
  readonly writeAheadLog: string
  readonly sharedMemory: string
  readonly ownerLock: string
  /** A new store until it is whole; only then it gets the name of a store. */
  readonly unfinished: string
  /** What a restore brings, until the store that it replaces is out of its way. */
  readonly restoring: string
  readonly lastBackup: string
  /** A copy of what the store has, for fast starts. It is no part of a backup: a start makes it again. */
  readonly arrangement: string
  /** A copy of what fleet files say, for fast starts. It is no part of a backup either. */
  readonly fleet: string
  /** Which key the service seals credentials with, and which keys seal what is stored. Never a key. */
  readonly sealing: string
  /** Who may use v2. */
  readonly principals: string
  /** The token of the operator that the first start made. */
  readonly operatorToken: string
  /** Where the service listens. True only while its lock is held: a killed process leaves the file. */
  readonly address: string
  /** A file for each operation of many items that is not applied yet. */
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
    lastBackup: join(root, 'last-backup.json'),
    arrangement: join(root, 'arrangement.snapshot'),
    fleet: join(root, 'fleet.snapshot'),
    sealing: join(root, 'sealing.json'),
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
 * Throws where it cannot be written to. A directory that is made outlives a power cut: the one above it, which holds
 * its name, is synced.
 */
export function makeDirectory(path: string): void {
  const missing = firstMissing(resolve(path))
  if (missing !== null) {
    // One by one: of a read-only file system the recursive way only says that nothing is there.
    mkdirSync(missing, { mode: onlyTheOwner })
    mkdirSync(path, { recursive: true, mode: onlyTheOwner })
    for (let made = resolve(path); made !== dirname(missing); made = dirname(made)) syncToDisk(dirname(made))
  }
  // Made again if it is there: a file in its place is found out so.
  else mkdirSync(path, { recursive: true })
  accessSync(path, constants.W_OK)
}

/** The highest directory on the way that is not there; null when all are. */
function firstMissing(path: string): string | null {
  if (existsSync(path)) return null
  return firstMissing(dirname(path)) ?? path
}

/** What is unsafe about a data directory, in sentences that end with what to do; nothing where that cannot be told. */
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
