import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../data/history.ts'
import { lastReason } from './last-reasons.ts'

const at = '2026-03-01T09:00:10.000Z'
const refused: HistoryEvent = {
  id: '7',
  monitor_id: 'shop',
  at,
  type: 'action_failed',
  revision: 1,
  incident_id: 'i',
  action_id: 'a',
  kind: 'code',
  color: 'red',
  endpoint: 'ops',
  outcome: 'rejected',
  reason: 'HTTP 503',
  actor: null,
  because: null,
}
const last_action = { kind: 'code', state: 'failed', outcome: 'rejected', at } as const

describe('the reason of the last action about an incident', () => {
  it('is that of its event', () => {
    expect(lastReason({ monitor_id: 'shop', last_action }, [refused])).toBe('HTTP 503')
  })

  it('is also that of a recovery that failed before the incident was opened', () => {
    const recovery = {
      ...refused,
      kind: 'intervention',
      color: null,
      endpoint: null,
      incident_id: null,
    } as const
    const failed = { ...last_action, kind: 'intervention' } as const
    expect(lastReason({ monitor_id: 'shop', last_action: failed }, [recovery])).toBe('HTTP 503')
  })

  it('is not taken from another monitor, another action or another time', () => {
    expect(lastReason({ monitor_id: 'other', last_action }, [refused])).toBeNull()
    expect(lastReason({ monitor_id: 'shop', last_action: null }, [refused])).toBeNull()
    for (const other of [
      { state: 'succeeded' },
      { kind: 'intervention' },
      { at: '2026-03-01T09:00:11.000Z' },
    ] as const)
      expect(
        lastReason({ monitor_id: 'shop', last_action: { ...last_action, ...other } }, [refused]),
      ).toBeNull()
  })
})
