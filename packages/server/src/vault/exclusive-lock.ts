// vault/exclusive-lock.ts: one process at a time changes the key file. The lock is a file that only one process can
// create. A process that dies leaves it behind: whoever has watched the same lock for ten seconds removes it, since a
// change of the key file takes milliseconds. No clock of the machine is asked.
import type { BigIntStats } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf, KeyRingError } from './key-ring-error.ts'

const lookEveryMs = 50
const usuallyAbandonedAfterMs = 10_000

export interface HeldLock {
  /** Throws when another process took this lock for abandoned. To be asked right before what cannot be undone. */
  confirm(): Promise<void>
}

export async function withExclusiveLock<Result>(
  path: string,
  work: (lock: HeldLock) => Promise<Result>,
  abandonedAfterMs = usuallyAbandonedAfterMs,
): Promise<Result> {
  const file = await acquire(path, abandonedAfterMs)
  const ours = identityOf(await file.stat({ bigint: true }))
  const isOurs = async () => (await identityAt(path)) === ours
  try {
    return await work({
      async confirm() {
        if (!(await isOurs())) throw busy(path)
      },
    })
  } finally {
    if (await isOurs()) await rm(path, { force: true })
    await file.close()
  }
}

async function acquire(path: string, abandonedAfterMs: number): Promise<FileHandle> {
  let watched: string | null = null
  let sinceMs = 0
  for (;;) {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const found = await identityAt(path)
    if (found !== watched) [watched, sinceMs] = [found, performance.now()]
    else if (found !== null && performance.now() - sinceMs >= abandonedAfterMs)
      await rm(path, { force: true })
    await wait(lookEveryMs)
  }
}

async function identityAt(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null)
  return found === null ? null : identityOf(found)
}

/** Inode numbers are given out again; together with its time a lock is told from the one before. */
function identityOf({ ino, mtimeNs }: BigIntStats): string {
  return `${ino} ${mtimeNs}`
}

function busy(path: string): KeyRingError {
  return new KeyRingError(
    'busy',
    `Another command took the lock ${path} while this one was held up. Nothing was changed; try again.`,
  )
}
