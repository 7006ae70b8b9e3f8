import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../data/history.ts'
import { trendWith } from '../../trend/trend.fixture.ts'
import { availabilityIn, windowFor } from './availability.ts'
import { acknowledgedBy, openMs, reportOf } from './report.ts'

const atMs = (minute: number) => Date.UTC(2026, 2, 1, 9, minute)
const period = { fromMs: atMs(10), toMs: atMs(50) }
const nowMs = atMs(120)

let committed = 0
function event(type: HistoryEvent['type'], minute: number, rest: Partial<HistoryEvent> = {}): HistoryEvent {
  return {
    id: String(++committed),
    monitor_id: 'shop',
    at: new Date(atMs(minute)).toISOString(),
    type,
    revision: 1,
    incident_id: null,
    action_id: null,
    kind: null,
    color: null,
    endpoint: null,
    outcome: null,
    reason: null,
    actor: null,
    because: null,
    ...rest,
  }
}

const one = { incident_id: 'one' }
const red = { ...one, action_id: 'red', kind: 'code', color: 'red', endpoint: 'ops' } as const
const recovery = { action_id: 'restart', kind: 'intervention' } as const

describe('a report', () => {
  it('tells every step in order, in the past tense, with who did it and why', () => {
    const { lines, deeds } = reportOf(
      [
        event('action_queued', 11, recovery),
        event('action_started', 12, recovery),
        event('action_failed', 13, { ...recovery, outcome: 'rejected', reason: 'exit code 1' }),
        event('incident_opened', 14, one),
        event('action_queued', 14, red),
        event('action_succeeded', 15, { ...red, outcome: 'accepted' }),
        event('control_acknowledged', 20, { ...one, actor: 'mara', reason: 'on it' }),
        event('incident_closed', 30, { ...one, outcome: 'recovered' }),
      ],
      period,
    )
    expect(lines.map(({ what, by, why }) => [what, by, why])).toEqual([
      ['The recovery was queued.', null, null],
      ['The recovery was sent.', null, null],
      ['The recovery was refused.', null, 'exit code 1'],
      ['Incident opened.', null, null],
      ['Red to ops was queued.', null, null],
      ['Red to ops was delivered.', null, null],
      ['Incident acknowledged.', 'mara', 'on it'],
      ['Recovered.', null, null],
    ])
    expect(deeds.map(({ what, by }) => [what, by])).toEqual([['Incident acknowledged.', 'mara']])
  })

  it('tells who changed the monitor and what, in its place among the steps, within the period', () => {
    const change = { field: '/spec/check/interval', before: '1m', after: '2m' }
    const edit = (id: string, minute: number): v2.Event => {
      const time = new Date(atMs(minute)).toISOString()
      return { id, kind: 'resource_updated', time, actor: 'ada', changes: [change] }
    }
    const { lines, deeds } = reportOf(
      [
        event('incident_opened', 14, { ...one, id: '100' }),
        event('incident_closed', 30, { ...one, id: '102', outcome: 'recovered' }),
      ],
      period,
      [edit('103', 51), edit('101', 20), edit('99', 9)],
    )
    expect(lines.map(({ what, by }) => [what, by])).toEqual([
      ['Incident opened.', null],
      ['The monitor was changed.', 'ada'],
      ['Recovered.', null],
    ])
    expect(deeds.map(({ id, changes }) => [id, changes])).toEqual([['101', [change]]])
  })

  it('leaves out what happened before and after, but knows from it when incidents began and ended', () => {
    const events = [
      event('incident_opened', 5, one),
      event('action_queued', 11, red),
      event('control_acknowledged', 55, { ...one, actor: 'mara' }),
      event('incident_closed', 60, { ...one, outcome: 'recovered' }),
    ]
    const { incidents, lines } = reportOf(events, period)
    expect(lines).toHaveLength(1)
    expect(incidents.map(({ id }) => id)).toEqual(['one'])
    expect(openMs(incidents[0]!, period, nowMs)).toBe(40 * 60_000)
    expect(acknowledgedBy(incidents[0]!, events)).toBe('mara')
  })

  it('has only incidents that were open in the period, the earliest first', () => {
    const span = (id: string, from: number, to: number) => [
      event('incident_opened', from, { incident_id: id }),
      event('incident_closed', to, { incident_id: id, outcome: 'recovered' }),
    ]
    const { incidents } = reportOf(
      [...span('before', 1, 9), ...span('first', 2, 12), ...span('second', 20, 30), ...span('after', 50, 51)],
      period,
    )
    expect(incidents.map(({ id }) => id)).toEqual(['first', 'second'])
  })

  it('counts an open incident up to now, and does not make up when one began', () => {
    const open = reportOf([event('incident_opened', 20, one)], { fromMs: atMs(10), toMs: atMs(500) })
    expect(openMs(open.incidents[0]!, { fromMs: atMs(10), toMs: atMs(500) }, nowMs)).toBe(100 * 60_000)
    const cut = reportOf([event('incident_closed', 20, { ...one, outcome: 'recovered' })], period)
    expect(openMs(cut.incidents[0]!, period, nowMs)).toBeNull()
  })

  it('says of actions how far they came in the period', () => {
    const { recoveries, notifications } = reportOf(
      [
        event('action_queued', 11, recovery),
        event('action_unknown', 12, { ...recovery, outcome: 'interrupted' }),
        event('action_queued', 13, red),
        event('action_succeeded', 60, { ...red, outcome: 'accepted' }),
      ],
      period,
    )
    expect(recoveries.map(({ facts }) => facts.state)).toEqual(['unknown'])
    expect(notifications.map(({ facts }) => facts.state)).toEqual(['queued'])
  })

  it('of nothing is empty', () => {
    expect(reportOf([], period)).toEqual({
      incidents: [],
      lines: [],
      recoveries: [],
      notifications: [],
      deeds: [],
    })
  })
})

describe('the healthy samples of a period', () => {
  const dayMs = 86_400_000

  it.each([
    [dayMs, '24h'],
    [dayMs + 1, '7d'],
    [8 * dayMs, '30d'],
    [31 * dayMs, '90d'],
    [91 * dayMs, null],
  ] as const)('since %i ms ago are of the trend of %s', (agoMs, window) => {
    expect(windowFor({ fromMs: nowMs - agoMs, toMs: nowMs }, nowMs)).toBe(window)
  })

  it('are those of the cells that lie in it', () => {
    const trend = trendWith([{ ago: 0 }, { ago: 1, healthy: 5 }, { ago: 2, healthy: 0 }, { ago: 3 }])
    const presentMs = Date.UTC(2026, 2, 10, 12)
    const inside = { fromMs: presentMs - 10 * 60_000, toMs: presentMs }
    expect(availabilityIn(trend, inside)).toEqual({ samples: 20, healthy: 5, cellMs: 300_000 })
    expect(availabilityIn(trend, { fromMs: presentMs - dayMs, toMs: presentMs - dayMs / 2 })).toBeNull()
  })
})
