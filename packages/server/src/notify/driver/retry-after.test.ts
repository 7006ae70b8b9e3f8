import { describe, expect, it } from 'vitest'
import type { OutboundAnswer } from '../../platform/network/outbound-http.ts'
import { waitAskedFor } from './retry-after.ts'

const nowMs = Date.UTC(2026, 0, 31, 8, 0, 0)

function waitFor(header: string | undefined, body = ''): number | null {
  const headers = header === undefined ? {} : { 'retry-after': header }
  const answer: OutboundAnswer = { kind: 'answered', status: 429, headers, body, isWhole: true }
  return waitAskedFor(answer, nowMs)
}

describe('the wait that a provider asks for', () => {
  it.each<[string, number]>([
    ['30', 30_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Sat, 31 Jan 2026 08:00:45 GMT', 45_000],
    ['Sat, 31 Jan 2026 07:00:00 GMT', 0],
    ['99999999999', 86_400_000],
  ])('is read from the header %s', (header, waitMs) => {
    expect(waitFor(header)).toBe(waitMs)
  })

  it.each<[string, number]>([
    ['{"retry_after": 3.25, "ok": false}', 3_250],
    ['{"ok": false, "parameters": {"retry_after": 7}}', 7_000],
    ['{"retry_after": -1}', 0],
    ['{"retry_after_ms": 2500.5}', 2_501],
  ])('is read from the body %s', (body, waitMs) => {
    expect(waitFor(undefined, body)).toBe(waitMs)
  })

  it('is taken from the header if both are there', () => {
    expect(waitFor('2', '{"retry_after": 9}')).toBe(2_000)
  })

  it.each(['', '-5', 'soon', '5 minutes', '0x10', '1e9', 'NaN', 'May'])(
    'is unknown for the header %j',
    (header) => {
      expect(waitFor(header)).toBeNull()
    },
  )

  it.each([
    '',
    'null',
    '[]',
    '"retry_after"',
    '{"retry_after": "5"}',
    '{"retry_after": 1e999}',
    '{"parameters": 3}',
  ])('is unknown for the body %s', (body) => {
    expect(waitFor(undefined, body)).toBeNull()
  })
})
