// v1/examples/fleet.ts: the fleet of the examples: its overview, its monitors, its incident.
import type { CandidateReadyz, MainReadyz } from '../health.ts'
import type { Incident, IncidentList, MainIncidentList, NextIncidentList } from '../incidents.ts'
import type { MainMonitorDetail, MonitorDetail, NextMonitorDetail } from '../monitor-detail.ts'
import type { MainMonitorList, MonitorList, NextMonitorList } from '../monitor-list.ts'
import type { MonitorRow } from '../monitor-row.ts'
import type { NextOverview, Overview } from '../overview.ts'
import { generated, incidentId, openedAt } from './story.ts'

const row: MonitorRow = {
  monitor_id: 'checkout-api',
  id: 2,
  name: 'Checkout API',
  pulse_type: 'http',
  status: 'incident',
  incident: true,
  pending_code: 'red',
  active_codes: ['red'],
  target: 'https://shop.example/health',
  interval_ms: 10_000,
  timeout_ms: 5_000,
  consecutive_failures: 4,
  last_check: '2026-03-01T09:30:01.317Z',
  last_success: '2026-03-01T09:29:01.290Z',
  next_check: '2026-03-01T09:30:11.000Z',
  latency_ms: 27.4,
  healthy_samples: 8_634,
  total_samples: 8_640,
  healthy_sample_percent: 99.930_555,
  warning: null,
  unknown_actions: 0,
  tags: ['payments'],
}

export const detail: MonitorDetail = {
  ...row,
  last_error: 'The answer has status 502; 200 is expected.',
  certificate_expires_at: '2026-05-14T23:59:59.000Z',
  certificate_observed_at: '2026-03-01T09:28:51.284Z',
  thresholds: { unhealthy: 3, healthy: 2 },
  recovery: { driver: 'webhook', configured: true },
  maintenance: { active: false, until: null },
  snoozed_until: null,
  verification: null,
  status_reason: 'Four checks in a row failed, and the recovery action was rejected.',
  suppressed_by: null,
  push: null,
  stale: null,
}

const incident: Incident = {
  ...row,
  incident_id: incidentId,
  opened_at: openedAt,
  acknowledged_by: null,
  dismissed: false,
  last_error: detail.last_error,
  suppresses: 0,
  verification: null,
  last_action: { kind: 'intervention', state: 'failed', outcome: 'rejected', at: openedAt },
}

function withoutIdentity<Row extends { monitor_id: string }>({ monitor_id: _, ...rest }: Row) {
  return rest
}

const page = { generated, stale: null, page: 1, size: 50, total: 1 }
export const monitorList: MonitorList = { ...page, filters: { status: 'incident' }, monitors: [row] }
export const incidentList: IncidentList = { ...page, incidents: [incident] }

export const readyz: CandidateReadyz = {
  status: 'ready',
  projection_fresh: true,
  admission_initialized: true,
  controller_progress_at: '2026-03-01T09:30:04.998Z',
  storage_available: true,
}

export const mainReadyz: MainReadyz = {
  status: 'not_ready',
  reasons: ['no_snapshot'],
  snapshot_at: null,
  snapshot_age_seconds: null,
}

export const overview: Overview = {
  generated,
  stale: null,
  total: 3,
  disabled: 1,
  by_status: { disabled: 1, verifying: 0, incident: 1, down: 0, unknown: 0, degraded: 0, up: 1 },
  by_pulse_type: { http: 2, tcp: 1 },
  by_code: { red: 1, yellow: 0, cyan: 0, green: 0, gray: 0 },
  incidents: 1,
  up_percent: 50,
  healthy_sample_percent: 99.965_278,
  index_capped: false,
}

export const mainMonitorList: MainMonitorList = { ...monitorList, monitors: [withoutIdentity(row)] }
export const mainMonitorDetail: MainMonitorDetail = withoutIdentity(detail)
export const mainIncidentList: MainIncidentList = { ...incidentList, incidents: [withoutIdentity(incident)] }

export const nextOverview: NextOverview = { ...overview, snoozed: 1, tells_nobody: 1 }

const own = (group: string | null) => ({ kind: 'own' as const, name: null, group })

export const nextMonitorDetail: NextMonitorDetail = {
  ...detail,
  audience: {
    red: [
      { destination: 'ops-chat', named_by: [own('ops'), { kind: 'route', name: 'everything', group: null }] },
      { destination: 'ops-mail', named_by: [own('ops')] },
    ],
    yellow: [],
    cyan: [],
    green: [{ destination: 'ops-chat', named_by: [own(null)] }],
    gray: [],
  },
  incident_id: incidentId,
  last_checks: [{ at: detail.last_check!, outcome: 'failure', latency_ms: 12.4, reason: detail.last_error }],
}

export const nextMonitorList: NextMonitorList = {
  ...monitorList,
  monitors: [{ ...row, snoozed_until: null }],
}
export const nextIncidentList: NextIncidentList = {
  ...incidentList,
  incidents: [
    {
      ...incident,
      snoozed_until: null,
      acknowledged_by: 'mara',
      acknowledged_at: '2026-03-01T09:29:50.000Z',
    },
  ],
}
