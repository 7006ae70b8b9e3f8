// store/postgres/stopwatch.ts: measures time on this machine, for deciding who may still act.
import { uptime } from 'node:os'

/** Returns how long ago it was started. Counts the time in which the machine was suspended, too. */
export function stopwatch(): () => number {
  const began = performance.now()
  const upSince = uptime()
  return () => Math.max(performance.now() - began, (uptime() - upSince) * 1_000)
}
