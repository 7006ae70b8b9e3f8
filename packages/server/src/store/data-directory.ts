// store/data-directory.ts: which files a data directory holds, and who may read and write them: only their owner. Files are
// made before SQLite opens them, because it gives its own the mode of the first.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

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
  }
}

const onlyTheOwner = 0o700
const othersMayWrite = 0o002

/** Throws where it cannot be written to. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: onlyTheOwner })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // Node.js says so of a read-only file system, too; asked for one directory it says what is the matter.
    mkdirSync(firstMissing(resolve(path)), { mode: onlyTheOwner })
    mkdirSync(path, { recursive: true, mode: onlyTheOwner })
  }
  accessSync(path, constants.W_OK)
}

function firstMissing(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? path : firstMissing(parent)
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

/** Never opens one that is there: closing it again would free every lock that this process holds on it. */
export function makePrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
}

/** Makes what happened to a file, or to the names in a directory, outlive a power cut. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
