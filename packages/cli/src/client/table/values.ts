// client/table/values.ts: figures and times as people read them in a table. A missing value is null,
// which is shown as a dash.
import type { Moment } from './block.ts'

/** Ids up to this length are never cut: people copy them into the next command. */
export const wholeId = 36

const timeUnits = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

export function milliseconds(value: number | null | undefined): string | null {
  if (value === null || value === undefined) return null
  if (value > 0 && value < 0.1) return '< 0.1 ms'
  const [unitMs, unit] = timeUnits.find(([leastMs]) => value >= leastMs) ?? [1, 'ms']
  return `${trimmed(value / unitMs)} ${unit}`
}

export function percent(value: number | null | undefined): string | null {
  // Truncated, not rounded: 99.996 % of a fleet is not all of it.
  return value === null || value === undefined ? null : `${(Math.floor(value * 100) / 100).toFixed(2)} %`
}

/** Powers of a thousand, as on the page. */
const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const

export function bytes(value: number | null | undefined): string | null {
  if (value === null || value === undefined) return null
  const last = byteUnits.length - 1
  // What would be rounded to 1000 is 1 of the next unit.
  const step = byteUnits.findIndex((_, index) => index === last || value < 999.5 * 1000 ** index)
  return `${trimmed(value / 1000 ** step)} ${byteUnits[step]}`
}

export function moment(value: string | null | undefined): Moment | null {
  return value === null || value === undefined ? null : { instant: value }
}

/** A time that people may compare with other clocks, or pass on. */
export function exactMoment(value: string): Moment {
  return { instant: value, isExact: true }
}

/** A rate, a ratio or a count: whole numbers as they are, others with three digits and at most two decimals. */
export function figure(value: number): string {
  if (Number.isInteger(value)) return String(value)
  const size = Math.abs(value)
  if (size < 0.01) return '< 0.01'
  return String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)))
}

export function listed(values: readonly string[] | undefined): string | null {
  return values === undefined || values.length === 0 ? null : values.join(', ')
}

/** `red 1, gray 2`; zero counts are left out. */
export function tally(
  counts: Readonly<Record<string, number>>,
  nameOf: (key: string) => string = (key) => key,
): string | null {
  return listed(
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([key, count]) => `${nameOf(key)} ${count}`),
  )
}

function trimmed(value: number): string {
  return value.toFixed(value >= 100 ? 0 : 1).replace(/\.0$/, '')
}
