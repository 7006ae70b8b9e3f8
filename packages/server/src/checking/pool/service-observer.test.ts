import { describe, expect, it } from 'vitest'
import { ServiceObserver } from './service-observer.ts'

const TIMEOUT_MS = 10_000

/** Jobs of one length, evenly over a time. */
function runJobs(
  observer: ServiceObserver,
  job: { everyMs: number; heldMs: number; fromMs: number; toMs: number },
) {
  for (let startedMs = job.fromMs; startedMs < job.toMs; startedMs += job.everyMs) {
    observer.noteStarted(startedMs, TIMEOUT_MS)
    observer.noteEnded(startedMs, TIMEOUT_MS, startedMs + job.heldMs)
  }
}

describe('ServiceObserver', () => {
  it('says nothing before a job could have been seen', () => {
    const observer = new ServiceObserver(0)
    expect(observer.observe(10_000)).toBeNull()
    observer.noteStarted(10_000, TIMEOUT_MS)
    expect(observer.observe(10_100)).toBeNull()
  })

  it('knows the mean and the variation of what has ended', () => {
    const observer = new ServiceObserver(0)
    for (const [startedMs, heldMs] of [
      [0, 10],
      [20, 30],
    ] as const) {
      observer.noteStarted(startedMs, TIMEOUT_MS)
      observer.noteEnded(startedMs, TIMEOUT_MS, startedMs + heldMs)
    }
    expect(observer.observe(1_000)).toEqual({ meanMs: 20, cv: 0.5, samples: 2 })
  })

  it('has no variation of a single job', () => {
    const observer = new ServiceObserver(0)
    observer.noteStarted(0, TIMEOUT_MS)
    observer.noteEnded(0, TIMEOUT_MS, 40)
    expect(observer.observe(1_000)).toEqual({ meanMs: 40, cv: null, samples: 1 })
  })

  it('expects a job that hangs to last until its timeout, long before that has passed', () => {
    const observer = new ServiceObserver(0)
    runJobs(observer, { everyMs: 1, heldMs: 1, fromMs: 0, toMs: 980 })
    for (let index = 0; index < 20; index++) observer.noteStarted(980, TIMEOUT_MS)
    const { meanMs, cv } = observer.observe(1_500)!
    expect(meanMs).toBeGreaterThan(200)
    expect(cv).toBeGreaterThan(3)
  })

  it('replaces the expectation by the truth when a slow job ends before its timeout', () => {
    const observer = new ServiceObserver(0)
    observer.noteStarted(0, TIMEOUT_MS)
    observer.noteStarted(0, TIMEOUT_MS)
    expect(observer.observe(1_000)!.meanMs).toBe(TIMEOUT_MS)
    observer.noteEnded(0, TIMEOUT_MS, 2_000)
    observer.noteEnded(0, TIMEOUT_MS, 2_000)
    expect(observer.observe(2_500)).toEqual({ meanMs: 2_000, cv: 0, samples: 2 })
  })

  it('learns of a change for the worse at once, and of one for the better within its window', () => {
    const observer = new ServiceObserver(0)
    runJobs(observer, { everyMs: 5, heldMs: 1, fromMs: 0, toMs: 60_000 })
    runJobs(observer, { everyMs: 5, heldMs: 100, fromMs: 60_000, toMs: 62_000 })
    expect(observer.observe(62_000)!.meanMs).toBeCloseTo(100, 0)
    runJobs(observer, { everyMs: 5, heldMs: 1, fromMs: 62_000, toMs: 70_000 })
    const meanMs = observer.observe(70_000)!.meanMs
    expect(meanMs).toBeGreaterThan(1)
    expect(meanMs).toBeLessThan(10)
    expect(observer.observe(400_000)).toBeNull()
  })

  it('ignores the end of a job that outlived the window', () => {
    const observer = new ServiceObserver(0)
    observer.noteStarted(0, TIMEOUT_MS)
    observer.noteStarted(999_000, TIMEOUT_MS)
    observer.noteEnded(999_000, TIMEOUT_MS, 999_005)
    observer.noteEnded(0, TIMEOUT_MS, 999_900)
    expect(observer.observe(1_000_000)).toEqual({ meanMs: 5, cv: null, samples: 1 })
  })
})
