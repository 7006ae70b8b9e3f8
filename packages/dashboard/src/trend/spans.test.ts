import { v1Limits } from '@pulseward/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gridOf } from './grid.ts'
import { incidentSpans, incidentsKnownSinceMs, maintenanceSpans, openIncidents } from './spans.ts'
import { dayMs, generatedMs, hourMs, incident, timeOf, trendWith } from './trend.fixture.ts'

const drawn = (incidents: ReturnType<typeof incident>[], window: '24h' | '7d' | '90d' = '24h') => {
  const trend = trendWith([], { incidents }, window)
  return { trend, grid: gridOf(trend) }
}

describe('incidents that are drawn', () => {
  it('end now while they are open, and are cut where the window begins', () => {
    const { trend, grid } = drawn([
      incident(generatedMs - hourMs, null),
      incident(generatedMs - 30 * hourMs, generatedMs - 20 * hourMs),
      incident(generatedMs - 50 * hourMs, generatedMs - 40 * hourMs),
    ])
    expect(incidentSpans(trend, grid)).toEqual([
      { fromMs: grid.fromMs, toMs: generatedMs - 20 * hourMs },
      { fromMs: generatedMs - hourMs, toMs: generatedMs },
    ])
  })

  it('that end before they begin, as after a clock was set back, are a moment', () => {
    const { trend, grid } = drawn([incident(generatedMs - hourMs, generatedMs - 2 * hourMs)])
    expect(incidentSpans(trend, grid)).toEqual([{ fromMs: generatedMs - hourMs, toMs: generatedMs - hourMs }])
  })

  it('are known as long as they are kept, and as far back as the newest thousand go', () => {
    const quarter = drawn([], '90d')
    expect(incidentsKnownSinceMs(quarter.trend, quarter.grid)).toBe(generatedMs - 30 * dayMs)
    const day = drawn([])
    expect(incidentsKnownSinceMs(day.trend, day.grid)).toBe(day.grid.fromMs)
    const many = Array.from({ length: v1Limits.trendIncidents }, (_, index) =>
      incident(generatedMs - 5_000 - index, generatedMs),
    )
    const stormy = drawn(many)
    expect(incidentsKnownSinceMs(stormy.trend, stormy.grid)).toBe(generatedMs - 5_000 - 999)
  })
})

describe('maintenance that is drawn', () => {
  it('is not known where the service does not tell it, and else cut to the window', () => {
    const grid = gridOf(trendWith([]))
    expect(maintenanceSpans({ maintenance: null }, grid)).toBeNull()
    const begins_at = timeOf(generatedMs - hourMs)
    const ends_at = timeOf(generatedMs + dayMs)
    expect(maintenanceSpans({ maintenance: [{ begins_at, ends_at }] }, grid)).toEqual([
      { fromMs: generatedMs - hourMs, toMs: grid.toMs },
    ])
  })
})

describe('how many incidents were open', () => {
  it('is the most at once in each cell', () => {
    const at = (hours: number) => generatedMs - hours * hourMs
    const { trend, grid } = drawn(
      [
        incident(at(3), at(1)),
        incident(at(2.5), at(2.4)),
        // One ends at the moment at which the other begins: never two at once.
        incident(at(10), at(9)),
        incident(at(9), at(8)),
        // Opened and closed in the same moment.
        incident(at(20), at(20)),
      ],
      '7d',
    )
    const open = openIncidents(trend, grid)
    const ago = (hours: number) => open[open.length - 1 - hours]
    expect([ago(0), ago(1), ago(2), ago(3), ago(4)]).toEqual([0, 1, 1, 2, 0])
    expect([ago(9), ago(20), ago(21)]).toEqual([1, 1, 0])
  })

  it('is not known for the time of which incidents are not kept', () => {
    const { trend, grid } = drawn([incident(generatedMs - 60 * dayMs, null)], '90d')
    const open = openIncidents(trend, grid)
    expect(open.slice(0, 59)).toEqual(Array.from({ length: 59 }, () => null))
    expect(open.at(-1)).toBe(1)
  })

  it('agrees with counting them one by one', () => {
    const minute = fc.integer({ min: -200, max: 23 * 60 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(minute, fc.integer({ min: 1, max: 300 })), { maxLength: 20 }),
        (given) => {
          const spans = given.map(([ago, length]) => ({
            fromMs: generatedMs - ago * 60_000 - length * 60_000,
            toMs: generatedMs - ago * 60_000,
          }))
          const { trend, grid } = drawn(spans.map(({ fromMs, toMs }) => incident(fromMs, toMs)))
          const counted = grid.slots.map((slot) => {
            let most = 0
            for (let ms = slot.fromMs; ms < slot.toMs; ms += 60_000) {
              const open = spans.filter(({ fromMs, toMs }) => fromMs < ms + 60_000 && toMs > ms)
              // Within a minute those that touch are not open at once.
              most = Math.max(most, mostAt(open, ms))
            }
            return most
          })
          expect(openIncidents(trend, grid)).toEqual(counted)
        },
      ),
    )
  })
})

/** All begin and end at whole minutes, as cells do. */
function mostAt(spans: readonly { readonly fromMs: number; readonly toMs: number }[], ms: number): number {
  return spans.filter(({ fromMs, toMs }) => fromMs <= ms && ms < toMs).length
}
