import { describe, expect, it } from 'vitest'
import { depthChart, rateChart, slotChart } from './series-lines.ts'

const queue = {
  at: '2026-03-01T09:30:04.000Z',
  depth: 3,
  enqueued: 9,
  dequeued: 6,
  dropped: 0,
  enqueue_rate: 0.25,
  dequeue_rate: null,
  avg_wait_ms: null,
  max_wait_ms: null,
  oldest_ms: null,
}
const pool = {
  at: queue.at,
  capacity: 10,
  busy: 2,
  waiting: 0,
  target: 6,
  recommended: 6,
  submitted: 1,
  completed: 1,
  service_time_ms: 27.1,
  arrival_rate: 0.2,
}

describe('the charts of queues and pools', () => {
  it('keep what was not measured as a gap, not as zero', () => {
    const { lines, summary } = rateChart([queue])
    expect(lines.map(({ values }) => values)).toEqual([[0.25], [null]])
    expect(summary).toContain('Now 0.3 are added and – are taken per second.')
  })

  it('say the newest figures in words', () => {
    expect(depthChart([{ ...queue, depth: 0 }, queue]).summary).toContain('Now 3 wait.')
    expect(slotChart([pool]).summary).toContain('Now 2 of 10 are busy; 6 are recommended.')
  })

  it('of an empty series draw nothing', () => {
    expect(depthChart([])).toMatchObject({ timesMs: [], lines: [{ values: [] }] })
  })
})
