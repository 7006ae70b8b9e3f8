// platform/network/retry-after.ts: how long the Retry-After header of an answer asks to wait. Pure.

/** A daily quota is the longest plausible wait; a mistake or malice must not silence a peer for good. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1_000

type Header = string | readonly string[] | undefined

/** The wait in a header that holds seconds or a date; null if it holds neither. */
export function waitInHeader(value: Header, nowMs: number): number | null {
  const text = typeof value === 'string' ? value.trim() : ''
  // Requires a weekday or a month first: Date.parse alone would take "-5" for a year.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  return waitInSeconds(text) ?? (Number.isNaN(date) ? null : boundedWait(date - nowMs))
}

/** The wait in a header that holds a number of seconds; null if it does not. */
export function waitInSeconds(value: Header): number | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return /^\d+(\.\d+)?$/.test(text) ? boundedWait(Number(text) * 1_000) : null
}

export function boundedWait(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), 0), LONGEST_WAIT_MS)
}
