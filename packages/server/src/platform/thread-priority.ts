// platform/thread-priority.ts: which threads go first where cores are short: those that decide, store and answer, before
// those that check and load, before those that only tidy up. Only Linux has a priority for each thread; elsewhere all are
// equal.
import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/** A third of the share of an ordinary thread: enough to go on under any load, and never in the way of the others. */
const behindDecisions = 3

/** A tenth of that: nobody waits for what such a thread does. */
export const behindChecks = 10

/** Lets the other threads of the process go before the calling one. */
export function stepBack(niceness = behindDecisions): void {
  if (process.platform !== 'linux') return
  try {
    // From where the whole process stands, which may have been started with a lower priority itself.
    const ownNiceness = Math.min(constants.priority.PRIORITY_LOW, getPriority(process.pid) + niceness)
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), ownNiceness)
  } catch {
    // Without /proc, or where it is not allowed, threads are equal as elsewhere.
  }
}
