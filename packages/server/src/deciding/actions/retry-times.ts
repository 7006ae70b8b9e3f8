// deciding/actions/retry-times.ts: when a notification that was not taken is tried again, and for how long. Pure.
import type { Instant } from '../health/health.ts'

const firstRetryMs = 4_000
const longestRetryMs = 300_000

/** A provider that asks for more is asked again after this long. */
const longestAskedMs = 3_600_000

/** What could not be told for a day is not news any more. */
const triedForMs = 86_400_000

export function providerWaitMs(retryAfterMs: number | null): number | null {
  if (retryAfterMs === null || Number.isNaN(retryAfterMs)) return null
  return Math.min(Math.max(retryAfterMs, 0), longestAskedMs)
}

/** After the attempt with this number. */
export function retryWaitMs(attempt: number, retryAfterMs: number | null): number {
  return providerWaitMs(retryAfterMs) ?? Math.min(longestRetryMs, firstRetryMs * 2 ** (attempt - 1))
}

/** Until when something is tried whose first attempt started then. */
export function triedUntil(triedSince: Instant): Instant {
  return triedSince + triedForMs
}
