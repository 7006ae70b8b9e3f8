import type { Slo } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { punctualityOf } from './punctuality.ts'

describe('punctuality', () => {
  const report = (expected: number, queue_met: number, left_out: number, p99_ms: number | null) =>
    ({
      expected,
      queue_met,
      left_out,
      missed: 1,
      overdue: 2,
      scheduling_queue: { p50_ms: null, p95_ms: null, p99_ms },
    }) as Slo['reports'][number]

  it('weighs each kind by its checks and leaves out those that say nothing', () => {
    expect(punctualityOf({ reports: [report(100, 90, 0, 20), report(310, 300, 10, 35)] })).toEqual({
      attainedPercent: 97.5,
      worstP99Ms: 35,
      missed: 2,
      overdue: 4,
    })
  })

  it('is not known before anything was due', () => {
    const { attainedPercent, worstP99Ms } = punctualityOf({ reports: [report(3, 0, 3, null)] })
    expect([attainedPercent, worstP99Ms]).toEqual([null, null])
  })
})
