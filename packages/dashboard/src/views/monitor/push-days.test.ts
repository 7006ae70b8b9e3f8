import { describe, expect, it } from 'vitest'
import { calendarDays, dayInWords, lookOf, pushDays } from './push-days.ts'

const now = new Date(2026, 5, 15, 12).getTime()
/** An instant so many days ago, at this hour by the clocks of the reader. */
const ago = (days: number, hour: number) => new Date(2026, 5, 15 - days, hour).toISOString()
const cell = (at: string, samples: number, healthy: number) => ({
  at,
  samples,
  healthy,
  p50_ms: null,
  p95_ms: null,
})

describe('the days of a job', () => {
  it('are the last four weeks, and end with today', () => {
    const days = pushDays({ cells: [] }, [], now)
    expect(days).toHaveLength(calendarDays)
    expect(days.at(-1)?.atMs).toBe(new Date(2026, 5, 15).getTime())
    expect(days.map(lookOf)).toEqual(days.map(() => null))
  })

  it('count what came, and apart from it what was missed and what is not known', () => {
    const cells = [
      cell(ago(2, 1), 3, 2),
      cell(ago(2, 23), 1, 1),
      cell(ago(1, 3), 2, 1),
      cell(ago(0, 3), 1, 1),
    ]
    const events = [
      { at: ago(1, 3), type: 'push_missed' },
      { at: ago(0, 4), type: 'push_unknown' },
      { at: ago(60, 4), type: 'push_missed' },
    ] as const
    const [third, second, last] = pushDays({ cells }, events, now).slice(-3)
    expect(third).toMatchObject({ succeeded: 3, failed: 1, missed: 0, unknown: 0 })
    expect(second).toMatchObject({ succeeded: 1, failed: 0, missed: 1, unknown: 0 })
    expect(last).toMatchObject({ succeeded: 1, failed: 0, missed: 0, unknown: 1 })
    expect([third, second, last].map((day) => lookOf(day!))).toEqual(['failed', 'missed', 'unknown'])
    expect(dayInWords(last!)).toBe('1 of 2 came, 1 not known, because Pulseward could not be reached')
    expect(dayInWords(second!)).toBe('1 of 2 came, 1 missed')
    expect(dayInWords(third!)).toBe('4 of 4 came, 1 of them failed')
  })
})
