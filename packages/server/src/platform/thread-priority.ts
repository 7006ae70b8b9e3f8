// platform/thread-priority.ts: which threads take precedence when cores are scarce: those that decide, store
// and answer, before those that check and load, before those that only tidy up. Only Linux has priorities per
// thread; elsewhere all are equal.
import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** A third of the share of an ordinary thread: enough to make progress under any load, without delaying the others. */
const behindDecisions = 3

/** A tenth of that: nothing waits for such a thread. */
export const behindChecks = 10

/** Lowers the priority of the calling thread below that of the others. */
export function stepBack(niceness = behindDecisions): void {
  if (process.platform !== 'linux') return
  try {
    // Relative to the process, which may have been started with a lower priority itself.
    const ownNiceness = Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + niceness)
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), ownNiceness)
  } catch {
    // Without /proc, or without permission, threads stay equal.
  }
}
