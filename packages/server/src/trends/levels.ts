// trends/levels.ts: how long a cell is, and how long it is kept. A cell's number is its start, in cells since
// 1970.
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const trendLevels = {
  minute: { cellMs: minuteMs, keepMs: 6 * hourMs + 10 * minuteMs },
  fiveMinutes: { cellMs: 5 * minuteMs, keepMs: 2 * dayMs },
  hour: { cellMs: hourMs, keepMs: 30 * dayMs },
  day: { cellMs: dayMs, keepMs: 400 * dayMs },
} as const

export type TrendLevel = keyof typeof trendLevels

/** Days are not counted but added up from hours. */
export type CountedLevel = Exclude<TrendLevel, 'day'>

/** Cells that are saved while they are filled. A minute is short: the part that a kill loses is not worth writing often. */
export type SavedLevel = Exclude<CountedLevel, 'minute'>

export function isSaved(level: CountedLevel): level is SavedLevel {
  return level !== 'minute'
}

export const hoursOfDay = 24

export function cellAt(level: TrendLevel, at: number): number {
  return Math.floor(at / trendLevels[level].cellMs)
}

export function beginOf(level: TrendLevel, cell: number): number {
  return cell * trendLevels[level].cellMs
}
