import { describe, expect, it } from 'vitest'
import { describeIncident } from './incident-words.ts'

const quiet = {
  last_error: 'status 503, expected 200-299',
  consecutive_failures: 3,
  verification: null,
  last_action: null,
  suppresses: 0,
  acknowledged_by: null,
  dismissed: false,
}

describe('an incident', () => {
  it('says what fails and how often', () => {
    expect(describeIncident(quiet)).toBe('Status 503, expected 200-299, 3 times in a row.')
  })

  it('says that a lost answer is held for review', () => {
    const last_action = { kind: 'intervention', state: 'unknown', outcome: null, at: '' } as const
    expect(describeIncident({ ...quiet, last_action })).toContain(
      'The recovery was sent; its answer was lost, so it is held for review.',
    )
  })

  it('tells how far verifying is instead of the old error', () => {
    expect(describeIncident({ ...quiet, verification: { healthy: 1, needed: 2 } })).toBe(
      'Verifying: 1 of 2 healthy checks after the recovery.',
    )
  })

  it('names who looks into it and what is quiet because of it', () => {
    const text = describeIncident({ ...quiet, suppresses: 14, acknowledged_by: 'ada', dismissed: true })
    expect(text).toContain('14 monitors that depend on it are suppressed. ada is looking into it.')
    expect(text).toContain('No more notifications are sent about it.')
  })
})
