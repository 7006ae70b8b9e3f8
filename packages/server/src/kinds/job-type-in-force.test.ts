import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { compileJobType } from './job-type-in-force.ts'

const builtIn = new Set(['http', 'slack', 'external'])
const spec: v2.JobType['spec'] = {
  version: '1',
  kind: 'check',
  handler: 'queueDepth',
  protocolVersion: '1',
  parameterSchema: { type: 'object', required: ['queue'] },
  resultSchema: true,
  timeout: '30s',
  rejectionCodes: ['queueMissing'],
}

function mistakes(id: string, change: Partial<v2.JobType['spec']>): [string, string][] {
  return compileJobType(id, { ...spec, ...change }, builtIn).mistakes.map(({ field, reason }) => [
    field,
    reason,
  ])
}

describe('a job type', () => {
  it('is made ready for use', () => {
    const { jobType } = compileJobType('queue-depth', spec, builtIn)
    expect(jobType).toMatchObject({ id: 'queue-depth', version: '1', kind: 'check', timeoutMs: 30_000 })
    expect(jobType?.parameters.mistakes({})).toMatchObject([{ pointer: '/queue', reason: 'required' }])
    expect(jobType?.results.mistakes(7)).toEqual([])
    expect([...(jobType?.rejectionCodes ?? [])]).toEqual(['queueMissing'])
  })

  it('has no timeout and no rejection codes of its own unless they are given', () => {
    const { timeout: _, rejectionCodes: _codes, ...rest } = spec
    const { jobType } = compileJobType('queue-depth', rest, builtIn)
    expect([jobType?.timeoutMs, jobType?.rejectionCodes.size]).toEqual([null, 0])
  })

  it.each<[string, Partial<v2.JobType['spec']>, [string, string][]]>([
    ['http', {}, [['/metadata/id', 'notAllowed']]],
    ['external', {}, [['/metadata/id', 'notAllowed']]],
    ['x'.repeat(129), {}, [['/metadata/id', 'tooLong']]],
    ['a', { timeout: '0s' }, [['/spec/timeout', 'tooSmall']]],
    ['a', { timeout: '24h' }, []],
    ['a', { timeout: '86401s' }, [['/spec/timeout', 'tooLarge']]],
    ['a', { protocolVersion: '2' }, [['/spec/protocolVersion', 'notAllowed']]],
    ['a', { rejectionCodes: ['b', 'c', 'b'] }, [['/spec/rejectionCodes/2', 'rule']]],
    ['a', { resultSchema: { pattern: '(' } }, [['/spec/resultSchema/pattern', 'malformed']]],
  ])('%s with %j is refused where it is wrong', (id, change, expected) => {
    expect(mistakes(id, change)).toEqual(expected)
  })

  it('has all of its mistakes told at once', () => {
    const wrong = {
      timeout: '0s',
      protocolVersion: '0',
      rejectionCodes: ['a', 'a'],
      parameterSchema: { $ref: 'https://example.test', minLenght: 1 },
      resultSchema: { type: 'text' },
    }
    expect(mistakes('slack', wrong).map(([field]) => field)).toEqual([
      '/metadata/id',
      '/spec/protocolVersion',
      '/spec/timeout',
      '/spec/rejectionCodes/1',
      '/spec/parameterSchema/minLenght',
      '/spec/parameterSchema/$ref',
      '/spec/resultSchema/type',
    ])
  })
})
