// import/durations.ts: durations of other programs, in milliseconds, and as a fleet file writes them.
import { formatDuration } from '@pulseward/server'
import type { Fields } from './fields.ts'

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}
const part = /([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d|w|y)/y

/** As written by Go and Prometheus: 1h30m, 1.5s, 2d. Null for anything else. */
export function parseForeignDuration(text: string): number | null {
  if (text === '0') return 0
  let ms = 0
  part.lastIndex = 0
  while (part.lastIndex < text.length) {
    const [, amount, unit = ''] = part.exec(text) ?? []
    if (amount === undefined) return null
    ms += Number(amount) * unitMs[unit]!
  }
  return text === '' ? null : ms
}

/** A fleet file allows at most nine digits per unit. */
export const longestMs = 999_999_999 * 1_000

export function asDuration(ms: number): string {
  return formatDuration(Math.round(Math.min(Math.max(ms, 0), longestMs)))
}

/** The duration in a field; a number is in nanoseconds, as in Go. Undefined for anything else, which is noted. */
export function durationOf(fields: Fields, key: string): number | undefined {
  const value = fields.take(key)
  if (value === undefined || value === '') return undefined
  const ms = typeof value === 'number' ? value / 1e6 : parseForeignDuration(String(value))
  if (ms === null) fields.note(key, 'is not a duration')
  return ms ?? undefined
}
