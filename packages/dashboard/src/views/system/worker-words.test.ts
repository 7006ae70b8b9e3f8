import type { ExternalWorkers } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { calledLately, isUnattended, noWorkerAsked, runsOf, waitInVain } from './worker-words.ts'

const readAtMs = Date.parse('2026-03-01T09:30:05.000Z')

function external(agesSeconds: readonly number[], parts: Partial<ExternalWorkers> = {}): ExternalWorkers {
  const workers = agesSeconds.map((age, number) => ({
    worker: `w-${number}`,
    principal: 'berlin',
    capacity: 8,
    active: 0,
    last_seen_at: new Date(readAtMs - age * 1_000).toISOString(),
  }))
  return { workers, more: 0, waiting_polls: 0, waiting_jobs: 0, running_jobs: 0, ...parts }
}

describe('jobs of external workers', () => {
  it('are unattended when they wait and no worker has called for a minute', () => {
    expect(isUnattended(external([61, 300], { waiting_jobs: 1 }), readAtMs, 500)).toBe(true)
    expect(isUnattended(external([], { waiting_jobs: 1 }), readAtMs, 60)).toBe(true)
    expect(isUnattended(external([60, 300], { waiting_jobs: 1 }), readAtMs, 500)).toBe(false)
    expect(isUnattended(external([300]), readAtMs, 500)).toBe(false)
  })

  it('are not called unattended by a service that has just started', () => {
    expect(isUnattended(external([], { waiting_jobs: 1 }), readAtMs, 59)).toBe(false)
  })

  it('are counted in words', () => {
    expect(waitInVain(1)).toBe('1 job waits, and no worker has called for a minute.')
    expect(waitInVain(1_200)).toBe('1,200 jobs wait, and no worker has called for a minute.')
  })
})

describe('external workers in words', () => {
  it.each([
    [[1], 0, 'worker, seen in the last minute'],
    [[1, 2], 0, 'workers, seen in the last minute'],
    [[1, 90], 0, 'workers, 1 of them seen in the last minute'],
    [[90], 0, 'worker, not seen for more than a minute'],
    [[1, 2], 5, 'workers, at least 2 of them seen in the last minute'],
    [[1, 90], 5, 'workers, 1 of them seen in the last minute'],
  ])('say how many of them called lately (%j, %i more)', (ages, more, words) => {
    expect(calledLately(external(ages, { more }), readAtMs)).toBe(words)
  })

  it('do not claim that none ever came once the service may have forgotten one', () => {
    expect(noWorkerAsked(599)).toBe('No worker has asked for work yet.')
    expect(noWorkerAsked(600)).toBe('No worker has asked for work in the last 10 minutes.')
  })

  it('make no capacity up', () => {
    expect(runsOf(2, 8)).toBe('2 of 8')
    expect(runsOf(1, 0)).toBe('1')
  })
})
