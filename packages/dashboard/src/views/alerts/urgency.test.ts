import { describe, expect, it } from 'vitest'
import { byUrgency, urgencyOf } from './urgency.ts'

const open = {
  status: 'incident' as const,
  unknown_actions: 0,
  acknowledged_by: null,
  dismissed: false,
  last_action: null,
  opened_at: '2026-03-01T09:00:00.000Z',
}
const action = { outcome: null, at: open.opened_at }

describe('the urgency of an incident', () => {
  it('is highest when an answer was lost', () => {
    expect(urgencyOf({ ...open, unknown_actions: 1 })).toBe('held')
    expect(urgencyOf({ ...open, last_action: { ...action, kind: 'intervention', state: 'unknown' } })).toBe(
      'held',
    )
  })

  it('is lower while a recovery runs or is verified, not while a notification is sent', () => {
    expect(urgencyOf({ ...open, status: 'verifying' })).toBe('recovering')
    expect(urgencyOf({ ...open, last_action: { ...action, kind: 'intervention', state: 'started' } })).toBe(
      'recovering',
    )
    expect(urgencyOf({ ...open, last_action: { ...action, kind: 'code', state: 'started' } })).toBe('open')
  })

  it('is lowest when a person has taken it up, whatever else holds', () => {
    expect(urgencyOf({ ...open, acknowledged_by: 'mara', unknown_actions: 2 })).toBe('attended')
    expect(urgencyOf({ ...open, dismissed: true })).toBe('attended')
  })

  it('orders the groups, and the oldest first within them', () => {
    const older = { ...open, opened_at: '2026-03-01T08:00:00.000Z' }
    const held = { ...open, unknown_actions: 1 }
    expect(byUrgency([open, older, held])).toEqual([
      { urgency: 'held', incidents: [held] },
      { urgency: 'open', incidents: [older, open] },
    ])
  })
})
