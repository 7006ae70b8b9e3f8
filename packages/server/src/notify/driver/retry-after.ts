// notify/driver/retry-after.ts: how long a provider asks us to wait: the Retry-After header (seconds or a date), or
// the body forms retry_after and parameters.retry_after (seconds, fractions allowed) and retry_after_ms. Pure.
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'
import { jsonObject, objectOf } from './json.ts'

/** A daily quota is the longest plausible wait; a mistake or malice must not silence a destination for good. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1_000

/** Null if the answer names no wait. */
export function waitAskedFor({ headers, body }: OutboundAnswer, nowMs: number): number | null {
  const waitMs = fromHeader(headers['retry-after'], nowMs) ?? fromBody(body)
  return waitMs === null ? null : bounded(waitMs)
}

/** The wait in a header that holds a number of seconds; null if it does not. */
export function waitInSeconds(value: string | string[] | undefined): number | null {
  const text = typeof value === 'string' ? value.trim() : ''
  return /^\d+(\.\d+)?$/.test(text) ? bounded(Number(text) * 1_000) : null
}

function bounded(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), 0), LONGEST_WAIT_MS)
}

function fromHeader(value: string | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? ''
  // Requires a weekday or a month first: Date.parse alone would take "-5" for a year.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  return waitInSeconds(text) ?? (Number.isNaN(date) ? null : date - nowMs)
}

function fromBody(body: string): number | null {
  const value = jsonObject(body)
  const seconds = value?.['retry_after'] ?? objectOf(value?.['parameters'])?.['retry_after']
  return finite(seconds, 1_000) ?? finite(value?.['retry_after_ms'], 1)
}

function finite(value: unknown, unitMs: number): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value * unitMs : null
}
