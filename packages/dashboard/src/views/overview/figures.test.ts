import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../data/history.ts'
import { describeLastHour, lastHour, toldEvents } from './last-hour.ts'
import { unknownDue } from './unknown-due.ts'

const nowMs = Date.parse('2030-01-01T12:00:00.000Z')

function event(minutesAgo: number, type: HistoryEvent['type']): HistoryEvent {
  const at = new Date(nowMs - minutesAgo * 60_000).toISOString()
  const nothing = { incident_id: null, action_id: null, kind: null, color: null, endpoint: null }
  return {
    id: `${minutesAgo}`,
    monitor_id: 'shop',
    at,
    type,
    revision: 1,
    ...nothing,
    outcome: null,
    reason: null,
    actor: null,
    because: null,
  }
}

describe('the last hour', () => {
  it('counts only events within it', () => {
    const hour = lastHour(
      {
        events: [event(1, 'incident_closed'), event(59, 'incident_opened'), event(61, 'incident_opened')],
        next_cursor: 'more',
      },
      nowMs,
    )
    expect(describeLastHour(hour)).toBe('1 opened · 1 closed')
  })

  it('says that the counts are lower bounds when the page ends within it', () => {
    const hour = lastHour({ events: [event(1, 'incident_opened')], next_cursor: 'more' }, nowMs)
    expect(describeLastHour(hour)).toBe('At least 1 opened · 0 closed')
  })

  it('says that nothing happened only when it has seen all of it', () => {
    expect(describeLastHour(lastHour({ events: [], next_cursor: null }, nowMs))).toBe(
      'No incident opened or closed.',
    )
  })

  it('tells what became of monitors, not every step of an action', () => {
    const events = [event(1, 'action_started'), event(2, 'action_unknown'), event(3, 'incident_opened')]
    const told = toldEvents(lastHour({ events, next_cursor: null }, nowMs), 5)
    expect(told.map(({ event: { type } }) => type)).toEqual(['action_unknown', 'incident_opened'])
  })

  it('tells of destinations in trouble and of incidents that stay untold, as such', () => {
    const events = [
      event(1, 'destination_recovered'),
      event(2, 'digest_dropped'),
      event(3, 'destination_ailing'),
    ]
    const told = toldEvents(lastHour({ events, next_cursor: null }, nowMs), 5)
    expect(told.map(({ event: { type }, look }) => [type, look])).toEqual([
      ['destination_recovered', 'up'],
      ['digest_dropped', 'incident'],
      ['destination_ailing', 'down'],
    ])
  })
})

describe('when unknown monitors are due', () => {
  it('is when the last of them is, and the first check only if none was ever checked', () => {
    const row = (next_check: string | null, last_check: string | null) => ({ next_check, last_check })
    const monitors = [
      row('2030-01-01T12:00:05.000Z', null),
      row('2030-01-01T12:00:09.000Z', null),
      row(null, null),
    ]
    const page = (rows: unknown) => ({ monitors: rows, total: 3 }) as Parameters<typeof unknownDue>[0]
    expect(unknownDue(page(monitors))).toEqual({
      lookedAt: 3,
      total: 3,
      latestAtMs: nowMs + 9_000,
      neverChecked: true,
    })
    expect(unknownDue(page([row(null, '2030-01-01T11:00:00.000Z')]))).toMatchObject({
      latestAtMs: null,
      neverChecked: false,
    })
  })
})
