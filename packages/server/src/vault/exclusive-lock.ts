// vault/exclusive-lock.ts: lets only one process at a time change the key file. The lock is a file that only one process
// can create. A process that dies leaves it behind: a process that sees the same lock for ten seconds removes it, since a
// change of the key file takes milliseconds. It does not depend on the wall clock.
import type { BigIntStats } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { codeOf, KeyRingError } from './key-ring-error.ts'

const lookEveryMs = 50
const usuallyAbandonedAfterMs = 10_000

export interface HeldLock {
  /** Throws if another process considered this lock abandoned. To be called right before anything irreversible. */
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

/** Inode numbers are reused; together with its time, a lock is distinguished from an earlier one. */
function identityOf({ ino, mtimeNs }: BigIntStats): string {
  return `${ino} ${mtimeNs}`
}

function busy(path: string): KeyRingError {
  return new KeyRingError(
    'busy',
    `Another command took the lock ${path} while this one was held up. Nothing was changed; try again.`,
  )
}
