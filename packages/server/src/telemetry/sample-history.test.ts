import { describe, expect, it } from 'vitest'
import { BoundedQueue } from '../checking/queue/bounded-queue.ts'
import { QUEUE_HISTORY_FIELDS } from '../checking/queue/queue-observer.ts'
import { SampleHistory } from './sample-history.ts'

describe('SampleHistory', () => {
  it('is empty before the first sample', () => {
    expect(new SampleHistory(['depth']).samples()).toEqual([])
  })

  it('keeps the newest samples, oldest first', () => {
    const history = new SampleHistory(['depth'], 3)
    for (let second = 0; second < 5; second++) history.record(second * 1_000, { depth: second })
    expect(history.samples()).toEqual([
      { at: 2_000, depth: 2 },
      { at: 3_000, depth: 3 },
      { at: 4_000, depth: 4 },
    ])
  })

  it('holds 900 samples and no more', () => {
    const history = new SampleHistory(['depth'])
    for (let second = 0; second < 1_000; second++) history.record(second, { depth: 0 })
    expect(history.length).toBe(900)
    expect(history.samples()).toHaveLength(900)
    expect(history.samples()[0]!.at).toBe(100)
  })

  it('keeps a missing measurement missing, apart from a 0', () => {
    const history = new SampleHistory(QUEUE_HISTORY_FIELDS)
    history.record(7, new BoundedQueue(4, 0).observe(0, 7))
    expect(history.samples()[0]).toMatchObject({ at: 7, depth: 0, enqueueRate: null, oldestMs: null })
  })
})
