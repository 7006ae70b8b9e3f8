import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../data/history.ts'
import { type IncidentSpan, timelineOf } from './timeline.ts'

let committed = 0
function event(type: HistoryEvent['type'], second: number, rest: Partial<HistoryEvent> = {}): HistoryEvent {
  const at = new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString()
  return {
    id: String(++committed),
    monitor_id: 'shop',
    at,
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

const red = { action_id: 'a', kind: 'code', color: 'red', endpoint: 'ops' } as const
const recovery = { action_id: 'r', kind: 'intervention' } as const
const inIncident = { incident_id: 'i' }

describe('the timeline of a monitor', () => {
  it('shows an incident as a span with its actions inside, newest first', () => {
    const items = timelineOf([
      event('incident_opened', 10, inIncident),
      event('action_queued', 10, { ...red, ...inIncident }),
      event('action_started', 11, { ...red, ...inIncident }),
      event('action_succeeded', 12, { ...red, ...inIncident, outcome: 'accepted' }),
      event('control_acknowledged', 20, { ...inIncident, actor: 'mara' }),
      event('incident_closed', 40, { ...inIncident, outcome: 'recovered' }),
    ])
    expect(items).toHaveLength(1)
    const span = items[0] as IncidentSpan
    expect([span.openedAt, span.closedAt, span.outcome]).toEqual([
      '2026-03-01T09:00:10.000Z',
      '2026-03-01T09:00:40.000Z',
      'recovered',
    ])
    expect(span.entries.map((entry) => entry.sentence)).toEqual([
      'Incident acknowledged by mara.',
      'Red to ops was delivered.',
    ])
  })

  it('says why the incident opened and since when the monitor was failing, as it was recorded', () => {
    const because = { kind: 'threshold', failure: 'HTTP 503', failing_ms: 20_000, from: 'lab-1' } as const
    const opening = event('incident_opened', 30, { ...inIncident, reason: 'HTTP 503', because })
    const [known] = timelineOf([opening]) as [IncidentSpan]
    expect(known.cause).toEqual({
      text: 'HTTP 503',
      failingSince: '2026-03-01T09:00:10.000Z',
      worker: 'lab-1',
    })
    const wordless = { kind: 'threshold', failure_class: 'timeout', failing_ms: 0 } as const
    const [silent] = timelineOf([event('incident_opened', 30, { ...inIncident, because: wordless })])
    expect(silent).toMatchObject({ cause: { text: 'the check got no answer in time', worker: null } })
    const [old] = timelineOf([event('incident_opened', 30, inIncident)])
    expect(old).toMatchObject({ cause: null })
    const [cut] = timelineOf([event('incident_closed', 40, inIncident)])
    expect(cut).toMatchObject({ cause: null })
  })

  it('says of an action how far it came, not every step of it', () => {
    const items = timelineOf([
      event('action_queued', 1, recovery),
      event('action_started', 2, recovery),
      event('action_unknown', 9, { ...recovery, outcome: 'interrupted' }),
    ])
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      sentence: 'The recovery was sent; Pulseward stopped before its answer came, so it is held for review.',
      at: '2026-03-01T09:00:09.000Z',
    })
  })

  it('keeps the reason of how an action ended, not of its earlier steps, and that of an event', () => {
    const [ended] = timelineOf([
      event('action_started', 1, red),
      event('action_failed', 2, { ...red, outcome: 'rejected', reason: 'HTTP 503' }),
    ])
    expect(ended).toMatchObject({ sentence: 'Red to ops was refused.', reason: 'HTTP 503' })
    const [quiet] = timelineOf([event('incident_suppressed', 3, { reason: 'suppressed by gateway' })])
    expect(quiet).toMatchObject({ kind: 'event', reason: 'suppressed by gateway' })
  })

  it('keeps an incident open when it has not closed, and its beginning unknown when the page begins later', () => {
    const open = timelineOf([event('incident_opened', 10, inIncident)])[0] as IncidentSpan
    expect([open.openedAt, open.closedAt]).toEqual(['2026-03-01T09:00:10.000Z', null])
    const cut = timelineOf([event('incident_closed', 10, { ...inIncident, outcome: 'removed' })])[0]
    expect(cut).toMatchObject({ openedAt: null, outcome: 'removed' })
  })

  it('keeps what belongs to no incident beside the incidents, by time', () => {
    const items = timelineOf([
      event('action_queued', 1, { action_id: 'y', kind: 'code', color: 'yellow', endpoint: 'ops' }),
      event('incident_opened', 5, inIncident),
      event('incident_closed', 8, inIncident),
      event('incident_suppressed', 9),
    ])
    expect(items.map(({ kind }) => kind)).toEqual(['event', 'incident', 'action'])
  })

  it('tells edits of the monitor in one line each, with what they changed, by time', () => {
    const changes = [{ field: '/spec/check/interval', before: '1m', after: '2m' }]
    const items = timelineOf(
      [event('incident_suppressed', 1), event('incident_suppressed', 9)],
      [
        { id: '7', kind: 'resource_updated', time: '2026-03-01T09:00:05.000Z', actor: 'ada', changes },
        { id: '6', kind: 'resource_created', time: '2026-03-01T09:00:00.000Z' },
      ],
    )
    expect(items.map(({ kind }) => kind)).toEqual(['event', 'edit', 'event', 'edit'])
    expect(items[1]).toMatchObject({ sentence: 'ada changed it.', changes })
    expect(items[3]).toMatchObject({ sentence: 'Pulseward created it.', changes: [] })
  })

  it('of no events is empty', () => {
    expect(timelineOf([])).toEqual([])
  })
})
