// engine/engine-settings.ts: derives the options of the engine's parts from the settings and the machine.

import { DEFAULT_BOUNDS, type PoolBounds } from '../checking/pool/sizing.ts'
import type { Settings } from '../config/settings/setting-table.ts'
import type { LedgerSettings } from '../deciding/actions/ledger-parts.ts'
import type { Clock } from '../platform/clock.ts'
import { descriptorLimit } from '../platform/descriptors.ts'
import type { SloTargets } from '../slo/driver-window.ts'
import type { SloSnapshot } from '../slo/slo-snapshot.ts'
import { type SloSettings, SloWindow } from '../slo/slo-window.ts'

/** Descriptors that checks may not use: listeners, clients, logs, threads. */
const reservedDescriptors = 512

/** Lower bound: the next process computes cooldowns and the recovery budget from the actions of this time. */
const recentAtLeastMs = 600_000

/** How far back a process needs every action of the previous one. */
export function recentActionsMs(settings: Settings): number {
  return Math.max(recentAtLeastMs, settings.alert_cooldown)
}

export function ledgerSettings(settings: Settings): LedgerSettings {
  return {
    cooldownMs: settings.alert_cooldown,
    greenBypassesCooldown: settings.recovery_bypass,
    interventionsPerMinute: settings['recovery.budget_per_minute'],
  }
}

export function sloTargets(settings: Settings): SloTargets {
  return {
    queueTargetMs: settings['slo.queue_target'],
    resultTargetMs: settings['slo.result_target'],
  }
}

/** Continues the window that the previous process saved, or begins a new one. */
export function openSlo(settings: SloSettings, saved: SloSnapshot | null, clock: Clock): SloWindow {
  if (saved === null) return SloWindow.begin(settings, clock.monotonicMs())
  return SloWindow.restore(settings, saved, clock.monotonicMs(), clock.wallMs())
}

export function poolBounds(): PoolBounds {
  const limit = descriptorLimit()
  return {
    ...DEFAULT_BOUNDS,
    descriptors: limit === null ? null : Math.max(DEFAULT_BOUNDS.min, limit - reservedDescriptors),
  }
}
