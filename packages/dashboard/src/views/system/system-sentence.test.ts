import type { Systems } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { systemSentence } from './system-sentence.ts'

const systems = (rate: number | null, lagMs: number | null) =>
  ({ aggregate: { entities_per_second: rate, event_loop_lag_p99_ms: lagMs } }) as Systems

describe('the controller in a sentence', () => {
  it('says what it handles and how late it is', () => {
    expect(systemSentence(systems(225.1, 22.2))).toBe(
      'The controller handles 225 updates per second. Its event loop is late by at most 22 ms in 99 of 100 rounds.',
    )
    expect(systemSentence(systems(10, 180))).toContain('too late by at most 180 ms')
  })

  it('makes nothing up', () => {
    expect(systemSentence(null)).toBe('There is no data about the controller now.')
    expect(systemSentence(systems(null, null))).toBe('The delay of its event loop is not measured yet.')
  })
})
