import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../data/history.ts'
import { recentCloses } from './recent-closes.ts'

function event(type: HistoryEvent['type'], second: number, incident_id: string): HistoryEvent {
  const at = new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString()
  return {
    id: `${incident_id}-${second}`,
    monitor_id: 'shop',
    at,
    type,
    revision: 1,
    incident_id,
    action_id: null,
    kind: null,
    color: null,
    endpoint: null,
    outcome: null,
    reason: null,
    actor: null,
    because: null,
  }
}

describe('recent closes', () => {
  it('are the newest, with how long each lasted when its opening is known', () => {
    const closes = recentCloses(
      [
        event('incident_closed', 50, 'b'),
        event('incident_closed', 40, 'a'),
        event('incident_opened', 30, 'b'),
      ],
      10,
    )
    expect(closes.map(({ lastedMs }) => lastedMs)).toEqual([20_000, null])
  })

  it('say why each opened, when its opening is known', () => {
    const opening = { ...event('incident_opened', 30, 'b'), reason: 'HTTP 503' }
    const closes = recentCloses(
      [event('incident_closed', 50, 'b'), event('incident_closed', 40, 'a'), opening],
      10,
    )
    expect(closes.map(({ cause }) => cause?.text)).toEqual(['HTTP 503', undefined])
  })

  it('are bounded, and leave out everything else', () => {
    const events = [event('incident_opened', 9, 'a'), event('incident_closed', 8, 'b')]
    expect(recentCloses([...events, event('incident_closed', 7, 'c')], 1)).toHaveLength(1)
    expect(recentCloses([events[0]!], 5)).toEqual([])
  })
})
