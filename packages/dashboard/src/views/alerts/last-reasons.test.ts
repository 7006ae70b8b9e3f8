import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../data/history.ts'
import { lastReason } from './last-reasons.ts'

const at = '2026-03-01T09:00:10.000Z'
const refused: HistoryEvent = {
  ...{
    id: '7',
    monitor_id: 'shop',
    at,
    type: 'action_failed',
    revision: 1,
    incident_id: 'i',
    action_id: 'a',
  },
  ...{ kind: 'code', color: 'red', endpoint: 'ops', outcome: 'rejected', reason: 'HTTP 503', actor: null },
}
const last_action = { kind: 'code', state: 'failed', outcome: 'rejected', at } as const

describe('the reason of the last action about an incident', () => {
  it('is that of its event', () => {
    expect(lastReason({ incident_id: 'i', last_action }, [refused])).toBe('HTTP 503')
  })

  it('is not taken from another incident, another action or another time', () => {
    expect(lastReason({ incident_id: 'other', last_action }, [refused])).toBeNull()
    expect(lastReason({ incident_id: 'i', last_action: null }, [refused])).toBeNull()
    for (const other of [
      { state: 'succeeded' },
      { kind: 'intervention' },
      { at: '2026-03-01T09:00:11.000Z' },
    ] as const)
      expect(
        lastReason({ incident_id: 'i', last_action: { ...last_action, ...other } }, [refused]),
      ).toBeNull()
  })
})
