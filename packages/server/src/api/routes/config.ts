// api/routes/config.ts: the settings that may be shown. Paths, addresses of stores and secrets are never among them.
import type { Config } from '@pulseward/contract'
import type { Settings } from '../../config/settings/setting-table.ts'
import { ledgerCapacity } from '../../controller/action-pipeline.ts'
import { BATCH_SIZE } from '../../controller/check-flow.ts'
import { parseDuration } from '../../platform/duration.ts'
import { timestamp } from '../../platform/wire.ts'
import { PULSE_QUEUE_CAPACITY } from '../../queue/bounded-queue.ts'
import { WINDOW_MS } from '../../slo/slot-grid.ts'
import { retentionDays } from '../../store/retention.ts'
import { version } from '../../version.ts'
import { json, type Route, route } from '../route.ts'

export interface ConfigSource {
  readonly settings: Settings
  readonly authentication: boolean
  /** Null for an edition that keeps nothing. */
  readonly storeMode: 'sqlite' | 'memory' | null
  /** Null for an edition without one. */
  readonly indexCap: number | null
  readonly startedAtMs: number
}

export function configRoute(source: ConfigSource): Route {
  const { settings } = source
  const milliseconds = (text: string) => parseDuration(text)!
  const config: Config = {
    edition: settings.edition,
    version,
    listen: settings.listen,
    authentication: source.authentication,
    store: { mode: source.storeMode ?? 'memory' },
    queue_capacity: { pulse: PULSE_QUEUE_CAPACITY, intervention: ledgerCapacity, code: ledgerCapacity },
    batch_size: BATCH_SIZE,
    snapshot_interval_ms: milliseconds(settings.snapshot_interval),
    alert_cooldown_ms: milliseconds(settings.alert_cooldown),
    recovery_bypass: settings.recovery_bypass,
    history_retention_days: source.storeMode === null ? null : retentionDays,
    slo: {
      window_seconds: WINDOW_MS / 1_000,
      queue_target_ms: milliseconds(settings['slo.queue_target']),
      result_target_ms: milliseconds(settings['slo.result_target']),
    },
    index_cap: source.indexCap,
    started_at: timestamp(source.startedAtMs)!,
  }
  return route('GetConfig', () => json(config))
}
