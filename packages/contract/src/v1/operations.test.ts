import { describe, expect, expectTypeOf, it } from 'vitest'
import type { AnswerOf, editions, Operation, QueryParametersOf } from '../operation.ts'
import type { MainMonitorRow, MonitorRow, NextMonitorRow } from './monitor-row.ts'
import { type V1OperationName, v1Operations } from './operations.ts'
import { commonProblems, type ProblemCode, problems } from './problem.ts'

const all = Object.entries(v1Operations) as [V1OperationName, Operation][]

/** The routes of the contract; all others are ours. */
const ofTheContract: readonly V1OperationName[] = [
  'GetLive',
  'GetReady',
  'GetOverview',
  'ListMonitors',
  'GetMonitor',
  'ListIncidents',
  'GetSystems',
  'GetQueues',
  'GetQueueHistory',
  'GetPools',
  'GetPoolHistory',
  'GetConfig',
  'GetMetrics',
  'GetState',
  'GetHistory',
  'GetSLO',
]

/** Statuses beyond those that every operation has, where they are not 503 alone. */
const further: Partial<Record<V1OperationName, readonly number[]>> = {
  GetLive: [],
  GetMonitor: [404, 503],
  GetState: [404, 503],
  GetHistory: [404, 410, 503],
  GetMap: [304, 503],
  GetMonitorTrend: [404, 503],
}

function statusesOf({ answers, problems: own }: Operation): number[] {
  const codes = [...commonProblems, ...own] as ProblemCode[]
  const statuses = [...Object.keys(answers).map(Number), ...codes.map((code) => problems[code].status)]
  return [...new Set(statuses)].sort((left, right) => left - right)
}

describe('the operations of v1', () => {
  it('are the sixteen of the contract, and additions of ours', () => {
    const isAddition = ([, { tag }]: [V1OperationName, Operation]) => tag === 'additions'
    expect(all.filter((one) => !isAddition(one)).map(([name]) => name)).toEqual(ofTheContract)
    expect(all.filter(isAddition).map(([name]) => name)).toEqual(
      expect.arrayContaining(['GetOpenAPI', 'StreamEvents', 'GetMap', 'GetMonitorTrend', 'GetTrend']),
    )
  })

  it('of the contract are all in candidate and next; main has no state, no history and no SLO view', () => {
    const servedBy = (edition: (typeof editions)[number]) =>
      ofTheContract.filter((name) => (v1Operations[name] as Operation).editions.includes(edition))
    expect(servedBy('candidate')).toEqual(ofTheContract)
    expect(servedBy('next')).toEqual(ofTheContract)
    const missing = new Set(ofTheContract).difference(new Set(servedBy('main')))
    expect([...missing]).toEqual(['GetState', 'GetHistory', 'GetSLO'])
  })

  it('stand at paths of their own and only read', () => {
    expect(new Set(all.map(([, { path }]) => path)).size).toBe(all.length)
    expect(new Set(all.map(([, { method }]) => method))).toEqual(new Set(['GET']))
    expect(all.every(([, { body }]) => body === undefined)).toBe(true)
  })

  it.each(all)('%s answers with the statuses that it has to', (name, operation) => {
    const expected = [200, 400, 401, 405, 408, 413, 421, 431, 500, ...(further[name] ?? [503])]
    expect(statusesOf(operation)).toEqual(expected.sort((left, right) => left - right))
  })

  it.each(all)('%s names exactly the parameters of its path', (_name, { path, pathParameters }) => {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    expect(Object.keys(pathParameters?.properties ?? {})).toEqual(named)
  })

  it.each(all)('%s refuses bad parameters when it has any', (_name, operation) => {
    expect(operation.problems.includes('invalid_parameter')).toBe(operation.queryParameters !== undefined)
  })

  it('use every code of the catalogue, except those for paths that are not an operation', () => {
    const used = new Set<string>([...commonProblems, ...all.flatMap(([, operation]) => operation.problems)])
    const unused = Object.keys(problems).filter((code) => !used.has(code))
    expect(unused).toEqual(['not_found', 'api_version_not_served'])
  })

  it('give the types of what travels', () => {
    type List = AnswerOf<typeof v1Operations.ListMonitors, 200>
    expectTypeOf<List['monitors'][number]>().toEqualTypeOf<MonitorRow | MainMonitorRow | NextMonitorRow>()
    expectTypeOf<QueryParametersOf<typeof v1Operations.ListMonitors>['page']>().toEqualTypeOf<
      number | undefined
    >()
    type Event = AnswerOf<typeof v1Operations.GetHistory, 200>['events'][number]
    expectTypeOf<'own_fault' | 'late_evidence' | 'control_recover_requested'>().toExtend<Event['type']>()
    expectTypeOf<Event['type']>().not.toEqualTypeOf<string>()
    expectTypeOf<AnswerOf<typeof v1Operations.GetMap, 304>>().toEqualTypeOf<undefined>()
  })
})
