// v1/examples/records.ts: the recorded part of the examples: settings, state, events, and service levels.
import type { Config } from '../config.ts'
import type { History, NextHistory } from '../history.ts'
import { v1Limits } from '../limits.ts'
import type { Slo } from '../slo.ts'
import type { NextState, State } from '../state.ts'
import type { RecentTrends, Trend } from '../trend.ts'
import { detail } from './fleet.ts'
import { actionId, generated, incidentId, openedAt } from './story.ts'

export const config: Config = {
  edition: 'candidate',
  version: '0.1.0',
  listen: '127.0.0.1:8060',
  authentication: false,
  store: { mode: 'sqlite' },
  queue_capacity: { pulse: 65_536, intervention: 65_536, code: 65_536 },
  batch_size: 1_000,
  snapshot_interval_ms: 5_000,
  alert_cooldown_ms: 300_000,
  recovery_bypass: true,
  history_retention_days: 30,
  slo: { window_seconds: 300, queue_target_ms: 250, result_target_ms: 5_000 },
  index_cap: null,
  started_at: '2026-02-28T09:30:00.120Z',
}

export const state: State = {
  storage: {
    mode: 'sqlite',
    ready: true,
    committed_position: 48_120,
    commit_latency_ms: 3.1,
    commit_latency_p99_ms: 8.7,
    last_backup: { at: '2026-03-01T03:00:00.000Z', verified: true },
    error: null,
  },
  storage_usage: { bytes: 4_194_304, history_bytes: 1_048_576, available_bytes: 52_613_349_376 },
  process: {
    rss_bytes: 92_274_688,
    heap_bytes: 31_457_280,
    cpu_seconds: 81.4,
    uptime_seconds: 86_405,
    threads: 3,
  },
  unknown_actions: 0,
  monitor_id: 'checkout-api',
  monitor_number: 2,
  revision: 3,
  actions: [
    {
      id: actionId,
      revision: 1,
      kind: 'code',
      color: 'red',
      endpoint: 'ops-slack',
      attempt: 1,
      state: 'queued',
      not_before: openedAt,
      started_at: null,
      finished_at: null,
      outcome: null,
      reason: null,
      waiting_for: 'cooldown',
    },
  ],
  held_back: null,
}

const because = {
  kind: 'threshold',
  failures: 3,
  threshold: 3,
  failure: detail.last_error!,
  failure_class: 'failure',
  failing_ms: 60_040,
} as const

export const nextState: NextState = {
  ...state,
  actions: (state.actions ?? []).map((action) => ({
    ...action,
    because,
    delay: { kind: 'cooldown', cooldown_ms: 300_000, since_ms: 112_400, until: openedAt },
    ended_because: null,
  })),
  external_workers: {
    workers: [
      {
        worker: 'warehouse-1',
        principal: 'warehouse',
        capacity: 8,
        active: 2,
        last_seen_at: '2026-03-01T09:30:02.481Z',
      },
    ],
    more: 0,
    waiting_polls: 1,
    waiting_jobs: 0,
    running_jobs: 2,
  },
}

const noAction = {
  action_id: null,
  kind: null,
  color: null,
  endpoint: null,
  outcome: null,
  reason: null,
  actor: null,
}
const opened = {
  id: '48119',
  monitor_id: 'checkout-api',
  at: openedAt,
  type: 'incident_opened' as const,
  revision: 3,
  incident_id: incidentId,
  ...noAction,
  reason: detail.last_error,
}

export const history: History = {
  events: [opened],
  next_cursor: 'eyJ1cHBlciI6NDgxMjB9',
  retention_days: 30,
}

export const nextHistory: NextHistory = {
  ...history,
  events: [
    { ...opened, note: null, because },
    {
      ...opened,
      id: '48131',
      type: 'control_acknowledged',
      reason: null,
      note: 'looking into it',
      actor: 'mara',
      because: { kind: 'control', verb: 'acknowledge', actor: 'mara' },
    },
  ],
}

export const slo: Slo = {
  generated,
  window_seconds: 300,
  queue_target_ms: 250,
  result_target_ms: 5_000,
  coverage_complete: true,
  gap_start: null,
  gap_end: null,
  recovery_coverage: {
    eligible: 1,
    none_configured: 0,
    admitted: 1,
    succeeded: 0,
    failed: 1,
    unknown: 0,
    held: 0,
  },
  reports: [
    {
      driver: 'http',
      samples: 60,
      expected: 60,
      missed: 0,
      pending: 0,
      overdue: 0,
      timeouts: 0,
      left_out: 0,
      queue_met: 60,
      result_met: 60,
      scheduling_queue: { p50_ms: 1, p95_ms: 1, p99_ms: 2 },
      execution: { p50_ms: 28, p95_ms: 40, p99_ms: 44 },
      scheduled_result: { p50_ms: 29, p95_ms: 41, p99_ms: 46 },
      queue_attainment: 1,
      result_attainment: 1,
      condition: 'insufficient_observations',
    },
  ],
}

export const trend: Trend = {
  generated,
  window: '7d',
  cell_seconds: 3_600,
  cells: [
    { at: '2026-03-01T08:00:00.000Z', samples: 120, healthy: 120, p50_ms: 38.1, p95_ms: 76.1 },
    { at: '2026-03-01T09:00:00.000Z', samples: 61, healthy: 58, p50_ms: 38.1, p95_ms: 108 },
  ],
  availability: 0.983_425_414_364_641,
  incidents: [{ opened_at: openedAt, closed_at: null }],
  maintenance: [{ begins_at: '2026-02-28T03:00:00.000Z', ends_at: '2026-02-28T04:00:00.000Z' }],
  complete: false,
}

/** Checkout is checked twelve times in a cell of five minutes, and has failed in the last two. */
const ofCells = <Value>(before: Value, ...last: Value[]): Value[] => [
  ...Array<Value>(v1Limits.recentCells - last.length).fill(before),
  ...last,
]

export const recentTrends: RecentTrends = {
  generated,
  begins_at: '2026-03-01T06:05:00.000Z',
  cell_seconds: 300,
  monitors: [
    { id: 2, samples: ofCells(12, 12, 5), healthy: ofCells(12, 7, 0), p50_ms: ofCells(38.1, 64, null) },
  ],
}
