import { describe, expect, it } from 'vitest'
import { ReadFailure } from '../../data/failure.ts'
import type { Overview } from '../../data/overview.ts'
import type { Reading } from '../../data/reading.ts'
import { sentenceOf } from './sentence.ts'

const nowMs = Date.parse('2030-01-01T12:00:00.000Z')
const none = { disabled: 0, verifying: 0, incident: 0, down: 0, unknown: 0, degraded: 0, up: 0 }

function read(
  byStatus: Partial<Overview['by_status']>,
  more: Partial<Overview> = {},
  stale: ReadFailure | null = null,
): Reading<Overview> {
  const by_status = { ...none, ...byStatus }
  const total = Object.values(by_status).reduce((sum, count) => sum + count, 0)
  const body: Overview = {
    generated: '2030-01-01T11:59:59.000Z',
    stale: null,
    total,
    disabled: by_status.disabled,
    by_status,
    by_pulse_type: {},
    by_code: {},
    incidents: by_status.incident,
    up_percent: null,
    healthy_sample_percent: null,
    index_capped: false,
    ...more,
  }
  return { available: true, body, readAtMs: nowMs, stale, isPrevious: false }
}

const due = { lookedAt: 5, total: 5, latestAtMs: nowMs + 41_000, neverChecked: true }

describe('the sentence', () => {
  it('says that all is well only when every watched monitor is up', () => {
    expect(sentenceOf(read({ up: 2000 }), null, nowMs)).toEqual({
      lead: 'All 2,000 monitors are up.',
      trouble: null,
      notes: [],
    })
    expect(sentenceOf(read({ up: 1 }), null, nowMs).lead).toBe('The one monitor is up.')
  })

  it.each([
    ['incident', '9 of 10 monitors are up.'],
    ['down', '9 of 10 monitors are up.'],
    ['verifying', '9 of 10 monitors are up.'],
    ['unknown', '9 of 10 monitors are up.'],
  ] as const)('does not count a monitor that is %s as up', (status, lead) => {
    expect(sentenceOf(read({ up: 9, [status]: 1 }), null, nowMs).lead).toBe(lead)
  })

  it('is loud about incidents, also one whose monitor is being verified', () => {
    expect(
      sentenceOf(read({ up: 8, incident: 1, verifying: 1 }, { incidents: 2 }), null, nowMs).trouble,
    ).toBe('2 incidents are open, 1 of them of a monitor that is being verified.')
    expect(sentenceOf(read({ up: 8, incident: 1 }), null, nowMs).trouble).toBe('1 incident is open.')
  })

  it('says when what is unknown is due', () => {
    const { notes } = sentenceOf(read({ up: 5, unknown: 5 }), due, nowMs)
    expect(notes).toEqual(['5 are unknown: their first check is due within 41 s.'])
  })

  it('says how many it looked at when that is not all', () => {
    const part = { ...due, lookedAt: 500, total: 1771, neverChecked: false }
    expect(sentenceOf(read({ up: 5, unknown: 1771 }), part, nowMs).notes).toEqual([
      '1,771 are unknown: their next check is due within 41 s (of 500 looked at).',
    ])
  })

  it('does not promise a check that will not come', () => {
    const never = { ...due, latestAtMs: null }
    expect(sentenceOf(read({ up: 1, unknown: 1 }), never, nowMs).notes).toEqual([
      '1 is unknown, and no check of them is due.',
    ])
  })

  it('does not call a fleet of unknown monitors up or down', () => {
    expect(sentenceOf(read({ unknown: 12, disabled: 1 }), null, nowMs).lead).toBe(
      'Nothing is known yet about 12 checked monitors.',
    )
  })

  it('does not call an empty or disabled fleet healthy', () => {
    expect(sentenceOf(read({}), null, nowMs).lead).toBe('No monitors are configured, so nothing is watched.')
    expect(sentenceOf(read({ disabled: 3 }), null, nowMs).lead).toBe(
      'Every monitor (3) is disabled, so nothing is watched.',
    )
  })

  it('tells snoozed monitors from disabled ones, and whose incidents are open', () => {
    const reading = read({ up: 36, disabled: 2 }, { snoozed: 1, incidents: 1 })
    expect(sentenceOf(reading, null, nowMs)).toEqual({
      lead: 'All 36 checked monitors are up.',
      trouble: '1 incident is open, of a monitor that is snoozed.',
      notes: ['1 is snoozed.', '1 is disabled.'],
    })
    expect(sentenceOf(read({ disabled: 1 }, { snoozed: 1 }), null, nowMs).lead).toBe(
      'The one monitor is snoozed, so nothing is watched.',
    )
    expect(sentenceOf(read({ disabled: 3 }, { snoozed: 1 }), null, nowMs)).toMatchObject({
      lead: 'Every monitor (3) is disabled or snoozed, so nothing is watched.',
      notes: ['1 is snoozed.', '2 are disabled.'],
    })
  })

  it('names every condition beside', () => {
    const reading = read({ up: 90, degraded: 1, down: 2, verifying: 1, disabled: 4 })
    expect(sentenceOf(reading, null, nowMs)).toEqual({
      lead: '91 of 94 checked monitors are up.',
      trouble: null,
      notes: [
        '2 are down, so far without an incident.',
        '1 is being verified after a recovery.',
        '1 of those up has a warning.',
        '4 are disabled.',
      ],
    })
  })

  it('speaks of the past when the figures could not be read again', () => {
    const failure = new ReadFailure('unreachable', 'Pulseward does not answer.')
    const reading = read({ up: 9, incident: 1 }, { generated: '2030-01-01T11:56:00.000Z' }, failure)
    expect(sentenceOf(reading, null, nowMs)).toEqual({
      lead: '4 min ago, 9 of 10 monitors were up.',
      trouble: '1 incident was open.',
      notes: ['Pulseward does not answer.', 'The current state is unknown.'],
    })
  })

  it('speaks of the past as soon as the service is silent, however new the figures are', () => {
    expect(sentenceOf(read({ up: 10 }), null, nowMs, true)).toEqual({
      lead: '1 s ago, 10 of 10 monitors were up.',
      trouble: null,
      notes: ['Pulseward does not answer.', 'The current state is unknown.'],
    })
  })

  it('speaks of the past when the service answers with old figures', () => {
    const reading = read({ up: 10 }, { generated: '2030-01-01T11:59:00.000Z' })
    expect(sentenceOf(reading, null, nowMs).lead).toBe('1 min ago, 10 of 10 monitors were up.')
  })

  it('speaks of the past and says why as soon as the service calls its figures stale', () => {
    const since = '2030-01-01T11:59:55.000Z'
    const reading = read({ up: 10 }, { generated: since, stale: { since, reason: 'storage_unavailable' } })
    expect(sentenceOf(reading, null, nowMs)).toEqual({
      lead: '5 s ago, 10 of 10 monitors were up.',
      trouble: null,
      notes: [
        'Decisions cannot be stored, so no checks run and no notifications are sent.',
        'The current state is unknown.',
      ],
    })
  })

  it('says so when the fleet is too large for lists', () => {
    expect(sentenceOf(read({ up: 10 }, { index_capped: true }), null, nowMs).notes.join()).toContain(
      'too large',
    )
  })

  it.each([
    ['unavailable', 'Nothing is known about the fleet.'],
    ['refused', 'Nothing is known about the fleet.'],
    ['unreachable', 'Pulseward does not answer, so nothing is known about the fleet.'],
  ] as const)('knows nothing when the overview is %s', (kind, lead) => {
    const failure = new ReadFailure(kind, 'No snapshot has been taken yet.')
    expect(sentenceOf({ available: false, reason: kind, failure }, null, nowMs).lead).toBe(lead)
  })

  it('promises nothing while the first reading is on its way', () => {
    expect(sentenceOf({ available: false, reason: 'loading' }, due, nowMs)).toEqual({
      lead: 'Reading the fleet…',
      trouble: null,
      notes: [],
    })
  })
})
