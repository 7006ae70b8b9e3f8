// projection/monitor-views.ts: monitors as v1 shows them. What changes with every check is read from columns,
// live or from a snapshot; what only failing monitors have is read from the controller when a view is made.
// Views are made one page at a time, so nothing is cached.

import {
  codes,
  type Incident,
  type MainIncident,
  type MainMonitorDetail,
  type MainMonitorRow,
  type MonitorDetail,
  type MonitorRow,
  statuses,
} from '@pulseward/contract'
import { checks } from '../checks/registry.ts'
import { jobOf } from '../config/external-driver.ts'
import { type FleetDefinition, sharedValue } from '../config/fleet-file/definition.ts'
import { isReported } from '../config/push-check.ts'
import type { Action } from '../deciding/actions/action.ts'
import { snoozedUntilMs } from '../deciding/health/health.ts'
import { statusReason } from '../deciding/health/status.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { ReportView } from '../engine/source.ts'
import type { FleetColumns } from '../fleet/columns.ts'
import type { Clock } from '../platform/clock.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { timestamp } from '../platform/wire.ts'
import { percent } from './overview.ts'
import { placesViewV1 } from './places-view.ts'
import { pushIntervalMs, pushView } from './push-view.ts'
import { shownTarget } from './shown-target.ts'
import { type Staleness, staleView } from './staleness.ts'

export type RowColumns = Pick<
  FleetColumns,
  | 'status'
  | 'type'
  | 'code'
  | 'lastCheck'
  | 'lastSuccess'
  | 'latencyMs'
  | 'consecutiveFailures'
  | 'numericId'
  | 'openedAt'
  | 'shownHealthySamples'
  | 'shownTotalSamples'
>

/** The source of views: the live fleet, or a snapshot. */
export interface RowSource {
  readonly definition: FleetDefinition
  readonly columns: RowColumns
  readonly staleness: Staleness | null
}

export interface MonitorViewsOptions {
  readonly engine: EngineReading
  readonly clock: Clock
  readonly types: readonly string[]
}

export class MonitorViews {
  readonly #options: MonitorViewsOptions
  #readers: { readonly definition: FleetDefinition } & Readers = noReaders

  constructor(options: MonitorViewsOptions) {
    this.#options = options
  }

  monitor(row: number, source: RowSource): MonitorRow {
    return { monitor_id: this.#read(source).ids.get(row), ...this.mainMonitor(row, source) }
  }

  detail(row: number, source: RowSource): MonitorDetail {
    return { monitor_id: this.#read(source).ids.get(row), ...this.mainDetail(row, source) }
  }

  incident(row: number, source: RowSource, suppressed: ReadonlyMap<string, number>): Incident {
    return { monitor_id: this.#read(source).ids.get(row), ...this.mainIncident(row, source, suppressed) }
  }

  mainMonitor(row: number, source: RowSource): MainMonitorRow {
    const { engine, types } = this.#options
    const { definition, columns } = source
    const { ids, names, configs } = this.#read(source)
    const monitorId = ids.get(row)
    const policy = sharedValue(definition.policies, row)
    const healthy = columns.shownHealthySamples[row]!
    const total = columns.shownTotalSamples[row]!
    const { actions } = engine
    const report = isReported(policy.type) ? engine.reportOf(row) : null
    return {
      id: columns.numericId[row]!,
      name: names.get(row),
      pulse_type: types[columns.type[row]!]!,
      status: statuses[columns.status[row]!]!,
      incident: columns.openedAt[row]! > 0,
      pending_code: codeWords[columns.code[row]!]!,
      active_codes: [...actions.activeColorsOf(monitorId)],
      target: targetOf(policy.type, configs.get(row)),
      interval_ms: report === null ? policy.intervalMs : pushIntervalMs(report),
      timeout_ms: report === null ? policy.timeoutMs : 0,
      consecutive_failures: columns.consecutiveFailures[row]!,
      last_check: timeOf(columns.lastCheck[row]!),
      last_success: timeOf(columns.lastSuccess[row]!),
      next_check: source.staleness === null ? this.#nextCheck(row, report) : null,
      latency_ms: measureOf(columns.latencyMs[row]!),
      healthy_samples: healthy,
      total_samples: total,
      healthy_sample_percent: percent(healthy, total),
      warning: engine.healthOf(row).warning?.text ?? null,
      unknown_actions: actions.unknownActionsOf(monitorId).all,
      tags: [...sharedValue(definition.tags, row)],
    }
  }

  mainDetail(row: number, source: RowSource): MainMonitorDetail {
    const { engine } = this.#options
    const { recoveries } = source.definition
    const note = engine.noteOf(row)
    const health = engine.healthOf(row)
    const recovery = sharedValue(recoveries, row)
    const rules = engine.rulesOf(row)
    const window = engine.windowOf(row)
    return {
      ...this.mainMonitor(row, source),
      push: pushView(engine.reportOf(row)),
      ...placesViewV1(engine.placesOf(row)),
      last_error: note?.lastError ?? null,
      certificate_expires_at: timestamp(note?.certificateExpiresAt ?? null),
      certificate_observed_at: timestamp(note?.certificateObservedAt ?? null),
      thresholds: {
        unhealthy: rules.unhealthyThreshold,
        healthy: rules.healthyThreshold,
      },
      recovery: { driver: recovery?.type ?? null, configured: recovery !== null },
      maintenance: {
        active: health.maintenance !== null,
        until: health.maintenance !== null && window.active ? timestamp(window.untilMs) : null,
      },
      snoozed_until: timestamp(snoozedUntilMs(health)),
      verification: verificationOf(health),
      status_reason: statusReason(health, rules),
      suppressed_by: health.episode?.suppressedBy ?? null,
      stale: staleView(source.staleness),
    }
  }

  /** suppressed: how many monitors each monitor suppresses (EngineReading.suppressedBy). */
  mainIncident(row: number, source: RowSource, suppressed: ReadonlyMap<string, number>): MainIncident {
    const { engine } = this.#options
    const monitorId = this.#read(source).ids.get(row)
    const health = engine.healthOf(row)
    const handling = health.episode?.incident?.handling ?? null
    const last = engine.actions.lastActionOf(monitorId)
    return {
      ...this.mainMonitor(row, source),
      incident_id: health.episode?.incident?.id ?? '',
      opened_at: timestamp(source.columns.openedAt[row]!),
      acknowledged_by: handling?.acknowledged?.by ?? null,
      dismissed: handling?.isDismissed ?? false,
      last_error: engine.noteOf(row)?.lastError ?? null,
      suppresses: suppressed.get(monitorId) ?? 0,
      verification: verificationOf(health),
      last_action: last === null ? null : lastActionView(last),
    }
  }

  #nextCheck(row: number, report: ReportView | null): string | null {
    if (report !== null) return timestamp(report.state.dueAt)
    const { engine, clock } = this.#options
    const dueMs = engine.nextCheckMs(row)
    return dueMs === null ? null : timestamp(clock.wallMs() + dueMs - clock.monotonicMs())
  }

  /** Readers of the packed strings, created once per arrangement. */
  #read({ definition }: RowSource): Readers {
    if (this.#readers.definition !== definition) {
      this.#readers = {
        definition,
        ids: new PackedReader(definition.ids),
        names: new PackedReader(definition.names),
        configs: new PackedReader(definition.configs),
      }
    }
    return this.#readers
  }
}

interface Readers {
  readonly ids: PackedReader
  readonly names: PackedReader
  readonly configs: PackedReader
}

const noReaders = {} as { readonly definition: FleetDefinition } & Readers

/** In the order of the column's numbers. */
const codeWords = ['', ...codes] as const

function targetOf(type: string, config: string): string {
  const written = JSON.parse(config)
  const job = jobOf({ type, config: written })
  // Only the worker knows what it checks.
  if (job !== null) return job.jobType
  if (isReported(type)) return type
  const driver = checks[type as keyof typeof checks]
  return config.includes('"credential"') ? shownTarget(driver, written) : driver.target(written)
}

function verificationOf({ episode }: { episode: { verification: Verification | null } | null }) {
  const verification = episode?.verification ?? null
  return verification === null ? null : { healthy: verification.healthy, needed: verification.needed }
}

interface Verification {
  readonly healthy: number
  readonly needed: number
}

function timeOf(epochMs: number): string | null {
  return Number.isNaN(epochMs) ? null : timestamp(epochMs)
}

function measureOf(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

/** Outcomes of controls occur only in the edition next, whose contract has them. */
function lastActionView({ kind, state, outcome, queuedAt, startedAt, finishedAt }: Action) {
  const at = timestamp(finishedAt ?? startedAt ?? queuedAt)
  return { kind, state, outcome: outcome as LastAction['outcome'], at }
}

type LastAction = NonNullable<MainIncident['last_action']>
