// actions/verdict.ts: what a provider answered, and when a rejected code is tried again. A definite answer is a fact;
// a lost one, or a timeout after the request left, is ambiguous and never tried again by itself.

export type Verdict =
  | { readonly kind: 'accepted' }
  /** For good: a bad key, a malformed message. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** 408, 425, 429, 5xx, a refused connection; with the wait that the provider asked for, if it did. */
  | { readonly kind: 'rejected-for-now'; readonly reason: string; readonly retryAfterMs: number | null }
  /** The destination does not exist any more. */
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'ambiguous'; readonly reason: string }

/** Why something is not even tried. */
export const destinationIsGone = 'the destination is gone'

const attemptsAtMost = 3

const backoffMs = [4_000, 8_000]

/** A provider that asks for more is asked again after this long: news that are a day late help nobody. */
const longestWaitMs = 3_600_000

export function providerWaitMs(retryAfterMs: number | null): number | null {
  if (retryAfterMs === null || Number.isNaN(retryAfterMs)) return null
  return Math.min(Math.max(retryAfterMs, 0), longestWaitMs)
}

/** Null when this was the last attempt. */
export function retryWaitMs(attempt: number, retryAfterMs: number | null): number | null {
  if (attempt >= attemptsAtMost) return null
  return providerWaitMs(retryAfterMs) ?? backoffMs[attempt - 1]!
}
