import { answered, brokenOff } from '@pulseward/testing/notify'
import { describe, expect, it } from 'vitest'
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'
import type { Verdict } from '../driver.ts'
import { formPost, judgeConfirmed, judgeStatus, judgeStatusWaiting } from './http.ts'

function judged(status: number, headers = {}): Verdict {
  const answer: OutboundAnswer = {
    kind: 'answered',
    status,
    headers,
    body: 'words of a stranger',
    isWhole: true,
  }
  return judgeStatus(answer)
}

describe('an answer of a provider without rules of its own', () => {
  it.each<[Verdict['kind'], number[]]>([
    ['delivered', [200, 201, 202, 204, 299]],
    ['rejected', [300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 413, 418, 422]],
    ['retry', [408, 425, 429, 500, 502, 503, 504, 599]],
    ['gone', [410]],
  ])('is %s for %j', (kind, statuses) => {
    for (const status of statuses) expect(judged(status).kind).toBe(kind)
  })

  it('carries the wait that the provider names', () => {
    expect(judged(503, { 'retry-after': '9' })).toEqual({
      kind: 'retry',
      reason: 'the provider answered 503',
      waitMs: 9_000,
    })
    expect(judged(429)).toMatchObject({ waitMs: null })
  })

  it('is never repeated', () => {
    for (let status = 300; status < 600; status++) {
      expect(JSON.stringify(judged(status))).not.toContain('stranger')
    }
  })
})

describe('an answer that has to be confirmed in words', () => {
  it.each<[string, Verdict['kind'], ReturnType<typeof judgeConfirmed>]>([
    ['with them', 'delivered', judgeConfirmed(answered(200, 'ok'), true, 'It')],
    ['without them', 'rejected', judgeConfirmed(answered(200, '<html>'), false, 'It')],
    ['that broke off before', 'unknown', judgeConfirmed(brokenOff(202), false, 'It')],
  ])('%s is %s', (_, kind, verdict) => {
    expect(verdict?.kind).toBe(kind)
  })

  it('is left to the general rules where it is no 2xx', () => {
    expect(judgeConfirmed(answered(302), true, 'It')).toBeNull()
    expect(judgeConfirmed(answered(500), true, 'It')).toBeNull()
  })
})

describe('a provider that names no wait but wants one', () => {
  it('gets the usual one, unless it does name one', () => {
    expect(judgeStatusWaiting(answered(429), 5_000)).toMatchObject({ kind: 'retry', waitMs: 5_000 })
    expect(judgeStatusWaiting(answered(429, '', { 'retry-after': '1' }), 5_000)).toMatchObject({
      waitMs: 1_000,
    })
    expect(judgeStatusWaiting(answered(400), 5_000)).toMatchObject({ kind: 'rejected' })
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
