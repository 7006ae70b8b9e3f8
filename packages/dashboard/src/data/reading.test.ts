import { describe, expect, it } from 'vitest'
import { failureOf, ReadFailure } from './failure.ts'
import { readingOf } from './reading.ts'
import { refreshEveryMs } from './refresh.ts'
import { pathOf } from './request.ts'

const outcome = { data: { total: 3 }, error: null, dataUpdatedAt: 5, isPlaceholderData: false }

describe('a failure', () => {
  it.each([
    [401, 'unauthorized', 'signed-out'],
    [404, 'not_found', 'absent'],
    [404, 'monitor_not_found', 'not-found'],
    [400, 'invalid_parameter', 'refused'],
    [503, 'unavailable', 'unavailable'],
    [503, 'overloaded', 'unavailable'],
    [500, 'internal_error', 'unavailable'],
    [502, undefined, 'unreachable'],
    [504, undefined, 'unreachable'],
  ] as const)('of %i %s is %s', (status, code, kind) => {
    expect(failureOf(status, code === undefined ? {} : { code }).kind).toBe(kind)
  })
})

describe('a reading', () => {
  it('is loading until something came', () => {
    expect(readingOf({ ...outcome, data: undefined })).toEqual({ available: false, reason: 'loading' })
  })

  it('keeps what was read, as stale, through a failure that passes', () => {
    const error = new ReadFailure('unreachable', 'no answer')
    expect(readingOf({ ...outcome, error })).toMatchObject({
      available: true,
      body: { total: 3 },
      stale: error,
    })
  })

  it.each(['signed-out', 'absent', 'not-found', 'refused'] as const)(
    'gives up what was read when it is %s now',
    (kind) => {
      const failure = new ReadFailure(kind, 'no')
      expect(readingOf({ ...outcome, error: failure })).toEqual({ available: false, reason: kind, failure })
    },
  )

  it('is unavailable, not empty, when the first reading fails', () => {
    const failure = new ReadFailure('unavailable', 'no snapshot')
    expect(readingOf({ ...outcome, data: undefined, error: failure })).toEqual({
      available: false,
      reason: 'unavailable',
      failure,
    })
  })

  it('is refused when the answer broke the reader', () => {
    expect(readingOf({ ...outcome, data: undefined, error: new TypeError('x') })).toMatchObject({
      reason: 'refused',
    })
  })
})

describe('the rhythm', () => {
  it('stops while paused or signed out, and asks for what is absent less often', () => {
    expect(refreshEveryMs(true, null)).toBe(false)
    expect(refreshEveryMs(false, new ReadFailure('signed-out', ''))).toBe(false)
    expect(refreshEveryMs(false, new ReadFailure('absent', ''))).toBe(60_000)
  })

  it('goes on every five seconds, also through failures', () => {
    expect(refreshEveryMs(false, null)).toBe(5_000)
    expect(refreshEveryMs(false, new ReadFailure('unreachable', ''))).toBe(5_000)
  })
})

describe('a path', () => {
  it('leaves out what is not given and escapes the rest', () => {
    expect(pathOf('/a', { q: 'x&y=<b>', page: 2, status: undefined, code: null, type: '' })).toBe(
      '/a?q=x%26y%3D%3Cb%3E&page=2',
    )
    expect(pathOf('/a', { q: undefined })).toBe('/a')
  })
})
