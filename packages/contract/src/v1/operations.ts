// v1/operations.ts: every route of v1: the sixteen of the contract and five of ours (the OpenAPI document, the event
// stream, the map, and trends of one monitor and of the fleet). All are GET; HEAD answers the same without a body.
import { type TSchema, Type } from 'typebox'
import type { Answer, Edition, Operation } from '../operation.ts'
import { Config } from './config.ts'
import { CandidateReadyz, Healthz, MainReadyz } from './health.ts'
import { History, NextHistory } from './history.ts'
import { IncidentList, MainIncidentList, NextIncidentList } from './incidents.ts'
import { MainMonitorDetail, MonitorDetail, NextMonitorDetail } from './monitor-detail.ts'
import { MainMonitorList, MonitorList, NextMonitorList } from './monitor-list.ts'
import { NextOverview, Overview } from './overview.ts'
import {
  EventStreamHeaders,
  FilterQuery,
  HistoryQuery,
  MapAnswerHeaders,
  MapHeaders,
  MonitorListQuery,
  MonitorPath,
  PageQuery,
  RecentTrendsQuery,
  StateQuery,
  TrendQuery,
} from './parameters.ts'
import { Pools } from './pools.ts'
import type { ProblemCode } from './problem.ts'
import { Queues } from './queues.ts'
import { PoolSeries, QueueSeries } from './series.ts'
import { Slo } from './slo.ts'
import { NextState, State } from './state.ts'
import { Systems } from './systems.ts'
import { RecentTrends, Trend } from './trend.ts'

interface V1Operation extends Operation {
  readonly method: 'GET'
  readonly problems: readonly ProblemCode[]
}

const everywhere = ['main', 'candidate', 'next'] as const satisfies readonly Edition[]
const keepingState = ['candidate', 'next'] as const satisfies readonly Edition[]

const get = <const Path extends string, const Editions extends readonly Edition[]>(
  path: Path,
  tag: string,
  editions: Editions,
) => ({ method: 'GET' as const, path, tag, editions })

const json = <Schema extends TSchema>(description: string, schema: Schema) => ({
  description,
  mediaType: 'application/json',
  schema,
})

/** The same, for an edition that answers with another body. */
const jsonBut = <Schema extends TSchema, const Variants extends NonNullable<Answer['schemaIn']>>(
  description: string,
  schema: Schema,
  schemaIn: Variants,
) => ({ ...json(description, schema), schemaIn })

/** Only as much of it as tells what it is. */
const OpenApiDocument = Type.Object(
  { openapi: Type.String({ pattern: '^3\\.1\\.' }) },
  { additionalProperties: true },
)

const readyz = { main: MainReadyz } as const

export const v1Operations = {
  GetLive: {
    summary: 'Whether the process is alive',
    ...get('/api/v1/healthz', 'health', everywhere),
    answers: { 200: json('It is.', Healthz) },
    problems: [],
  },
  GetReady: {
    summary: 'Whether the service can do its work',
    ...get('/api/v1/readyz', 'health', everywhere),
    answers: {
      200: jsonBut('It can.', CandidateReadyz, readyz),
      503: jsonBut('It cannot, and why. Not a problem document.', CandidateReadyz, readyz),
    },
    problems: [],
  },
  GetOverview: {
    summary: 'The fleet in numbers',
    ...get('/api/v1/overview', 'fleet', everywhere),
    answers: { 200: jsonBut('The numbers.', Overview, { next: NextOverview }) },
    problems: ['standby', 'unavailable', 'overloaded'],
  },
  ListMonitors: {
    summary: 'Monitors, filtered, in pages',
    ...get('/api/v1/monitors', 'fleet', everywhere),
    queryParameters: MonitorListQuery,
    answers: { 200: jsonBut('A page.', MonitorList, { main: MainMonitorList, next: NextMonitorList }) },
    problems: ['standby', 'invalid_parameter', 'unavailable', 'overloaded'],
  },
  GetMonitor: {
    summary: 'One monitor by its number',
    ...get('/api/v1/monitors/{id}', 'fleet', everywhere),
    pathParameters: MonitorPath,
    answers: {
      200: jsonBut('The monitor.', MonitorDetail, { main: MainMonitorDetail, next: NextMonitorDetail }),
    },
    problems: ['standby', 'invalid_monitor_id', 'monitor_not_found', 'unavailable', 'overloaded'],
  },
  ListIncidents: {
    summary: 'Open incidents, in pages',
    ...get('/api/v1/incidents', 'fleet', everywhere),
    queryParameters: PageQuery,
    answers: { 200: jsonBut('A page.', IncidentList, { main: MainIncidentList, next: NextIncidentList }) },
    problems: ['standby', 'invalid_parameter', 'unavailable', 'overloaded'],
  },
  GetSystems: {
    summary: 'The stages of the controller',
    ...get('/api/v1/systems', 'controller', everywhere),
    answers: { 200: json('The stages.', Systems) },
    problems: ['standby', 'overloaded'],
  },
  GetQueues: {
    summary: 'The queues now',
    ...get('/api/v1/queues', 'controller', everywhere),
    answers: { 200: json('The queues.', Queues) },
    problems: ['standby', 'overloaded'],
  },
  GetQueueHistory: {
    summary: 'The recent past of the queues',
    ...get('/api/v1/queues/history', 'controller', everywhere),
    answers: { 200: json('The series.', QueueSeries) },
    problems: ['standby', 'overloaded'],
  },
  GetPools: {
    summary: 'The worker pools now',
    ...get('/api/v1/pools', 'controller', everywhere),
    answers: { 200: json('The pools.', Pools) },
    problems: ['standby', 'overloaded'],
  },
  GetPoolHistory: {
    summary: 'The recent past of the worker pools',
    ...get('/api/v1/pools/history', 'controller', everywhere),
    answers: { 200: json('The series.', PoolSeries) },
    problems: ['standby', 'overloaded'],
  },
  GetConfig: {
    summary: 'Public settings',
    ...get('/api/v1/config', 'service', everywhere),
    answers: { 200: json('The settings.', Config) },
    problems: ['standby', 'overloaded'],
  },
  GetMetrics: {
    summary: 'Metrics in the Prometheus text format',
    ...get('/metrics', 'service', everywhere),
    answers: {
      200: {
        description: 'The metrics. Families about monitors are absent while nothing is known about them.',
        mediaType: 'text/plain; version=0.0.4',
        otherMediaTypes: ['application/openmetrics-text; version=1.0.0'],
        schema: Type.String(),
      },
    },
    problems: ['standby', 'overloaded'],
  },
  GetState: {
    summary: 'Store and process, and the actions of one monitor',
    ...get('/api/v1/state', 'records', keepingState),
    queryParameters: StateQuery,
    answers: { 200: jsonBut('The state.', State, { next: NextState }) },
    problems: ['standby', 'invalid_parameter', 'monitor_not_found', 'unavailable', 'overloaded'],
  },
  GetHistory: {
    summary: 'Retained events',
    ...get('/api/v1/history', 'records', keepingState),
    queryParameters: HistoryQuery,
    answers: { 200: jsonBut('A page.', History, { next: NextHistory }) },
    problems: [
      'standby',
      'invalid_parameter',
      'invalid_cursor',
      'monitor_not_found',
      'incident_not_found',
      'cursor_expired',
      'history_unavailable',
      'overloaded',
    ],
  },
  GetSLO: {
    summary: 'How well checks kept to their times',
    ...get('/api/v1/slo', 'records', keepingState),
    answers: { 200: json('The last five minutes.', Slo) },
    problems: ['standby', 'overloaded'],
  },
  GetOpenAPI: {
    summary: 'The OpenAPI document of this edition',
    ...get('/api/openapi.json', 'additions', everywhere),
    answers: { 200: json('OpenAPI 3.1.', OpenApiDocument) },
    problems: ['standby', 'overloaded'],
  },
  StreamEvents: {
    summary: 'Server-sent events that say when to read again',
    ...get('/api/v1/events', 'additions', everywhere),
    queryParameters: FilterQuery,
    headers: EventStreamHeaders,
    answers: {
      200: {
        description: 'The stream. It ends when either side ends it.',
        mediaType: 'text/event-stream',
        schema: Type.String(),
      },
    },
    problems: ['standby', 'invalid_parameter', 'unavailable', 'overloaded'],
  },
  GetMap: {
    summary: 'The whole fleet packed for drawing',
    ...get('/api/v1/map', 'additions', everywhere),
    queryParameters: FilterQuery,
    headers: MapHeaders,
    answers: {
      200: {
        description: 'The map: a table of tags, then the statuses and the ids of all monitors.',
        mediaType: 'application/octet-stream',
        schema: Type.String({ contentMediaType: 'application/octet-stream' }),
        headers: MapAnswerHeaders,
      },
      304: { description: 'The client has this map.', headers: MapAnswerHeaders },
    },
    problems: ['standby', 'invalid_parameter', 'unavailable', 'overloaded'],
  },
  GetMonitorTrend: {
    summary: 'Availability and latency of one monitor over time',
    ...get('/api/v1/monitors/{id}/trend', 'additions', keepingState),
    pathParameters: MonitorPath,
    queryParameters: TrendQuery,
    answers: { 200: json('The trend.', Trend) },
    problems: [
      'standby',
      'invalid_parameter',
      'invalid_monitor_id',
      'monitor_not_found',
      'unavailable',
      'overloaded',
    ],
  },
  GetTrend: {
    summary: 'Availability and latency of the fleet over time',
    ...get('/api/v1/trend', 'additions', keepingState),
    queryParameters: TrendQuery,
    answers: { 200: json('The trend.', Trend) },
    problems: ['standby', 'invalid_parameter', 'unavailable', 'overloaded'],
  },
  GetRecentTrends: {
    summary: 'The last hours of several monitors, for strips and sparklines',
    ...get('/api/v1/trends/recent', 'additions', keepingState),
    queryParameters: RecentTrendsQuery,
    answers: { 200: json('What was counted in each cell.', RecentTrends) },
    problems: ['standby', 'invalid_parameter', 'unavailable', 'overloaded'],
  },
} as const satisfies Record<string, V1Operation>

export type V1OperationName = keyof typeof v1Operations
