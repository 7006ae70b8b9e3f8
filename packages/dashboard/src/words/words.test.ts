import {
  actionKinds,
  actionStates,
  controlEventTypes,
  eventTypes,
  nextActionOutcomes,
} from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { describeAction } from './action-words.ts'
import { describeEvent } from './event-words.ts'
import { describeIncident } from './incident-words.ts'
import { waitWords } from './wait-words.ts'

const quiet = {
  last_error: 'status 503, expected 200-299',
  consecutive_failures: 3,
  verification: null,
  last_action: null,
  suppresses: 0,
  acknowledged_by: null,
  dismissed: false,
}

describe('an incident', () => {
  it('says what fails and how often', () => {
    expect(describeIncident(quiet)).toBe('Status 503, expected 200-299, 3 times in a row.')
  })

  it('says that a lost answer is held for review', () => {
    const last_action = { kind: 'intervention', state: 'unknown', outcome: null, at: '' } as const
    expect(describeIncident({ ...quiet, last_action })).toContain(
      'The recovery was sent; its answer was lost, so it is held for review.',
    )
  })

  it('tells how far verifying is instead of the old error', () => {
    expect(describeIncident({ ...quiet, verification: { healthy: 1, needed: 2 } })).toBe(
      'Verifying: 1 of 2 healthy checks after the recovery.',
    )
  })

  it('names who looks into it and what is quiet because of it', () => {
    const text = describeIncident({ ...quiet, suppresses: 14, acknowledged_by: 'ada', dismissed: true })
    expect(text).toContain('14 monitors that depend on it are quiet. ada is looking into it.')
    expect(text).toContain('Nothing more is sent about it.')
  })
})

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
