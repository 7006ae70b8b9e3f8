// notify/driver/retry-after.ts: how long a provider asks us to wait: the Retry-After header (seconds or a date), or
// the body forms retry_after and parameters.retry_after (seconds, fractions allowed) and retry_after_ms. Pure.
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'
import { boundedWait, waitInHeader } from '../../platform/network/retry-after.ts'
import { jsonObject, objectOf } from './json.ts'

/** Null if the answer names no wait. */
export function waitAskedFor({ headers, body }: OutboundAnswer, nowMs: number): number | null {
  return waitInHeader(headers['retry-after'], nowMs) ?? fromBody(body)
}

function fromBody(body: string): number | null {
  const value = jsonObject(body)
  const seconds = value?.['retry_after'] ?? objectOf(value?.['parameters'])?.['retry_after']
  return finite(seconds, 1_000) ?? finite(value?.['retry_after_ms'], 1)
}

function finite(value: unknown, unitMs: number): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? boundedWait(value * unitMs) : null
}
