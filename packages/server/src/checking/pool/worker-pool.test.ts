import { describe, expect, it } from 'vitest'
import { DEFAULT_BOUNDS } from './sizing.ts'
import { WorkerPool } from './worker-pool.ts'

const TIMEOUT_MS = 10_000
const newPool = (bounds = DEFAULT_BOUNDS) => new WorkerPool({ bounds, waitTargetMs: 250 }, 0)

/** One job that ends at once, so that the pool has observed something. */
function runOneJob(pool: WorkerPool, atMs: number, heldMs: number): void {
  pool.start(atMs, TIMEOUT_MS)
  pool.finish(atMs, TIMEOUT_MS, atMs + heldMs)
}

describe('WorkerPool', () => {
  it('starts no more jobs than it has workers, and frees a worker when a job ends', () => {
    const pool = newPool()
    for (let job = 0; job < 5; job++) expect(pool.start(0, TIMEOUT_MS)).toBe(true)
    expect(pool.free).toBe(0)
    expect(pool.start(0, TIMEOUT_MS)).toBe(false)
    pool.finish(0, TIMEOUT_MS, 10)
    expect(pool.start(10, TIMEOUT_MS)).toBe(true)
    expect(pool.observe(3, 20, 20)).toMatchObject({ busy: 5, waiting: 3, submitted: 6, completed: 1 })
  })

  it('refuses the end of a job that never started', () => {
    expect(() => newPool().finish(0, TIMEOUT_MS, 10)).toThrow('none runs')
  })

  it('has the size at once that it would start with, however the fleet has grown, unless the threads are busy', () => {
    const pool = newPool()
    pool.adapt(1, null, 0)
    runOneJob(pool, 0, 10)
    pool.adapt(16_667, null, 1_000, 1)
    expect(pool.capacity).toBe(5)
    for (let step = 1; step <= 40; step++) pool.adapt(16_667, null, 1_000 + step * 100, 0)
    expect(pool.capacity).toBe(960)
  })

  it('takes the recommended size at once before it has observed anything', () => {
    const pool = newPool()
    expect(pool.capacity).toBe(5)
    pool.adapt(16_667, null, 0)
    expect(pool.capacity).toBe(960)
    expect(pool.observe(0, 1_000, 1_700_000_001_000)).toMatchObject({
      sizingModel: 'awaiting_observations',
      scalingEvents: 1,
      lastScale: 1_700_000_000_000,
      serviceTimeMs: null,
      serviceCv: null,
      serviceSamples: 0,
      arrivalRate: 16_667,
      arrivalCv: null,
      targetMs: 250,
      min: 5,
      max: 16_384,
    })
  })

  it('does not grow while its threads are busy, says why, and grows as soon as they have time', () => {
    const pool = newPool()
    pool.adapt(1_000, null, 0)
    const starting = pool.capacity
    for (let job = 0; job < starting; job++) pool.start(0, TIMEOUT_MS)
    for (let nowMs = 250; nowMs <= 20_000; nowMs += 250) {
      const restsAMoment = nowMs % 5_000 === 0
      pool.adapt(1_000, 1, nowMs, restsAMoment ? 0.3 : 1)
    }
    expect(pool.capacity).toBe(starting)
    expect(pool.observe(0, 20_000, 20_000).target).toBeGreaterThan(starting)
    expect(pool.observe(0, 20_000, 20_000).reason).toContain('The threads are busy all the time')
    pool.adapt(1_000, 1, 20_250, 0.5)
    pool.adapt(1_000, 1, 20_500, 0.5)
    expect(pool.capacity).toBe(starting * 2)
    expect(pool.observe(0, 20_500, 20_500).reason).not.toContain('threads')
  })

  it('grows at most to double every 5 s after that', () => {
    const pool = newPool()
    pool.adapt(1_000, null, 0)
    const starting = pool.capacity
    for (let job = 0; job < starting; job++) pool.start(0, TIMEOUT_MS)
    const sizes: number[] = []
    for (let nowMs = 1_000; nowMs <= 12_000; nowMs += 1_000) {
      pool.adapt(1_000, 1, nowMs)
      sizes.push(pool.capacity / starting)
    }
    expect(sizes).toEqual([2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 8, 8])
  })

  it('shrinks by at most a tenth every 30 s, down to the size it would start with', () => {
    const pool = newPool()
    pool.adapt(1_000, 1, 0)
    const starting = pool.capacity
    pool.start(0, TIMEOUT_MS)
    pool.adapt(1_000, 1, 1_000)
    const grown = pool.capacity
    expect(grown).toBe(2 * starting)
    pool.finish(0, TIMEOUT_MS, 1_000)

    let last = grown
    for (let nowMs = 1_000; nowMs <= 1_000_000; nowMs += 10_000) {
      runOneJob(pool, nowMs, 1)
      pool.adapt(1_000, 1, nowMs + 1_000)
      expect(pool.capacity).toBeGreaterThanOrEqual(Math.floor(last * 0.9))
      last = pool.capacity
    }
    expect(last).toBeLessThan(starting * 1.12)
    expect(last).toBeGreaterThanOrEqual(starting)
    const seen = pool.observe(0, 1_000_000, 0)
    expect(seen.recommended).toBeLessThan(seen.target)
    expect(seen.reason).toContain(`The starting size of ${starting} is kept as a reserve.`)
  })

  it('lets running jobs end when it shrinks below them, and starts none meanwhile', () => {
    const pool = newPool()
    pool.adapt(1_000, null, 0)
    for (let job = 0; job < 50; job++) pool.start(0, TIMEOUT_MS)
    const fleetIsGone = () => pool.adapt(0, null, 0)
    fleetIsGone()
    expect(pool.capacity).toBe(5)
    expect(pool.free).toBe(0)
    for (let job = 0; job < 50; job++) pool.finish(0, TIMEOUT_MS, 100)
    expect(pool.free).toBe(5)
  })

  it('never exceeds what the descriptors allow', () => {
    const pool = newPool({ ...DEFAULT_BOUNDS, descriptors: 64 })
    pool.adapt(16_667, null, 0)
    expect(pool.capacity).toBe(64)
    expect(pool.observe(0, 0, 0)).toMatchObject({ max: 64, sizingModel: 'slo_unattainable' })
  })
})
