// engine/rest.ts: how long an engine can be left alone: until a check, an action, a window or a snooze is
// due, or a source has something to end. Being called too early costs a wake-up. A part that is missing here
// would be late by as long as the loop sleeps.
import type { EngineParts } from './engine-parts.ts'

/**
 * While a check is in flight, the loop wakes up this often. A result must not count against its target if the
 * process was suspended meanwhile, and a suspension is detected only as precisely as the loop wakes up.
 */
const watchfulMs = 100

/**
 * At least leastMs from now, at most mostMs, in milliseconds or finer. The next check may wait for others that are due up to
 * leastMs later: a check costs much less in the same wake-up as another.
 */
export function rest(parts: EngineParts, leastMs: number, mostMs: number): number {
  const { checks, clock } = parts
  if (checks.queue.depth > 0) return leastMs
  const nowMs = clock.monotonicMs()
  const isWatchful = checks.pool.busy > 0
  const soonestMs = nowMs + leastMs
  const latestMs = otherWorkDueMs(parts, nowMs, nowMs + (isWatchful ? watchfulMs : mostMs))
  const firstMs = checks.scheduler.firstSlotMs(latestMs)
  const lastMs = checks.scheduler.lastSlotMs(firstMs, Math.min(latestMs, firstMs + leastMs))
  const untilMs = Math.max(soonestMs, lastMs)
  if (!isWatchful) checks.scheduler.rest(untilMs)
  return untilMs - nowMs
}

function otherWorkDueMs(parts: EngineParts, nowMs: number, latestMs: number): number {
  const { escalations, ledger, time, clock, maintenance, snoozes, sources, identities } = parts
  if (!identities.areWritten) return nowMs
  const startAt = ledger.nextStartAt(time.now())
  const stepAt = escalations.nextDueAt
  const windowAtMs = maintenance.nextChangeAtMs
  const snoozeAtMs = snoozes.nextDeadlineMs
  const wallToMonotonicMs = nowMs - clock.wallMs()
  return Math.min(
    latestMs,
    ...sources.map(({ nextDueMs }) => nextDueMs ?? latestMs),
    startAt === null ? latestMs : time.monotonicMs(startAt),
    Number.isFinite(stepAt) ? time.monotonicMs(stepAt) : latestMs,
    windowAtMs === null ? latestMs : windowAtMs + wallToMonotonicMs,
    snoozeAtMs === null ? latestMs : snoozeAtMs + wallToMonotonicMs,
  )
}
