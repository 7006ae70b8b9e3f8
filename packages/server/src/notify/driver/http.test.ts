import { describe, expect, it } from 'vitest'
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'
import type { Verdict } from '../driver.ts'
import { judgeStatus } from './http.ts'

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
