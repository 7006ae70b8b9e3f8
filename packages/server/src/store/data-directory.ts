// store/data-directory.ts: which files a data directory holds, and who may read them: only their owner. Files are
// made before SQLite opens them, because it gives its own the mode of the first.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
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

/** A directory that is made outlives a power cut: the one above it, which holds its name, is synced. */
export function makeDirectory(path: string): void {
  const highest = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (highest === undefined) return
  const above = dirname(resolve(highest))
  for (let made = resolve(path); made !== above; made = dirname(made)) syncToDisk(dirname(made))
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
