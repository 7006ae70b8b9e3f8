// projection/monitor-rows.ts: monitors as v1 shows them. What changes with every check comes from columns, the live
// ones or those of a snapshot; what only monitors in trouble have is asked of the controller when a row is made. Rows
// are made for one page at a time, so nothing is kept.
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
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import type { Controller } from '../engine/engine.ts'
import type { FleetColumns } from '../fleet/columns.ts'
import { statusReason } from '../deciding/health/status.ts'
import type { Clock } from '../platform/clock.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { timestamp } from '../platform/wire.ts'
import { percent } from './overview.ts'
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

/** Where rows are read from: the live fleet, or what a snapshot kept. */
export interface RowSource {
  readonly definition: FleetDefinition
  readonly columns: RowColumns
  readonly staleness: Staleness | null
}

export interface MonitorRowsOptions {
  readonly controller: Controller
  readonly clock: Clock
  readonly types: readonly string[]
}

export class MonitorRows {
  readonly #options: MonitorRowsOptions
  #readers: { readonly definition: FleetDefinition } & Readers = noReaders

  constructor(options: MonitorRowsOptions) {
    this.#options = options
  }

  row(slot: number, source: RowSource): MonitorRow {
    return { monitor_id: this.#read(source).ids.get(slot), ...this.mainRow(slot, source) }
  }

  detail(slot: number, source: RowSource): MonitorDetail {
    return { monitor_id: this.#read(source).ids.get(slot), ...this.mainDetail(slot, source) }
  }

  incident(slot: number, source: RowSource, suppressed: ReadonlyMap<string, number>): Incident {
    return { monitor_id: this.#read(source).ids.get(slot), ...this.mainIncident(slot, source, suppressed) }
  }

  mainRow(slot: number, source: RowSource): MainMonitorRow {
    const { controller, types } = this.#options
    const { definition, columns } = source
    const { ids, names, configs } = this.#read(source)
    const monitorId = ids.get(slot)
    const policy = definition.policies.values[definition.policies.of[slot]!]!
    const healthy = columns.shownHealthySamples[slot]!
    const total = columns.shownTotalSamples[slot]!
    const { view } = controller.ledger
    return {
      id: columns.numericId[slot]!,
      name: names.get(slot),
      pulse_type: types[columns.type[slot]!]!,
      status: statuses[columns.status[slot]!]!,
      incident: columns.openedAt[slot]! > 0,
      pending_code: codeWords[columns.code[slot]!]!,
      active_codes: [...view.activeCodesOf(monitorId)],
      target: targetOf(policy.type, configs.get(slot)),
      interval_ms: policy.intervalMs,
      timeout_ms: policy.timeoutMs,
      consecutive_failures: columns.consecutiveFailures[slot]!,
      last_check: timeOf(columns.lastCheck[slot]!),
      last_success: timeOf(columns.lastSuccess[slot]!),
      next_check: source.staleness === null ? this.#nextCheck(slot) : null,
      latency_ms: measureOf(columns.latencyMs[slot]!),
      healthy_samples: healthy,
      total_samples: total,
      healthy_sample_percent: percent(healthy, total),
      warning: controller.keeper.healthOf(slot).warning?.text ?? null,
      unknown_actions: view.unknownActionsOf(monitorId).all,
      tags: [...definition.tags.values[definition.tags.of[slot]!]!],
    }
  }

  mainDetail(slot: number, source: RowSource): MainMonitorDetail {
    const { keeper, maintenance, rules } = this.#options.controller
    const { recoveries } = source.definition
    const words = keeper.wordsOf(slot)
    const health = keeper.healthOf(slot)
    const recovery = recoveries.values[recoveries.of[slot]!]!
    const rulesOfMonitor = rules.of(slot)
    const window = maintenance.stateOf(slot)
    return {
      ...this.mainRow(slot, source),
      last_error: words?.lastError ?? null,
      certificate_expires_at: timestamp(words?.certificateExpiresAt ?? null),
      thresholds: {
        unhealthy: rulesOfMonitor.unhealthyThreshold,
        healthy: rulesOfMonitor.healthyThreshold,
      },
      recovery: { driver: recovery?.type ?? null, configured: recovery !== null },
      maintenance: {
        active: health.maintenance !== null,
        until: health.maintenance !== null && window.active ? timestamp(window.untilMs) : null,
      },
      snoozed_until: null,
      verification: verificationOf(health),
      status_reason: statusReason(health, rulesOfMonitor),
      suppressed_by: health.episode?.suppressedBy ?? null,
      stale: staleView(source.staleness),
    }
  }

  /** suppressed: how many monitors are quiet because of each (HealthKeeper.suppressedBy). */
  mainIncident(slot: number, source: RowSource, suppressed: ReadonlyMap<string, number>): MainIncident {
    const { keeper, lastActions } = this.#options.controller
    const monitorId = this.#read(source).ids.get(slot)
    const health = keeper.healthOf(slot)
    const last = lastActions.of(monitorId)
    return {
      ...this.mainRow(slot, source),
      incident_id: health.episode?.incident?.id ?? '',
      opened_at: timestamp(source.columns.openedAt[slot]!)!,
      acknowledged_by: null,
      dismissed: false,
      last_error: keeper.wordsOf(slot)?.lastError ?? null,
      suppresses: suppressed.get(monitorId) ?? 0,
      verification: verificationOf(health),
      last_action: last === null ? null : { ...last, at: timestamp(last.at)! },
    }
  }

  #nextCheck(slot: number): string | null {
    const { controller, clock } = this.#options
    const dueMs = controller.flow.scheduler.nextDueMs(slot)
    return dueMs === null ? null : timestamp(clock.wallMs() + dueMs - clock.monotonicMs())
  }

  /** Readers of the packed strings, made once for each arrangement. */
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

/** As the column counts them. */
const codeWords = ['', ...codes] as const

function targetOf(type: string, config: string): string {
  return checks[type as keyof typeof checks].target(JSON.parse(config))
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
