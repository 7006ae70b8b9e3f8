import { describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../data/history.ts'
import { reasonOfIncident, reasonOfState } from './recorded-reason.ts'

const nothing = {
  ...{ monitor_id: 'edge', revision: 1, incident_id: null, action_id: null, kind: null, color: null },
  ...{ endpoint: null, outcome: null, reason: null, actor: null, because: null },
}
const event = (id: number, type: HistoryEvent['type'], parts: Partial<HistoryEvent> = {}): HistoryEvent => ({
  ...nothing,
  ...{ id: String(id), at: `2026-03-01T09:30:0${id}.000Z`, type },
  ...parts,
})
const threshold = { kind: 'threshold', failures: 3, threshold: 3, failing_ms: 20_000 } as const
const recovery = { action_id: 'act-1', kind: 'intervention', because: threshold } as const
const snoozed = event(4, 'control_snoozed', { actor: 'mara', reason: 'The rack is moved.' })

describe('the recorded reason', () => {
  it('of an open incident is that of its opening, also after a recovery that came before it', () => {
    const events = [
      event(1, 'action_queued', { ...recovery, incident_id: 'inc-1' }),
      event(2, 'incident_opened', { incident_id: 'inc-1', because: { ...threshold, recovery: 'rejected' } }),
    ]
    expect(reasonOfIncident(events)).toEqual({
      decided: 'The incident opened',
      at: '2026-03-01T09:30:02.000Z',
      because:
        '3 checks in a row failed; the threshold is 3; its recovery had been refused; it had been failing for 20 s',
      quote: null,
    })
  })

  it('is missing where the record has none', () => {
    expect(reasonOfIncident([])).toBeNull()
    expect(reasonOfIncident([event(2, 'incident_opened', { incident_id: 'inc-1' })])).toBeNull()
    const verifying = { status: 'verifying', snoozed_until: null } as const
    expect(reasonOfState(verifying, [event(1, 'action_queued', { ...recovery, because: null })])).toBeNull()
    expect(reasonOfState({ ...verifying, snoozed_until: '2026-03-01T10:00:00.000Z' }, [])).toBeNull()
  })

  it('of a snooze is what the last person who snoozed it said', () => {
    const state = { status: 'disabled', snoozed_until: '2026-03-01T10:00:00.000Z' } as const
    const older = event(3, 'control_snoozed', { actor: 'ben', reason: 'Lunch.' })
    expect(reasonOfState(state, [snoozed, older])).toMatchObject({
      decided: 'It was snoozed by mara',
      because: null,
      quote: 'The rack is moved.',
    })
  })

  it('of a verification is that of the newest recovery', () => {
    const state = { status: 'verifying', snoozed_until: null } as const
    const of = (failures: number, id: number) =>
      event(id, 'action_queued', { ...recovery, because: { ...threshold, failures } })
    expect(reasonOfState(state, [of(5, 3), of(4, 2)])?.because).toMatch(/^5 checks in a row failed/)
  })

  it('is not told for a monitor of which nothing was decided', () => {
    const of = (status: 'up' | 'down') => reasonOfState({ status, snoozed_until: null }, [snoozed])
    expect([of('up'), of('down')]).toEqual([null, null])
  })
})
