// views/monitor/push-days.ts: what was expected of a job and what came, day by day over the last weeks. Reports that came are
// counted in the trend; what was missed, and what nobody could report to us, is in the history.
import type { HistoryEvent } from '../../data/history.ts'
import type { Trend } from '../../data/trend.ts'

export const calendarDays = 28

export interface PushDay {
  /** Its first moment, by the clocks of the reader. */
  readonly atMs: number
  readonly succeeded: number
  /** Reported as failed, or not ended in time. */
  readonly failed: number
  readonly missed: number
  /** Windows in which nobody could report. */
  readonly unknown: number
}

/** The last of the days is today. */
export function pushDays(
  { cells }: Pick<Trend, 'cells'>,
  events: readonly Pick<HistoryEvent, 'at' | 'type'>[],
  nowMs: number,
): readonly PushDay[] {
  const days = Array.from({ length: calendarDays }, (_, index) => ({
    atMs: dayBefore(nowMs, calendarDays - 1 - index),
    ...{ succeeded: 0, failed: 0, missed: 0, unknown: 0 },
  }))
  const dayAt = (at: string) => {
    const atMs = Date.parse(at)
    return days.findLast((day) => day.atMs <= atMs)
  }
  for (const { at, type } of events) {
    const day = dayAt(at)
    if (day === undefined) continue
    if (type === 'push_missed') day.missed++
    else if (type === 'push_unknown') day.unknown++
  }
  for (const { at, samples, healthy } of cells) {
    const day = dayAt(at)
    if (day === undefined) continue
    day.succeeded += healthy
    day.failed += samples - healthy
  }
  // A window that was missed is one failed sample.
  for (const day of days) day.failed = Math.max(0, day.failed - day.missed)
  return days
}

/** The worst that a day had decides how it looks; null if nothing was expected and nothing came. */
export function lookOf({ succeeded, failed, missed, unknown }: PushDay): keyof typeof lookWords | null {
  if (missed > 0) return 'missed'
  if (failed > 0) return 'failed'
  if (unknown > 0) return 'unknown'
  return succeeded > 0 ? 'succeeded' : null
}

export const lookWords = {
  missed: 'Missed',
  failed: 'Failed',
  unknown: 'Not known',
  succeeded: 'All came',
} as const

export function dayInWords({ succeeded, failed, missed, unknown }: PushDay): string {
  const expected = succeeded + failed + missed + unknown
  if (expected === 0) return 'nothing was expected, and nothing came'
  const parts = [
    `${succeeded + failed} of ${expected} came`,
    ...(failed > 0 ? [`${failed} of them failed`] : []),
    ...(missed > 0 ? [`${missed} missed`] : []),
    ...(unknown > 0 ? [`${unknown} not known, because Pulseward could not be reached`] : []),
  ]
  return parts.join(', ')
}

function dayBefore(nowMs: number, days: number): number {
  const day = new Date(nowMs)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days)
  return day.getTime()
}
