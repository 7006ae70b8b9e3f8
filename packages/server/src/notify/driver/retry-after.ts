// notify/driver/retry-after.ts: how long a provider asks to be left alone: the Retry-After header (seconds or a date),
// or the body forms retry_after and parameters.retry_after (seconds, fractions allowed). Pure.
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'

/** No provider means more than its daily quota; a slip or a bad will must not silence a destination for good. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1_000

/** Null when the answer names no wait. */
export function waitAskedFor({ headers, body }: OutboundAnswer, nowMs: number): number | null {
  const waitMs = fromHeader(headers['retry-after'], nowMs) ?? fromBody(body)
  return waitMs === null ? null : Math.min(Math.max(Math.ceil(waitMs), 0), LONGEST_WAIT_MS)
}

function fromHeader(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  // Anything that a date begins with; Date.parse alone would take "-5" for a year.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : date - nowMs
}

function fromBody(body: string): number | null {
  const value = parsed(body)
  const seconds = value?.['retry_after'] ?? objectOf(value?.['parameters'])?.['retry_after']
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1_000 : null
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    return objectOf(JSON.parse(body))
  } catch {
    return null
  }
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
}
