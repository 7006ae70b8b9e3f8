import { describe, expect, it } from 'vitest'
import { compareRuns } from './fleet-comparison.ts'

const run = (cpu: number, rss: number, delay: number | null = 1) => ({
  figures: { cpu_us_per_check: cpu, rss_bytes: rss, schedule_delay_p99_ms: delay, type: 'tcp' },
})

describe('a comparison of two services', () => {
  it('gives the median, the spread and the ratio of each figure that every run has', () => {
    const { summary, ratio } = compareRuns({
      ours: [run(55, 100), run(50, 300), run(52, 200, null)],
      theirs: [run(40, 400), run(99, 100), run(50, 100)],
    })
    expect(summary.ours).toEqual({
      cpu_us_per_check: { median: 52, least: 50, most: 55 },
      rss_bytes: { median: 200, least: 100, most: 300 },
    })
    expect(ratio).toEqual({ cpu_us_per_check: 52 / 50, rss_bytes: 2 })
  })

  it('has no ratio when there is nothing to compare with', () => {
    expect(compareRuns({ ours: [run(55, 100)] }).ratio).toEqual({})
  })
})
