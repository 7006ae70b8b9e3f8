// v1/examples.ts: an example of each body, for the OpenAPI document and the docs. They tell one story: a small shop
// whose checkout is down. A test holds every one of them against its schema.
import { poolSeries, pools, queueSeries, queues, systems } from './examples/controller.ts'
import {
  detail,
  incidentList,
  mainIncidentList,
  mainMonitorDetail,
  mainMonitorList,
  mainReadyz,
  monitorList,
  nextIncidentList,
  nextMonitorDetail,
  nextMonitorList,
  nextOverview,
  overview,
  readyz,
} from './examples/fleet.ts'
import {
  config,
  history,
  nextHistory,
  nextState,
  recentTrends,
  slo,
  state,
  trend,
} from './examples/records.ts'
import { generated, incidentId, openedAt } from './examples/story.ts'
import type { Problem } from './problem.ts'
import type { v1Schemas } from './schemas.ts'

const problem: Problem = {
  type: 'urn:pulseward:problem:unavailable',
  title: 'The data is not available',
  status: 503,
  detail: 'The overview is not available: no snapshot of the fleet has been taken yet.',
  code: 'unavailable',
  request_id: '6f1f9f0e-8f0a-4f59-9a43-0c2f5b1f2a77',
}

export const v1Examples = {
  Problem: problem,
  Healthz: { status: 'ok' },
  CandidateReadyz: readyz,
  MainReadyz: mainReadyz,
  Overview: overview,
  MonitorList: monitorList,
  MonitorDetail: detail,
  IncidentList: incidentList,
  MainMonitorList: mainMonitorList,
  MainMonitorDetail: mainMonitorDetail,
  MainIncidentList: mainIncidentList,
  NextOverview: nextOverview,
  NextMonitorDetail: nextMonitorDetail,
  NextMonitorList: nextMonitorList,
  NextIncidentList: nextIncidentList,
  Systems: systems,
  Queues: queues,
  QueueSeries: queueSeries,
  Pools: pools,
  PoolSeries: poolSeries,
  Config: config,
  State: state,
  NextState: nextState,
  History: history,
  NextHistory: nextHistory,
  Slo: slo,
  Trend: trend,
  RecentTrends: recentTrends,
  IncidentNotice: {
    id: 2,
    monitor_id: 'checkout-api',
    incident_id: incidentId,
    state: 'open',
    at: openedAt,
  },
  PositionNotice: { committed_position: 48_120 },
  FleetNotice: { changed: 2, deleted: 1 },
  SnapshotNotice: { generated, stale: null },
  ResetNotice: { reason: 'slow_client' },
  BeatNotice: { every_ms: 2_000 },
} as const satisfies { readonly [Name in keyof typeof v1Schemas]?: unknown }
