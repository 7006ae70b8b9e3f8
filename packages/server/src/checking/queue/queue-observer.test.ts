import { describe, expect, it } from 'vitest'
import { type QueueContents, QueueObserver } from './queue-observer.ts'

const WALL_MS = 1_700_000_000_000
const EMPTY: QueueContents = { depth: 0, capacity: 10, oldestEnqueuedMs: null }

describe('QueueObserver', () => {
  it('makes up no measurement before there is one', () => {
    expect(new QueueObserver(0).observe(EMPTY, 500, WALL_MS)).toEqual({
      depth: 0,
      capacity: 10,
      enqueued: 0,
      dequeued: 0,
      dropped: 0,
      enqueueRate: null,
      dequeueRate: null,
      avgWaitMs: null,
      maxWaitMs: null,
      oldestMs: null,
      arrivalCv: null,
      arrivalSamples: 0,
      lastEnqueue: null,
      lastDequeue: null,
      windowSeconds: 60,
    })
  })

  it('measures rates over complete seconds and waits over all that came out', () => {
    const observer = new QueueObserver(0)
    for (let atMs = 0; atMs < 10_000; atMs += 100) {
      observer.noteEnqueued(atMs)
      if (atMs % 200 === 0) observer.noteDequeued(atMs, atMs + (atMs === 400 ? 90 : 10))
    }
    observer.noteDropped()
    const seen = observer.observe({ depth: 50, capacity: 64, oldestEnqueuedMs: 9_000 }, 10_000, WALL_MS)
    expect(seen).toMatchObject({ enqueued: 100, dequeued: 50, dropped: 1, enqueueRate: 10, dequeueRate: 5 })
    expect(seen).toMatchObject({ avgWaitMs: (49 * 10 + 90) / 50, maxWaitMs: 90, oldestMs: 1_000 })
    expect(seen).toMatchObject({ lastEnqueue: WALL_MS - 100, lastDequeue: WALL_MS - 190 })
  })

  it('knows regular arrivals from batches', () => {
    const regular = new QueueObserver(0)
    const batches = new QueueObserver(0)
    for (let atMs = 0; atMs < 10_000; atMs += 10) {
      regular.noteEnqueued(atMs)
      batches.noteEnqueued(Math.floor(atMs / 100) * 100)
    }
    expect(regular.observe(EMPTY, 10_000, 0)).toMatchObject({ arrivalCv: 0, arrivalSamples: 999 })
    // One gap of 100 ms and nine of 0: standard deviation 30 at a mean of 10.
    expect(batches.observe(EMPTY, 10_000, 0).arrivalCv).toBeCloseTo(3, 1)
  })

  it('tells pools of arrivals what it tells everybody', () => {
    const observer = new QueueObserver(0)
    for (let atMs = 0; atMs < 90_000; atMs += 170) {
      observer.noteEnqueued(Math.floor(atMs / 500) * 500)
      const { enqueueRate, arrivalCv } = observer.observe(EMPTY, atMs, 0)
      expect(observer.arrivals(atMs)).toEqual({ enqueueRate, arrivalCv })
    }
    // An hour without any: the window is empty, and time has moved it by itself.
    expect(observer.arrivals(3_690_000)).toEqual({ enqueueRate: 0, arrivalCv: null })
  })

  it('has no variation of a single gap, nor of arrivals at one instant', () => {
    const observer = new QueueObserver(0)
    observer.noteEnqueued(5)
    observer.noteEnqueued(5)
    expect(observer.observe(EMPTY, 10, 0)).toMatchObject({ arrivalCv: null, arrivalSamples: 1 })
    observer.noteEnqueued(5)
    expect(observer.observe(EMPTY, 10, 0)).toMatchObject({ arrivalCv: null, arrivalSamples: 2 })
  })

  it('forgets what is older than its window, but not the counters', () => {
    const observer = new QueueObserver(0)
    observer.noteEnqueued(100)
    observer.noteEnqueued(200)
    observer.noteDequeued(100, 300)
    const seen = observer.observe(EMPTY, 120_000, WALL_MS)
    expect(seen).toMatchObject({ enqueued: 2, dequeued: 1, enqueueRate: 0, dequeueRate: 0 })
    expect(seen).toMatchObject({
      avgWaitMs: null,
      maxWaitMs: null,
      arrivalSamples: 0,
      lastDequeue: WALL_MS - 119_700,
    })
  })
})
