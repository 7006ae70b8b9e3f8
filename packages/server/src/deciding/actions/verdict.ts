// deciding/actions/verdict.ts: what a provider answered, and when a rejected notification is tried again. A definite answer is a
// fact; a lost one, or a timeout after the request left, is ambiguous and never tried again by itself.
import type { Instant } from '../health/health.ts'

export type Verdict =
  | { readonly kind: 'accepted' }
  /** For good: a bad key, a malformed message. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** 408, 425, 429, 5xx, a refused connection; with the wait that the provider asked for, if it did. */
  | { readonly kind: 'rejected-for-now'; readonly reason: string; readonly retryAfterMs: number | null }
  /** We did not even try: it says nothing about the provider. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** The destination does not exist any more. */
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'ambiguous'; readonly reason: string }

/** Why something is not even tried. */
export const destinationIsGone = 'the destination is gone'

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
