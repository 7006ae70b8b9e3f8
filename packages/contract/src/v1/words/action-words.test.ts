import { describe, expect, it } from 'vitest'
import { describeAction } from './action-words.ts'

describe('an action in words', () => {
  it('names a notification by color and destination where they are known', () => {
    const red = { kind: 'code', state: 'succeeded', outcome: 'accepted', color: 'red' } as const
    expect(describeAction({ ...red, endpoint: 'ops' })).toBe('Red to ops was delivered.')
    expect(describeAction({ ...red, endpoint: null })).toBe('Red was delivered.')
    expect(describeAction({ ...red, color: null })).toBe('The notification was delivered.')
  })

  it('says what a queued one waits for, where it is known', () => {
    const red = { kind: 'code', state: 'queued', outcome: null, color: 'red', endpoint: 'ops' } as const
    expect(describeAction({ ...red, waiting_for: 'ailing_destination' })).toBe(
      'Red to ops is waiting: its destination does not accept notifications now.',
    )
    expect(describeAction({ ...red, waiting_for: null })).toBe('Red to ops is waiting to be sent.')
  })

  it('says how an answer was lost', () => {
    const lost = { kind: 'intervention', state: 'unknown' } as const
    expect(describeAction({ ...lost, outcome: 'interrupted' })).toBe(
      'The recovery was sent; Pulseward stopped before its answer came, so it is held for review.',
    )
    expect(describeAction({ ...lost, outcome: 'timed_out' })).toBe(
      'The recovery was sent; its answer was lost, so it is held for review.',
    )
  })
})
