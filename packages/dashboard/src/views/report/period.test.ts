import { describe, expect, it } from 'vitest'
import { lastPeriod, periodOf, reportPath } from './period.ts'

const period = { fromMs: Date.UTC(2026, 2, 3, 12, 5), toMs: Date.UTC(2026, 2, 10, 12, 5) }

describe('the period of a report', () => {
  it('comes back from the address that it was put into', () => {
    const path = reportPath(7, period)
    expect(path).toBe('/monitors/7/report?from=2026-03-03T12%3A05%3A00Z&to=2026-03-10T12%3A05%3A00Z')
    expect(periodOf(path.slice(path.indexOf('?')))).toEqual({ kind: 'period', period })
  })

  it.each([
    ['', 'none'],
    ['window=7d', 'none'],
    ['from=2026-03-03T12:05:00Z', 'wrong'],
    ['to=2026-03-03T12:05:00Z', 'wrong'],
    ['from=&to=', 'wrong'],
    ['from=yesterday&to=today', 'wrong'],
    ['from=2026-03-03T12:05:00&to=2026-03-04T12:05:00', 'wrong'],
    ['from=2026-13-03T12:05:00Z&to=2026-03-04T12:05:00Z', 'wrong'],
    ['from=2026-03-04T12:05:00Z&to=2026-03-03T12:05:00Z', 'wrong'],
    ['from=2026-03-04T12:05:00Z&to=2026-03-04T12:05:00Z', 'wrong'],
    ['from=2026-03-03T12:05:00.250Z&to=2026-03-04T12:05:00Z', 'period'],
  ])('of %j is %s', (search, kind) => {
    expect(periodOf(search).kind).toBe(kind)
  })

  it('up to now is the same for a whole minute', () => {
    expect(lastPeriod(60_000, Date.UTC(2026, 2, 10, 12, 4, 1))).toEqual(
      lastPeriod(60_000, Date.UTC(2026, 2, 10, 12, 4, 59)),
    )
  })
})
