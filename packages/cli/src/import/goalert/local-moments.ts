// import/goalert/local-moments.ts: moments and zones of GoAlert, and how a schedule writes a moment: on the clocks of its zone,
// to the minute.
import { isTimezone } from '@pulseward/server'
import type { Fields } from '../fields.ts'

const minuteMs = 60_000
/** Schedules are written with years of four digits. */
const firstMs = Date.UTC(1970, 0, 2)
const lastMs = Date.UTC(9_998, 0, 1)

/** Milliseconds since 1970; null if it is none that a schedule can have. */
export function momentOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms >= firstMs && ms <= lastMs ? ms : null
}

/** A local time, written as if it were UTC. */
export function localMoment(localMs: number | null): string | null {
  if (localMs === null || localMs < firstMs - 26 * 60 * minuteMs || localMs > lastMs + 26 * 60 * minuteMs)
    return null
  return new Date(Math.floor(localMs / minuteMs) * minuteMs).toISOString().slice(0, 16)
}

/** Null if it is not a time zone. */
export function zoneOf(fields: Fields): string | null {
  const zone = fields.text('timeZone') ?? 'UTC'
  return zone.length <= 64 && isTimezone(zone) ? zone : null
}
