// api/routes/config.ts: the settings that may be shown. Paths, addresses of stores and secrets are never among them.
import type { Config } from '@pulseward/contract'
import type { Settings } from '../../config/settings/setting-table.ts'
import type { EngineFigures } from '../../engine/engine-figures.ts'
import { version } from '../../platform/version.ts'
import { timestamp } from '../../platform/wire.ts'
import { WINDOW_MS } from '../../slo/bucket-grid.ts'
import { retentionDays } from '../../store/retention.ts'
import type { Store } from '../../store/store.ts'
import { json, type Route, route } from '../route.ts'

export interface ConfigSource {
  readonly settings: Settings
  readonly figures: EngineFigures
  readonly authentication: boolean
  /** Null for an edition without a store. */
  readonly storeMode: Store['mode'] | null
  /** Null for an edition without one. */
  readonly indexCap: number | null
  readonly startedAtMs: number
}

export function configRoute(source: ConfigSource): Route {
  return route('GetConfig', () => json(configOf(source)))
}

function configOf(source: ConfigSource): Config {
  const { settings } = source
  const { pulse, intervention, code } = source.figures.queues()
  return {
    edition: settings.edition,
    version,
    listen: settings.listen.written,
    authentication: source.authentication,
    store: { mode: source.storeMode ?? 'memory' },
    queue_capacity: { pulse: pulse.capacity, intervention: intervention.capacity, code: code.capacity },
    batch_size: source.figures.checksPerBatch,
    snapshot_interval_ms: settings.snapshot_interval,
    alert_cooldown_ms: settings.alert_cooldown,
    recovery_bypass: settings.recovery_bypass,
    history_retention_days: source.storeMode === null ? null : retentionDays,
    slo: {
      window_seconds: WINDOW_MS / 1_000,
      queue_target_ms: settings['slo.queue_target'],
      result_target_ms: settings['slo.result_target'],
    },
    index_cap: source.indexCap,
    started_at: timestamp(source.startedAtMs),
  }
}
