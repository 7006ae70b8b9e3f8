import { describe, expect, it } from 'vitest'
import { gridOf } from './grid.ts'
import { dayMs, type GivenCell, generatedMs, incident, trendWith } from './trend.fixture.ts'
import { availabilityInWords, incidentsInWords, latencyInWords, notesOf, slotInWords } from './trend-words.ts'

const told = (cells: readonly GivenCell[], parts: Parameters<typeof trendWith>[1] = {}) => {
  const trend = trendWith(cells, parts)
  return { trend, grid: gridOf(trend) }
}

describe('a trend in words', () => {
  it('says the share, when it was least, and how many incidents there were', () => {
    const { trend, grid } = told([{ ago: 0 }, { ago: 3, healthy: 4 }, { ago: 5, healthy: 9 }], {
      incidents: [incident(generatedMs - 1, null)],
    })
    expect(availabilityInWords(trend, grid)).toMatch(
      /^76\.667 % of 30 samples in the last 24 hours were healthy\. The lowest was 40\.00 %, 10 Mar .*\. 1 incident in that time\./,
    )
  })

  it('says that nothing was counted, instead of a share', () => {
    const { trend, grid } = told([])
    expect(availabilityInWords(trend, grid)).toBe('Nothing was counted in the last 24 hours.')
    expect(latencyInWords(trend, grid)).toBe('No healthy check was measured in the last 24 hours.')
  })

  it('says the latest and the slowest latency', () => {
    const { trend, grid } = told([
      { ago: 0, p50_ms: 21, p95_ms: 40 },
      { ago: 9, p95_ms: 900 },
    ])
    expect(latencyInWords(trend, grid)).toContain('half of them took up to 21 ms and 95 % up to 40 ms')
    expect(latencyInWords(trend, grid)).toContain('At the slowest, 95 % took up to 900 ms')
  })

  it('says of a cell what it has, and of a gap that nothing is known', () => {
    const { grid } = told([{ ago: 0 }, { ago: 1, healthy: 0, p50_ms: null, p95_ms: null }])
    const [gap, failed, last] = grid.slots.slice(-3)
    expect(slotInWords(last!)).toMatch(/ · 100 % healthy, 10 of 10 · p50 20 ms · p95 40 ms$/)
    expect(slotInWords(failed!)).toMatch(/ · 0 % healthy, 0 of 10$/)
    expect(slotInWords(gap!)).toMatch(/ · no data$/)
  })

  it('says how many incidents were open at once, and not none where that is not known', () => {
    expect(incidentsInWords([null, 2, 1], '7d')).toBe(
      'At most 2 incidents were open at once in the last 7 days; 1 now.',
    )
    expect(incidentsInWords([null], '7d')).toBe('The incidents in this period are unknown.')
  })
})

describe('the notes under a trend', () => {
  const notes = (parts: Parameters<typeof trendWith>[1], isFleet = false, window?: '90d') => {
    const trend = trendWith([{ ago: 0 }], parts, window)
    return notesOf(trend, gridOf(trend), isFleet)
  }

  it('are none where all is known', () => {
    expect(notes({ complete: true })).toEqual([])
  })

  it('tell of gaps', () => {
    expect(notes({})).toEqual(['No data in 287 of 288 cells of 5 min.'])
  })

  it('tell since when incidents are known', () => {
    expect(notes({ complete: true }, false, '90d')).toEqual(['Incidents are known for the last 30 d only.'])
  })

  it('tell that maintenance is drawn as it is configured, or why it is not', () => {
    const window = {
      begins_at: new Date(generatedMs - dayMs / 2).toISOString(),
      ends_at: new Date(generatedMs).toISOString(),
    }
    expect(notes({ complete: true, maintenance: [window] })).toEqual([
      'Maintenance is drawn as it is configured now.',
    ])
    expect(notes({ complete: true, maintenance: null })).toEqual([
      'It has too many maintenance windows to draw.',
    ])
    expect(notes({ complete: true, maintenance: null }, true)).toEqual([])
  })
})
