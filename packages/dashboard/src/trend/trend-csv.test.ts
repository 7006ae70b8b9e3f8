import { describe, expect, it } from 'vitest'
import { generatedMs, hourMs, incident, timeOf, trendWith } from './trend.fixture.ts'
import { trendAsCsv, trendFileName } from './trend-csv.ts'

const subject = { id: 7, monitorId: 'shop', name: 'Shop' }
const linesOf = (csv: string) => csv.split('\r\n').slice(0, -1)

describe('a trend as CSV', () => {
  const trend = trendWith(
    [
      { ago: 0, samples: 8, healthy: 6 },
      { ago: 1, samples: 2, healthy: 0, p50_ms: null, p95_ms: null },
    ],
    {
      incidents: [incident(generatedMs - hourMs, null)],
      maintenance: [{ begins_at: timeOf(generatedMs - 2 * hourMs), ends_at: timeOf(generatedMs - hourMs) }],
    },
  )

  it('has a line for each cell that is drawn, gaps empty and never zero', () => {
    const lines = linesOf(trendAsCsv(trend, subject))
    expect(lines[0]).toBe('monitor_id,name,kind,from,to,samples,healthy,availability_percent,p50_ms,p95_ms')
    const cells = lines.filter((line) => line.includes('"cell"'))
    expect(cells).toHaveLength(288)
    expect(cells.at(-1)).toBe(
      '"shop","Shop","cell","2026-03-10T12:00:00.000Z","2026-03-10T12:05:00.000Z",8,6,75,20,40',
    )
    expect(cells.at(-2)).toMatch(/,2,0,0,,$/)
    expect(cells.at(-3)).toMatch(/Z",,,,,$/)
  })

  it('has the incidents and the maintenance that are drawn', () => {
    const lines = linesOf(trendAsCsv(trend, subject))
    expect(lines.slice(-2)).toEqual([
      '"shop","Shop","incident","2026-03-10T11:02:00.000Z","2026-03-10T12:02:00.000Z",,,,,',
      '"shop","Shop","maintenance","2026-03-10T10:02:00.000Z","2026-03-10T11:02:00.000Z",,,,,',
    ])
  })

  it.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\t=1', 'a"\r\n=1,'])(
    'lets the name %j neither run nor out of its cell',
    (name) => {
      const csv = trendAsCsv(trend, { ...subject, monitorId: name, name })
      const isFormula = /^[\s]*[=+\-@]/.test(name)
      const written = `"${isFormula ? "'" : ''}${name.replaceAll('"', '""')}"`
      expect(csv.split(`${written},${written},"cell"`)).toHaveLength(289)
    },
  )

  it('of the fleet has no name', () => {
    expect(linesOf(trendAsCsv(trend, null))[1]).toMatch(/^,,"cell",/)
  })

  it('is saved under a name that no monitor can choose', () => {
    const hostile = { ...subject, name: '../../etc/passwd', monitorId: '../x' }
    expect(trendFileName(trend, hostile)).toBe('trend-monitor-7-24h-2026-03-10.csv')
    expect(trendFileName(trend, null)).toBe('trend-fleet-24h-2026-03-10.csv')
  })
})
