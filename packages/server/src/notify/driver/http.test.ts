import { answered, brokenOff } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'
import { classifyConfirmed, classifyStatus, classifyStatusWaiting, formPost } from './http.ts'

function classified(status: number, headers = {}): ActionOutcome {
  const answer: OutboundAnswer = {
    kind: 'answered',
    status,
    headers,
    body: 'words of the provider',
    isWhole: true,
  }
  return classifyStatus(answer)
}

describe('an answer of a provider without rules of its own', () => {
  it.each<[ActionOutcome['kind'], number[]]>([
    ['accepted', [200, 201, 202, 204, 299]],
    ['rejected', [300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 413, 418, 422]],
    ['retry', [408, 425, 429, 500, 502, 503, 504, 599]],
    ['gone', [410]],
  ])('is %s for %j', (kind, statuses) => {
    for (const status of statuses) expect(classified(status).kind).toBe(kind)
  })

  it('carries the wait that the provider names', () => {
    expect(classified(503, { 'retry-after': '9' })).toEqual({
      kind: 'retry',
      reason: 'the provider answered 503',
      retryAfterMs: 9_000,
    })
    expect(classified(429)).toMatchObject({ retryAfterMs: null })
  })

  it('is never repeated', () => {
    for (let status = 300; status < 600; status++) {
      expect(JSON.stringify(classified(status))).not.toContain('words of')
    }
  })
})

describe('an answer that has to be confirmed in words', () => {
  it.each<[string, ActionOutcome['kind'], ReturnType<typeof classifyConfirmed>]>([
    ['with them', 'accepted', classifyConfirmed(answered(200, 'ok'), true, 'It')],
    ['without them', 'rejected', classifyConfirmed(answered(200, '<html>'), false, 'It')],
    ['that broke off before', 'unknown', classifyConfirmed(brokenOff(202), false, 'It')],
  ])('%s is %s', (_, kind, outcome) => {
    expect(outcome?.kind).toBe(kind)
  })

  it('is left to the general rules if it is not a 2xx', () => {
    expect(classifyConfirmed(answered(302), true, 'It')).toBeNull()
    expect(classifyConfirmed(answered(500), true, 'It')).toBeNull()
  })
})

describe('a provider that names no wait but wants one', () => {
  it('gets the default one, unless it names one', () => {
    expect(classifyStatusWaiting(answered(429), 5_000)).toMatchObject({ kind: 'retry', retryAfterMs: 5_000 })
    expect(classifyStatusWaiting(answered(429, '', { 'retry-after': '1' }), 5_000)).toMatchObject({
      retryAfterMs: 1_000,
    })
    expect(classifyStatusWaiting(answered(400), 5_000)).toMatchObject({ kind: 'rejected' })
  })
})

it('sends a form as one', () => {
  expect(formPost('https://a.test/', { To: '+1 & 2' })).toEqual({
    method: 'POST',
    url: 'https://a.test/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'To=%2B1+%26+2',
  })
})
