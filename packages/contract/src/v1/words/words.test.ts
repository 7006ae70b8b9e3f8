import { describe, expect, it } from 'vitest'
import { actionKinds, actionStates, controlEventTypes, eventTypes, nextActionOutcomes } from '../values.ts'
import { describeAction } from './action-words.ts'
import { describeEvent } from './event-words.ts'
import { waitWords } from './wait-words.ts'

describe('plain words', () => {
  const actions = actionKinds.flatMap((kind) =>
    actionStates.flatMap((state) =>
      [null, ...nextActionOutcomes].map((outcome) => ({ kind, state, outcome })),
    ),
  )

  it('never show a term of the API', () => {
    for (const action of actions) expect(describeAction(action)).toMatch(/^[A-Z][^_]+\.$/)
    for (const words of Object.values(waitWords)) expect(words).toMatch(/^[a-z][^_]+[a-z]$/)
    for (const type of [...eventTypes, ...controlEventTypes])
      expect(
        describeEvent({ type, kind: 'code', outcome: null, color: null, endpoint: 'ops', actor: null }),
      ).toMatch(/^[A-Z][^_]+$/)
  })

  it('name the destination that an event is about', () => {
    const event = { kind: null, outcome: null, color: null, endpoint: 'ops', actor: null }
    expect(describeEvent({ ...event, type: 'destination_ailing' })).toBe(
      'Destination ops does not accept notifications',
    )
    expect(describeEvent({ ...event, kind: 'code', type: 'digest_sent' })).toBe(
      'Destination ops got a digest of incidents that it had missed',
    )
  })

  it('keep the service’s own word for an event they do not know', () => {
    const event = {
      type: 'moon_landed',
      kind: null,
      outcome: null,
      color: null,
      endpoint: null,
      actor: 'ada',
    }
    expect(describeEvent(event as unknown as Parameters<typeof describeEvent>[0])).toBe('moon landed by ada')
  })
})
