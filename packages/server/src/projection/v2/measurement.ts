// projection/v2/measurement.ts: a measured value, or the reason why there is none. Never a zero in its place.
import type { v2 } from '@pulseward/contract'
import type { Static } from 'typebox'

export function measurement(value: number | null, reason: string): Static<typeof v2.Measurement> {
  return value === null ? { available: false, reason } : { available: true, value }
}
