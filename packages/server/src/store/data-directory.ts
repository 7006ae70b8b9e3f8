// store/data-directory.ts: which files a data directory holds, and who may read them: only their owner. Files are
// made before SQLite opens them, because it gives its own the mode of the first.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'

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

export function makeDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
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
