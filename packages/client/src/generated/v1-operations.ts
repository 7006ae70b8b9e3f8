// Made by `npm run generate` from packages/contract/src/v1. Do not edit.

import type { OperationTable } from '../core/operation-row.ts'
import type { Method, NoArguments } from '../core/method.ts'
import type {
  CandidateReadyz,
  Config,
  Healthz,
  History,
  IncidentList,
  MainIncidentList,
  MainMonitorDetail,
  MainMonitorList,
  MainReadyz,
  MonitorDetail,
  MonitorList,
  NextHistory,
  NextIncidentList,
  NextMonitorDetail,
  NextMonitorList,
  NextOverview,
  NextState,
  Overview,
  PoolSeries,
  Pools,
  QueueSeries,
  Queues,
  Slo,
  State,
  Systems,
} from './v1-types.ts'

export const v1Table = {
  getLive: { method: 'GET', path: '/api/v1/healthz' },
  getReady: { method: 'GET', path: '/api/v1/readyz', alsoAnswers: 503 },
  getOverview: { method: 'GET', path: '/api/v1/overview' },
  listMonitors: { method: 'GET', path: '/api/v1/monitors', query: ['page', 'size', 'sort', 'status', 'type', 'code', 'snoozed', 'q', 'tells_nobody', 'tag', 'label', 'told', 'group'] },
  getMonitor: { method: 'GET', path: '/api/v1/monitors/{id}' },
  listIncidents: { method: 'GET', path: '/api/v1/incidents', query: ['page', 'size'] },
  getSystems: { method: 'GET', path: '/api/v1/systems' },
  getQueues: { method: 'GET', path: '/api/v1/queues' },
  getQueueHistory: { method: 'GET', path: '/api/v1/queues/history' },
  getPools: { method: 'GET', path: '/api/v1/pools' },
  getPoolHistory: { method: 'GET', path: '/api/v1/pools/history' },
  getConfig: { method: 'GET', path: '/api/v1/config' },
  getMetrics: { method: 'GET', path: '/metrics', text: true },
  getState: { method: 'GET', path: '/api/v1/state', query: ['monitor_id'] },
  getHistory: { method: 'GET', path: '/api/v1/history', query: ['monitor_id', 'incident_id', 'limit', 'cursor', 'order'] },
  getSLO: { method: 'GET', path: '/api/v1/slo' },
} as const satisfies OperationTable

export interface V1Methods {
  /** Whether the process is alive. GET /api/v1/healthz */
  readonly getLive: Method<NoArguments, Healthz>
  /** Whether the service can do its work. GET /api/v1/readyz */
  readonly getReady: Method<NoArguments, MainReadyz | CandidateReadyz>
  /** The fleet in numbers. GET /api/v1/overview */
  readonly getOverview: Method<NoArguments, Overview | NextOverview>
  /** Monitors, filtered, in pages. GET /api/v1/monitors */
  readonly listMonitors: Method<{ readonly page?: number; readonly size?: number; readonly sort?: 'name' | 'status' | 'pulse_type' | 'pending_code' | 'latency_ms' | 'healthy_sample_percent' | 'last_check' | '-name' | '-status' | '-pulse_type' | '-pending_code' | '-latency_ms' | '-healthy_sample_percent' | '-last_check'; readonly status?: string; readonly type?: string; readonly code?: string; readonly snoozed?: 'true' | 'false'; readonly q?: string; readonly tells_nobody?: 'true'; readonly tag?: string; readonly label?: string; readonly told?: string; readonly group?: string }, MainMonitorList | MonitorList | NextMonitorList>
  /** One monitor by its number. GET /api/v1/monitors/{id} */
  readonly getMonitor: Method<{ readonly id: number }, MainMonitorDetail | MonitorDetail | NextMonitorDetail>
  /** Open incidents, in pages. GET /api/v1/incidents */
  readonly listIncidents: Method<{ readonly page?: number; readonly size?: number }, MainIncidentList | IncidentList | NextIncidentList>
  /** The stages of the controller. GET /api/v1/systems */
  readonly getSystems: Method<NoArguments, Systems>
  /** The queues now. GET /api/v1/queues */
  readonly getQueues: Method<NoArguments, Queues>
  /** The recent past of the queues. GET /api/v1/queues/history */
  readonly getQueueHistory: Method<NoArguments, QueueSeries>
  /** The worker pools now. GET /api/v1/pools */
  readonly getPools: Method<NoArguments, Pools>
  /** The recent past of the worker pools. GET /api/v1/pools/history */
  readonly getPoolHistory: Method<NoArguments, PoolSeries>
  /** Public settings. GET /api/v1/config */
  readonly getConfig: Method<NoArguments, Config>
  /** Metrics in the Prometheus text format. GET /metrics */
  readonly getMetrics: Method<NoArguments, string>
  /** Store and process, and the actions of one monitor. GET /api/v1/state */
  readonly getState: Method<{ readonly monitor_id?: string }, State | NextState>
  /** Retained events. GET /api/v1/history */
  readonly getHistory: Method<{ readonly monitor_id?: string; readonly incident_id?: string; readonly limit?: number; readonly cursor?: string; readonly order?: 'asc' | 'desc' }, History | NextHistory>
  /** How well checks kept to their times. GET /api/v1/slo */
  readonly getSLO: Method<NoArguments, Slo>
}
