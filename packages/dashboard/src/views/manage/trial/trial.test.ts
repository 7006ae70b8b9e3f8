import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import type { WriteOutcome } from '../../../data/v2-request.ts'
import { sentenceOf, trialWordsOf, triedOf } from './trial.ts'

type Outcome = WriteOutcome<v2.CheckTrial | v2.NotificationTrial>

const done = (body: v2.CheckTrial | v2.NotificationTrial): Outcome => ({ kind: 'done', body, version: null })

describe('a draft that is tried', () => {
  it('is sent without what a trial does not take', () => {
    const driver = { type: 'tcp', config: { host: 'a', port: 1 } }
    const spec = { check: { driver, interval: '1m', timeout: '5s' }, tags: ['a'] }
    expect(trialWordsOf('Monitor')?.request({ spec })).toMatchObject({
      path: '/api/v2/trials/checks',
      body: { driver, timeout: '5s' },
    })
    expect(trialWordsOf('NotificationEndpoint')?.request({ spec: driver })).toMatchObject({
      path: '/api/v2/trials/notifications',
      body: driver,
    })
  })

  it('is a monitor or an endpoint', () => {
    expect([trialWordsOf('NotificationGroup'), trialWordsOf('Credential')]).toEqual([null, null])
  })

  it.each<[Outcome, string]>([
    [done({ outcome: 'success', latencyMs: 1, phases: [], observations: [] }), 'It is healthy.'],
    [
      done({ outcome: 'timeout', latencyMs: 1, phases: [], observations: [], reason: 'no reply' }),
      'It is not healthy: no reply.',
    ],
    [done({ outcome: 'delivered' }), 'The test message was delivered.'],
    [
      done({ outcome: 'notReached', reason: 'connection refused' }),
      'The provider was not reached: connection refused.',
    ],
    [
      {
        kind: 'refused',
        status: 429,
        code: 'tooBusy',
        sentence: '2 trials run already.',
        errors: [],
      },
      'Not tested. 2 trials run already.',
    ],
    [{ kind: 'unknown' }, 'The answer was lost. A test changes nothing here; a message may have arrived.'],
  ])('that ends as %j is told in a sentence', (outcome, sentence) => {
    expect(sentenceOf(triedOf(outcome))).toBe(sentence)
  })
})
