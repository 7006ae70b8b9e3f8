import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Because } from '../because.ts'
import { actionKinds, actionStates, becauseKinds, codes, controlEventTypes, eventTypes } from '../values.ts'
import { describeBecause } from './because-words.ts'
import { durationWords } from './duration-words.ts'
import { type StoryEvent, storyOf, storySummary } from './incident-story.ts'

const beginMs = Date.UTC(2026, 2, 1, 9, 30)
const at = (seconds: number) => new Date(beginMs + seconds * 1000).toISOString()

const nothing = {
  action_id: null,
  kind: null,
  color: null,
  endpoint: null,
  outcome: null,
  reason: null,
  actor: null,
}

function event(id: number, type: StoryEvent['type'], parts: Partial<StoryEvent> = {}): StoryEvent {
  return {
    ...{ id: String(id), monitor_id: 'edge', at: at(id), type, revision: 1, incident_id: 'inc-1' },
    ...nothing,
    ...parts,
  }
}

const red = { action_id: 'act-1', kind: 'code', color: 'red', endpoint: 'ops' } as const
const threshold: Because = { kind: 'threshold', failures: 3, threshold: 3, failing_ms: 20_000, from: 'lab-1' }
const events: readonly StoryEvent[] = [
  event(1, 'incident_opened', { reason: 'HTTP 503', because: threshold }),
  event(2, 'action_queued', { ...red, because: threshold }),
  event(3, 'action_started', red),
  event(4, 'control_acknowledged', { actor: 'mara', note: 'looking at it' }),
  event(5, 'action_failed', { ...red, outcome: 'rejected', reason: 'no such channel' }),
  event(6, 'control_noted', { actor: 'ben', note: 'the pool was full' }),
  event(7, 'incident_closed', {
    outcome: 'recovered',
    because: { kind: 'recovery_threshold', successes: 2, threshold: 2 },
  }),
]

describe('the story of an incident', () => {
  it('has its cause, who was told, what people did, and its end', () => {
    const { sections, ...facts } = storyOf(events)
    expect(facts).toEqual({
      ...{ incidentId: 'inc-1', monitorId: 'edge', openedAt: at(1), closedAt: at(7), lastedMs: 6_000 },
      ...{ failure: 'HTTP 503', acknowledgedBy: 'mara' },
    })
    expect(sections.cause).toMatchObject([
      {
        text: 'Incident opened',
        why: '3 checks in a row failed; the threshold is 3; it had been failing for 20 s; seen by worker lab-1',
        quotes: ['HTTP 503'],
      },
    ])
    expect(sections.tried).toEqual([])
    expect(sections.told).toMatchObject([
      {
        text: 'Red to ops',
        quotes: ['no such channel'],
        steps: [{ text: 'queued' }, { text: 'sent' }, { text: 'not accepted' }],
      },
    ])
    expect(sections.people.map(({ text, quotes }) => [text, ...quotes])).toEqual([
      ['Incident acknowledged by mara', 'looking at it'],
      ['Note added by ben', 'the pool was full'],
    ])
    expect(sections.end).toMatchObject([
      { text: 'Recovered', why: '2 checks in a row were healthy; 2 were needed' },
    ])
  })

  it('has a snooze with its end, and how it was ended', () => {
    const because: Because = { kind: 'control', verb: 'snooze', actor: 'mara', until: at(60) }
    const snoozed = event(3, 'control_snoozed', { actor: 'mara', reason: 'the rack is moved', because })
    const expired = event(4, 'snooze_expired', { because: { kind: 'snooze_expired', until: at(60) } })
    expect(storyOf([...events.slice(0, 2), snoozed, expired]).sections.people).toMatchObject([
      { text: `Snoozed by mara until ${at(60)}`, why: null, quotes: ['the rack is moved'] },
      { text: 'Snooze expired', why: null, quotes: [] },
    ])
  })

  it('is told of an edition that keeps neither notes nor reasons', () => {
    const { sections } = storyOf(events.map(({ note: _, because: __, ...rest }) => rest))
    expect(sections.cause).toMatchObject([{ why: null, quotes: ['HTTP 503'] }])
    expect(sections.people.flatMap(({ quotes }) => quotes)).toEqual([])
  })

  it('does not invent an opening or an end, and never lasts less than nothing', () => {
    expect(storyOf([])).toMatchObject({ incidentId: null, openedAt: null, closedAt: null, lastedMs: null })
    expect(storyOf(events.slice(1))).toMatchObject({ openedAt: null, lastedMs: null, failure: null })
    const back = [event(9, 'incident_opened'), { ...event(10, 'incident_closed'), at: at(1) }]
    expect(storyOf(back)).toMatchObject({ lastedMs: 0 })
  })

  it('shows a kind of event that only a newer service has', () => {
    const newer = event(2, 'moon_landed' as StoryEvent['type'])
    expect(storyOf([newer]).sections.people).toMatchObject([{ text: 'moon landed' }])
  })

  const anyEvent = fc.record({
    type: fc.constantFrom(...eventTypes, ...controlEventTypes),
    action_id: fc.option(fc.constantFrom('act-1', 'act-2', 'act-3')),
    kind: fc.option(fc.constantFrom(...actionKinds)),
    color: fc.option(fc.constantFrom(...codes)),
    note: fc.option(fc.string()),
    because: fc.option(fc.constantFrom(...becauseKinds).map((kind): Because => ({ kind }))),
  })

  it('has every event once, in order in its section and in its action, and no other', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (given) => {
        const all = given.map(({ type, ...parts }, index) => event(index, type, parts))
        const sections = Object.values(storyOf(all).sections)
        const told = sections.flatMap((items) =>
          items.flatMap(({ steps }) => steps.map(({ id }) => Number(id))),
        )
        expect(told.toSorted((one, other) => one - other)).toEqual(all.map((_, index) => index))
        for (const items of sections) {
          const begins = items.map(({ id }) => Number(id))
          expect(begins).toEqual(begins.toSorted((one, other) => one - other))
          for (const { id, steps } of items) {
            const places = steps.map((step) => Number(step.id))
            expect(places).toEqual(places.toSorted((one, other) => one - other))
            expect(String(places[0])).toBe(id)
          }
        }
      }),
    )
  })
})

describe('the summary of a story', () => {
  it.each([
    [events, 'Open for 6 s, now closed: HTTP 503.'],
    [events.slice(0, 1), 'Open for 1 min: HTTP 503.'],
    [events.slice(1), 'Closed.'],
    [[], 'Open.'],
  ])('is one sentence', (given, sentence) => {
    expect(storySummary(storyOf(given), beginMs + 61_000)).toBe(sentence)
  })
})

describe('the words of reasons', () => {
  const values: Omit<Because, 'kind'> = {
    ...{
      failures: 3,
      threshold: 3,
      successes: 1,
      healthy: 1,
      needed: 2,
      recovery: 'held',
      by: 'maintenance',
    },
    ...{ ancestor: 'gateway', text: 'expires soon', until: at(60), name: 'nightly', every_ms: 60_000 },
    ...{ since_ms: 1_000, verb: 'recover', actor: 'mara', outcome: 'unknown', what: 'check', color: 'green' },
    ...{ incidents: 1, cooldown_ms: 300_000, wait_ms: 4_000, asked: true, answer: 'lost', in_a_row: 3 },
    ...{ lasted_ms: 2_000, after_ms: 86_400_000, backup_at: at(0) },
  }

  it.each(becauseKinds)('say %s with its values and without them, and show no term of the API', (kind) => {
    for (const because of [{ kind }, { kind, ...values }]) {
      const clause = describeBecause(because)
      expect(clause).toMatch(/^\S.*[^\s.]$/)
      expect(clause).not.toMatch(/_|undefined|null|NaN/)
    }
  })

  it.each([
    ['snooze', 'mara snoozed the monitor'],
    ['dismiss', 'mara dismissed the incident'],
    ['moonwalk', 'mara asked for it'],
  ])('say what a person did: %s', (verb, clause) => {
    expect(describeBecause({ kind: 'control', verb, actor: 'mara' })).toBe(clause)
  })

  it('are missing for a reason of a newer service', () => {
    expect(describeBecause({ kind: 'moonlight' } as unknown as Because)).toBeNull()
  })

  it.each(actionStates.filter((state) => state !== 'succeeded'))(
    'stand with the step that is %s',
    (state) => {
      const because: Because = { kind: 'interrupted' }
      const step = storyOf([event(1, `action_${state}`, { ...red, because })]).sections.told[0]!
      const isEnd = ['failed', 'unknown', 'cancelled'].includes(state)
      expect(step.steps[0]!.text!.includes('Pulseward stopped')).toBe(isEnd)
    },
  )
})

it.each([
  [0, '0 s'],
  [0.2, '1 ms'],
  [250, '250 ms'],
  [41_000, '41 s'],
  [252_000, '4 min 12 s'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
  [-5, '0 s'],
])('%d ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words)
})
