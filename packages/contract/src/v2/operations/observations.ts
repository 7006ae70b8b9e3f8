// v2/operations/observations.ts: what the service reports about itself and about past events.
import { type TSchema, Type } from 'typebox'
import { limits } from '../limits.ts'
import { EventList } from '../wire/event.ts'
import { Capabilities, Explanation, Health, Metrics, RuntimeConfig, Version } from '../wire/service.ts'
import { SLOView } from '../wire/slo.ts'
import { State } from '../wire/state.ts'
import { PoolList, QueueList, SystemList } from '../wire/telemetry.ts'
import { answer, type CommonFilter, filteredBy, listProblems, operation, servedBy } from './parts.ts'

const tag = 'Service'

const schemaParameter = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: limits.idCharacters,
    description:
      'A kind such as Monitor, or a driver with its kind such as check.http; the kind may be left out where only one has such a driver.',
  }),
})

export const observationOperations = {
  GetState: view('/api/v2/state', State, 'Reads the state of the service and its storage'),
  GetHistory: rows('/api/v2/history', EventList, 'Lists events in committed order', 'monitorID'),
  GetSLO: view('/api/v2/slo', SLOView, 'Reads how punctual checks were'),
  GetQueues: rows('/api/v2/queues', QueueList, 'Lists the queues of the controller'),
  GetPools: rows('/api/v2/pools', PoolList, 'Lists the pools of the controller'),
  GetSystems: rows('/api/v2/systems', SystemList, 'Lists the stages of the controller'),
  GetConfig: view('/api/v2/config', RuntimeConfig, 'Reads the public settings'),
  GetReady: view('/api/v2/readyz', Health, 'Reads the readiness; 200 also when it is not ready'),
  GetLive: view('/api/v2/healthz', Health, 'Reads the liveness of the process'),
  GetMetrics: view('/api/v2/metrics', Metrics, 'Reads all observations at once'),
  GetCapabilities: view('/api/v2/discovery', Capabilities, 'Reads what this service can do'),
  GetVersion: view('/api/v2/version', Version, 'Reads which service this is'),
  ExplainResource: operation({
    summary: 'Explains a kind of resource or a driver',
    method: 'GET',
    path: '/api/v2/schemas/{id}',
    tag,
    ...servedBy,
    pathParameters: schemaParameter,
    answers: { 200: answer('The explanation', Explanation, 'read') },
    problems: ['notFound'],
  }),
} as const

function view<Schema extends TSchema>(path: string, schema: Schema, summary: string) {
  return operation({
    summary,
    method: 'GET',
    path,
    tag,
    ...servedBy,
    answers: { 200: answer('As it is now', schema, 'read') },
    problems: [],
  })
}

function rows<List extends TSchema>(path: string, list: List, summary: string, ...filters: CommonFilter[]) {
  return operation({
    summary,
    method: 'GET',
    path,
    tag,
    ...servedBy,
    ...filteredBy(...filters),
    answers: { 200: answer('A page of the list', list, 'read') },
    problems: listProblems,
  })
}
