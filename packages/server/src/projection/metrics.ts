// projection/metrics.ts: all metrics, as families. There are about a hundred series however large the fleet,
// plus those of single monitors if a setting enables them. A value that is unknown now is absent, never 0.
import { codes, type Overview, staleReasons, statuses } from '@pulseward/contract'
import type { ActionCounts } from '../acting/action-flow.ts'
import type { EngineFigures } from '../engine/engine-figures.ts'
import type { RemoteProbes } from '../locations/remote-probes.ts'
import type { Available } from '../platform/available.ts'
import type { SloReport } from '../slo/slo-window.ts'
import type { Sharing } from '../store/standing.ts'
import type { CheckCounts } from '../telemetry/check-counts.ts'
import { checkOutcomes } from '../telemetry/check-counts.ts'
import type { Family } from '../telemetry/exposition.ts'
import type { LabelCount, LabelCounter } from '../telemetry/label-counter.ts'
import type { SignalCounts } from '../telemetry/signal-counts.ts'
import { type ExternalFigures, externalFamilies } from './external-metrics.ts'
import { locationFamilies } from './locations-view.ts'
import { each, family, histogram, seconds, single } from './metric-families.ts'
import type { PerMonitorSeries } from './per-monitor-series.ts'
import { pushFamilies } from './push-metrics.ts'
import {
  destinationFamilies,
  processFamilies,
  readinessFamilies,
  type ServiceSource,
} from './service-metrics.ts'
import { sharedFamilies } from './shared-metrics.ts'
import { trialFamilies } from './trial-metrics.ts'

export interface StoreFigures {
  readonly ready: boolean
  readonly position: number
  readonly commitP99Ms: number | null
  readonly bytes: number | null
  readonly revisions: number | null
  readonly unknownActions: number
}

/** A kind of problem that only an operator can fix, and how many things have it now. */
export interface ProblemCount {
  readonly kind: string
  readonly count: number
}

/** The drivers that the fleet uses. Their counters exist from the start, with 0. */
export interface ConfiguredDrivers {
  readonly checks: ReadonlySet<string>
  readonly notifications: ReadonlySet<string>
  readonly recoveries: ReadonlySet<string>
}

export interface MetricsSource extends ServiceSource {
  readonly configured: () => ConfiguredDrivers
  readonly overview: () => Available<Overview>
  /** How many monitors tell nobody; asked only if there is an overview. */
  readonly countSilent: () => number
  /** Null unless some monitors have their own series. */
  readonly perMonitor: PerMonitorSeries | null
  readonly figures: EngineFigures
  readonly checks: CheckCounts
  readonly actions: ActionCounts
  readonly signals: SignalCounts
  /** Null for an edition without an SLO. */
  readonly slo: () => SloReport | null
  readonly store: () => Promise<StoreFigures | null>
  /** Null if no other process can stand by. */
  readonly sharing: Sharing | null
  /** Empty for an edition that does not detect any. */
  readonly problems: () => readonly ProblemCount[]
  /** Null for an edition that tries nothing. */
  readonly trials: () => readonly LabelCount[] | null
  /** Null for an edition without external jobs, and if they are off. */
  readonly external: () => ExternalFigures | null
  /** Null for an edition that takes no probes. */
  readonly remote: RemoteProbes | null
}

export async function metricsOf(source: MetricsSource): Promise<Family[]> {
  const configured = source.configured()
  return [
    ...readinessFamilies(source),
    ...fleetFamilies(source.overview(), source.countSilent),
    ...(source.perMonitor?.families() ?? []),
    ...checkFamilies(source.checks, configured),
    ...actionFamilies(source.actions, configured),
    ...destinationFamilies(source.figures.destinations()),
    ...queueFamilies(source.figures),
    ...poolFamilies(source.figures),
    ...sloFamilies(source.slo()),
    ...storeFamilies(await source.store()),
    ...sharedFamilies(source.sharing),
    ...problemFamilies(source.problems()),
    ...trialFamilies(source.trials()),
    ...pushFamilies(source.signals),
    ...externalFamilies(source.external()),
    ...locationFamilies(source.remote),
    ...(await processFamilies(source)),
  ]
}

function fleetFamilies(overview: Available<Overview>, countSilent: () => number): Family[] {
  if (!overview.available) return []
  const { stale, total, incidents, by_status, by_pulse_type, by_code } = overview.value
  return [
    family(
      'pulseward_stale',
      staleReasons.map((reason) => ({ labels: { reason }, value: Number(reason === stale?.reason) })),
    ),
    single('pulseward_monitors', total),
    single('pulseward_incidents_open', incidents),
    single('pulseward_monitors_without_audience', countSilent()),
    family('pulseward_monitors_by_status', each(statuses, 'status', by_status)),
    family('pulseward_monitors_by_pulse_type', each(Object.keys(by_pulse_type), 'type', by_pulse_type)),
    family('pulseward_monitors_by_code', each(codes, 'color', by_code)),
  ]
}

function checkFamilies(checks: CheckCounts, configured: ConfiguredDrivers): Family[] {
  const types = checks.byType(configured.checks)
  const { delays } = checks
  return [
    family(
      'pulseward_checks_total',
      types.flatMap(({ type, outcomes }) =>
        checkOutcomes.map((outcome) => ({ labels: { type, outcome }, value: outcomes[outcome] })),
      ),
    ),
    histogram(
      'pulseward_check_duration_seconds',
      types.map(({ type, durations }) => ({ labels: { type }, value: durations })),
    ),
    histogram('pulseward_schedule_delay_seconds', types.length === 0 ? [] : [{ value: delays }]),
  ]
}

/** The possible outcomes of a started action. */
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
    family('pulseward_notifications_total', samples(notifications, configured.notifications)),
    family('pulseward_recoveries_total', samples(recoveries, configured.recoveries)),
  ]
}

function queueFamilies(figures: EngineFigures): Family[] {
  const queues = Object.entries(figures.queues())
  const of = (pick: (queue: (typeof queues)[number][1]) => number | null) =>
    queues.map(([queue, observed]) => ({ labels: { queue }, value: pick(observed) }))
  const oldest = of(({ oldestMs }) => seconds(oldestMs))
  return [
    family(
      'pulseward_queue_depth',
      of(({ depth }) => depth),
    ),
    family(
      'pulseward_queue_capacity',
      of(({ capacity }) => capacity),
    ),
    family('pulseward_queue_oldest_seconds', oldest),
    family(
      'pulseward_queue_enqueued_total',
      of(({ enqueued }) => enqueued),
    ),
    family(
      'pulseward_queue_dequeued_total',
      of(({ dequeued }) => dequeued),
    ),
    family(
      'pulseward_queue_dropped_total',
      of(({ dropped }) => dropped),
    ),
  ]
}

function poolFamilies(figures: EngineFigures): Family[] {
  const pools = Object.entries(figures.pools())
  const of = (pick: (pool: (typeof pools)[number][1]) => number | null) =>
    pools.map(([pool, observed]) => ({ labels: { pool }, value: pick(observed) }))
  const serviceTimes = of(({ serviceTimeMs }) => seconds(serviceTimeMs))
  return [
    family(
      'pulseward_pool_workers',
      of(({ capacity }) => capacity),
    ),
    family(
      'pulseward_pool_busy',
      of(({ busy }) => busy),
    ),
    family(
      'pulseward_pool_waiting',
      of(({ waiting }) => waiting),
    ),
    family(
      'pulseward_pool_recommended',
      of(({ recommended }) => recommended),
    ),
    family('pulseward_pool_service_time_seconds', serviceTimes),
    family(
      'pulseward_pool_completed_total',
      of(({ completed }) => completed),
    ),
  ]
}

function sloFamilies(report: SloReport | null): Family[] {
  if (report === null) return []
  const of = (pick: (report: SloReport['reports'][number]) => number | null) =>
    report.reports.map((one) => ({ labels: { type: one.driver }, value: pick(one) }))
  const queueAttainment = of((one) => one.queueAttainment)
  const resultAttainment = of((one) => one.resultAttainment)
  return [
    family('pulseward_slo_queue_attainment_ratio', queueAttainment),
    family('pulseward_slo_result_attainment_ratio', resultAttainment),
    family(
      'pulseward_slo_missed',
      of(({ missed }) => missed),
    ),
    single('pulseward_slo_coverage_complete', Number(report.coverageComplete)),
  ]
}

function problemFamilies(problems: readonly ProblemCount[]): Family[] {
  const samples = problems.map(({ kind, count }) => ({ labels: { kind }, value: count }))
  return [family('pulseward_problems', samples)]
}

function storeFamilies(store: StoreFigures | null): Family[] {
  if (store === null) return []
  return [
    single('pulseward_store_ready', Number(store.ready)),
    single('pulseward_store_committed_position', store.position),
    single('pulseward_store_commit_p99_seconds', seconds(store.commitP99Ms)),
    single('pulseward_store_bytes', store.bytes),
    single('pulseward_store_revisions', store.revisions),
    single('pulseward_store_unknown_actions', store.unknownActions),
  ]
}
