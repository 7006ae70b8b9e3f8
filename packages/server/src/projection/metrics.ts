// projection/metrics.ts: everything that is measured, as families of metrics. Aggregates only: however large the fleet,
// there are about a hundred series. What is not known now is absent, never 0.
import { codes, type Overview, statuses } from '@pulseward/contract'
import type { ActionCounts } from '../acting/action-flow.ts'
import type { EngineFigures } from '../engine/engine-figures.ts'
import type { Available } from '../platform/available.ts'
import type { SloReport } from '../slo/slo-window.ts'
import type { CheckCounts } from '../telemetry/check-counts.ts'
import { checkOutcomes } from '../telemetry/check-counts.ts'
import type { Family } from '../telemetry/exposition.ts'
import type { LabelCounter } from '../telemetry/label-counter.ts'
import { type ExternalFigures, externalFamilies } from './external-metrics.ts'
import { counter, each, gauge, seconds } from './metric-families.ts'
import {
  destinationFamilies,
  processFamilies,
  readinessFamilies,
  type ServiceSource,
} from './service-metrics.ts'

export interface StoreFigures {
  readonly ready: boolean
  readonly position: number
  readonly commitP99Ms: number | null
  readonly bytes: number | null
  readonly unknownActions: number
}

/** Something that only an operator can mend, and of how many things it is true now. */
export interface ProblemCount {
  readonly kind: string
  readonly count: number
}

/** What the fleet uses. Counters of all of it exist with 0 before anything was counted. */
export interface ConfiguredDrivers {
  readonly checks: ReadonlySet<string>
  readonly notifications: ReadonlySet<string>
  readonly recoveries: ReadonlySet<string>
}

export interface MetricsSource extends ServiceSource {
  readonly configured: () => ConfiguredDrivers
  readonly overview: () => Available<Overview>
  readonly figures: EngineFigures
  readonly checks: CheckCounts
  readonly actions: ActionCounts
  /** Null for an edition that has none. */
  readonly slo: () => SloReport | null
  readonly store: () => Promise<StoreFigures | null>
  /** Empty for an edition that knows none. */
  readonly problems: () => readonly ProblemCount[]
  /** Null for an edition that has none, and where external jobs are off. */
  readonly external: () => ExternalFigures | null
}

export async function metricsOf(source: MetricsSource): Promise<Family[]> {
  const configured = source.configured()
  return [
    ...readinessFamilies(source),
    ...fleetFamilies(source.overview()),
    ...checkFamilies(source.checks, configured),
    ...actionFamilies(source.actions, configured),
    ...destinationFamilies(source.figures.destinations()),
    ...queueFamilies(source.figures),
    ...poolFamilies(source.figures),
    ...sloFamilies(source.slo()),
    ...storeFamilies(await source.store()),
    ...problemFamilies(source.problems()),
    ...externalFamilies(source.external()),
    ...(await processFamilies(source)),
  ]
}

function fleetFamilies(overview: Available<Overview>): Family[] {
  if (!overview.available) return []
  const { total, incidents, by_status, by_pulse_type, by_code } = overview.value
  return [
    gauge('monitors', 'Monitors in the fleet, disabled ones too.', [{ value: total }]),
    gauge('incidents_open', 'Open incidents.', [{ value: incidents }]),
    gauge('monitors_by_status', 'Monitors in each status.', each(statuses, 'status', by_status)),
    gauge(
      'monitors_by_pulse_type',
      'Monitors of each kind of check.',
      each(Object.keys(by_pulse_type), 'type', by_pulse_type),
    ),
    gauge('monitors_by_code', 'Monitors with a pending notification.', each(codes, 'color', by_code)),
  ]
}

function checkFamilies(checks: CheckCounts, configured: ConfiguredDrivers): Family[] {
  const types = checks.byType(configured.checks)
  const { delays } = checks
  return [
    counter(
      'checks',
      'Checks that ended.',
      types.flatMap(({ type, outcomes }) =>
        checkOutcomes.map((outcome) => ({ labels: { type, outcome }, value: outcomes[outcome] })),
      ),
    ),
    {
      name: 'pulseward_check_duration_seconds',
      help: 'How long checks took.',
      type: 'histogram',
      samples: types.map(({ type, durations }) => ({ labels: { type }, value: durations })),
    },
    {
      name: 'pulseward_schedule_delay_seconds',
      help: 'How long after its time a check was started.',
      type: 'histogram',
      samples: types.length === 0 ? [] : [{ value: delays }],
    },
  ]
}

/** How an action can end once it was started. */
const actionEnds = ['succeeded', 'failed', 'unknown']

function actionFamilies(
  { notifications, recoveries }: ActionCounts,
  configured: ConfiguredDrivers,
): Family[] {
  const samples = (counts: LabelCounter, drivers: ReadonlySet<string>) =>
    counts
      .read(drivers, actionEnds)
      .map(({ first, second, count }) => ({ labels: { driver: first, outcome: second }, value: count }))
  return [
    counter(
      'notifications',
      'Attempts to notify that ended.',
      samples(notifications, configured.notifications),
    ),
    counter('recoveries', 'Recovery actions that ended.', samples(recoveries, configured.recoveries)),
  ]
}

function queueFamilies(figures: EngineFigures): Family[] {
  const queues = Object.entries(figures.queues())
  const of = (pick: (queue: (typeof queues)[number][1]) => number | null) =>
    queues.map(([queue, observed]) => ({ labels: { queue }, value: pick(observed) }))
  return [
    gauge(
      'queue_depth',
      'Entries that wait.',
      of(({ depth }) => depth),
    ),
    gauge(
      'queue_capacity',
      'Entries that the queue can hold.',
      of(({ capacity }) => capacity),
    ),
    gauge(
      'queue_oldest_seconds',
      'How long the first job in the queue has waited.',
      of(({ oldestMs }) => seconds(oldestMs)),
    ),
    counter(
      'queue_enqueued',
      'Entries that came.',
      of(({ enqueued }) => enqueued),
    ),
    counter(
      'queue_dequeued',
      'Entries that were taken.',
      of(({ dequeued }) => dequeued),
    ),
    counter(
      'queue_dropped',
      'Entries that found no room.',
      of(({ dropped }) => dropped),
    ),
  ]
}

function poolFamilies(figures: EngineFigures): Family[] {
  const pools = Object.entries(figures.pools())
  const of = (pick: (pool: (typeof pools)[number][1]) => number | null) =>
    pools.map(([pool, observed]) => ({ labels: { pool }, value: pick(observed) }))
  return [
    gauge(
      'pool_workers',
      'Jobs that may run at once.',
      of(({ capacity }) => capacity),
    ),
    gauge(
      'pool_busy',
      'Jobs that run.',
      of(({ busy }) => busy),
    ),
    gauge(
      'pool_waiting',
      'Jobs that wait for a worker.',
      of(({ waiting }) => waiting),
    ),
    gauge(
      'pool_recommended',
      'Workers that the sizing model recommends.',
      of(({ recommended }) => recommended),
    ),
    gauge(
      'pool_service_time_seconds',
      'How long a job takes on average.',
      of(({ serviceTimeMs }) => seconds(serviceTimeMs)),
    ),
    counter(
      'pool_completed',
      'Jobs that ended.',
      of(({ completed }) => completed),
    ),
  ]
}

function sloFamilies(report: SloReport | null): Family[] {
  if (report === null) return []
  const of = (pick: (report: SloReport['reports'][number]) => number | null) =>
    report.reports.map((one) => ({ labels: { type: one.driver }, value: pick(one) }))
  return [
    gauge(
      'slo_queue_attainment_ratio',
      'The share of checks of the last five minutes that started in time.',
      of(({ queueAttainment }) => queueAttainment),
    ),
    gauge(
      'slo_result_attainment_ratio',
      'The share of checks of the last five minutes that had their result in time.',
      of(({ resultAttainment }) => resultAttainment),
    ),
    gauge(
      'slo_missed',
      'Checks of the last five minutes that were not started.',
      of(({ missed }) => missed),
    ),
    gauge('slo_coverage_complete', 'Whether the last five minutes have no gap.', [
      { value: report.coverageComplete ? 1 : 0 },
    ]),
  ]
}

function problemFamilies(problems: readonly ProblemCount[]): Family[] {
  if (problems.length === 0) return []
  return [
    gauge(
      'problems',
      'Things that only an operator can mend (edition next).',
      problems.map(({ kind, count }) => ({ labels: { kind }, value: count })),
    ),
  ]
}

function storeFamilies(store: StoreFigures | null): Family[] {
  if (store === null) return []
  return [
    gauge('store_ready', 'Whether decisions can be stored.', [{ value: store.ready ? 1 : 0 }]),
    gauge('store_committed_position', 'How far the log has come.', [{ value: store.position }]),
    gauge('store_commit_p99_seconds', 'How long recent commits took, 99th percentile.', [
      { value: seconds(store.commitP99Ms) },
    ]),
    gauge('store_bytes', 'What the store takes on disk.', [{ value: store.bytes }]),
    gauge('store_unknown_actions', 'Actions whose outcome is unknown.', [{ value: store.unknownActions }]),
  ]
}
