import { describe, expect, it } from 'vitest'
import { type LatencySample, latencyInWords, mostSamples, withSample } from './latency-samples.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString()
const seen = (second: number, latency_ms: number | null = 10) => ({
  last_check: at(second),
  last_success: at(second),
  latency_ms,
})

describe('latencies that were seen', () => {
  it('hold each check once, however often it is read', () => {
    const once = withSample([], seen(1))
    expect(withSample(once, seen(1))).toBe(once)
    expect(withSample(once, seen(2))).toHaveLength(2)
  })

  it('leave out a monitor that was never checked, and an answer older than the last', () => {
    expect(withSample([], { last_check: null, last_success: null, latency_ms: null })).toEqual([])
    const later = withSample([], seen(5))
    expect(withSample(later, seen(4))).toBe(later)
  })

  it('know a failed check from a success', () => {
    expect(withSample([], { ...seen(3), last_success: at(1) })[0]?.succeeded).toBe(false)
    expect(withSample([], seen(3))[0]?.succeeded).toBe(true)
  })

  it('are bounded, the oldest first to go', () => {
    let samples: readonly LatencySample[] = []
    for (let second = 0; second < mostSamples + 5; second++) samples = withSample(samples, seen(second))
    expect(samples).toHaveLength(mostSamples)
    expect(samples[0]?.atMs).toBe(Date.parse(at(5)))
  })

  it('are told in words', () => {
    expect(latencyInWords([])).toBe('No latency was measured since you opened this page.')
    const samples = withSample(withSample([], seen(1, 4.24)), { ...seen(2, 9), last_success: at(1) })
    expect(latencyInWords(samples)).toBe('2 latencies between 4.2 and 9 ms; 1 check failed.')
  })
})
