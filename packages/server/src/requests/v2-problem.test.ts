import { v2 } from '@pulseward/contract'
import { listeningApi } from '@pulseward/testing/api'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { route } from '../api/route.ts'
import { refusal, V2Problem } from './v2-problem.ts'

const stale = { field: 'If-Match', reason: 'stale', message: 'is not the current version' } as const

async function answerTo(error: V2Problem) {
  const routes = [route('GetLive', () => Promise.reject(error))]
  await using api = await listeningApi({ routes })
  const answer = await fetch(`${api.url}/api/v1/healthz`, { headers: { 'x-request-id': 'r-1' } })
  const headers = Object.fromEntries(answer.headers)
  return { statusCode: answer.status, headers, problem: (await answer.json()) as v2.Problem }
}

describe('a problem of v2', () => {
  it('has its own members and codes, and the media type of all problems', async () => {
    const error = new V2Problem('versionConflict', 'The monitor has changed.', {
      errors: [stale],
      operationID: 'op-1',
    })
    const { statusCode, headers, problem } = await answerTo(error)
    expect([statusCode, headers['content-type'], headers['retry-after']]).toEqual([
      412,
      'application/problem+json',
      undefined,
    ])
    expect(headers['x-operation-id']).toBe('op-1')
    expect(problem).toEqual({
      type: 'urn:pulseward:problem:versionConflict',
      title: 'The resource is not in the version that was expected',
      status: 412,
      detail: 'The monitor has changed.',
      requestID: 'r-1',
      operationID: 'op-1',
      code: 'versionConflict',
      errors: [stale],
    })
  })

  it.each(Object.keys(v2.problems) as v2.ProblemCode[])('%s is as the contract says', async (code) => {
    const { statusCode, headers, problem } = await answerTo(new V2Problem(code, 'It is so.'))
    expect(statusCode).toBe(v2.problems[code].status)
    expect(Value.Errors(v2.Problem, problem)).toEqual([])
    const entry = v2.problems[code]
    const isPromised = 'retryAfter' in entry && entry.retryAfter === 'always'
    expect(headers['retry-after'] !== undefined).toBe(isPromised)
  })

  it('says when to ask again', async () => {
    const { headers } = await answerTo(new V2Problem('unavailable', 'No.', { retryAfterSeconds: 7 }))
    expect(headers['retry-after']).toBe('7')
  })

  it('tells of the first mistake in words and of all in its list', () => {
    const mistake = (field: string, message: string) => ({ field, reason: 'rule' as const, message })
    expect(refusal('invalidBody', 'body', [mistake('', 'is empty')]).message).toBe('The body is empty.')
    expect(
      refusal('invalidParameter', 'query', [mistake('a', 'is odd. Did you mean "b"?'), mistake('b', 'too')])
        .message,
    ).toBe('The query has 2 mistakes. a is odd. Did you mean "b"?')
    const many = Array.from({ length: 101 }, (_, index) => mistake(`/${index}`, 'is wrong'))
    const { detail, errors } = refusal('invalidResource', 'body', many).documentFor('r')
    expect([detail, errors?.length]).toEqual([
      'The body has more than 100 mistakes. /0 is wrong. Only the first 100 mistakes are listed.',
      100,
    ])
  })
})
