import { describe, expect, it } from 'vitest'
import { checksKept, LastChecks } from './last-checks.ts'

const failed = (at: number) => ({
  at,
  outcome: 'failure' as const,
  latencyMs: 12,
  reason: `HTTP 503 at ${at}`,
})
const well = (at: number) => ({ at, outcome: 'success' as const, latencyMs: 12, reason: null })

describe('the last checks of a monitor', () => {
  it('are kept while something is the matter, the newest first, and go when it is quiet', () => {
    const last = new LastChecks()
    last.note(1, 'edge', false, failed(1))
    last.note(1, 'edge', false, well(2))
    expect(last.of(1, 'edge')?.map(({ at }) => at)).toEqual([2, 1])
    last.note(1, 'edge', true, well(3))
    expect(last.of(1, 'edge')).toBeNull()
    last.note(2, 'calm', true, well(1))
    expect(last.of(2, 'calm')).toBeNull()
  })

  it('are bounded: their number, their words, and the monitors that have them', () => {
    const last = new LastChecks()
    for (let at = 1; at <= 50; at++) last.note(1, 'edge', false, failed(at))
    expect(last.of(1, 'edge')).toHaveLength(checksKept)
    expect(last.of(1, 'edge')?.[0]?.at).toBe(50)
    last.note(1, 'edge', false, { ...failed(51), reason: 'x'.repeat(5_000) })
    expect(last.of(1, 'edge')?.[0]?.reason?.length).toBeLessThanOrEqual(300)
    for (let row = 2; row < 3_000; row++) last.note(row, `monitor-${row}`, false, failed(1))
    const kept = Array.from({ length: 3_000 }, (_, row) =>
      last.of(row, row === 1 ? 'edge' : `monitor-${row}`),
    )
    expect(kept.filter((checks) => checks !== null)).toHaveLength(1_000)
    last.note(1, 'edge', true, well(52))
    last.note(2_999, 'monitor-2999', false, failed(2))
    expect(last.of(2_999, 'monitor-2999')).toHaveLength(1)
  })

  it('are never those of the monitor that had the row before', () => {
    const last = new LastChecks()
    last.note(1, 'edge', false, failed(1))
    expect(last.of(1, 'other')).toBeNull()
    last.note(1, 'other', false, failed(2))
    expect(last.of(1, 'other')?.map(({ at }) => at)).toEqual([2])
  })
})
