// editions/metrics-foundation.ts: the metrics that all editions have, and optionally those of single monitors.
import type { Fleet } from '../fleet/fleet.ts'
import type { ConfiguredDrivers, MetricsSource } from '../projection/metrics.ts'
import { PerMonitorSeries } from '../projection/per-monitor-series.ts'
import type { ReadModel } from '../projection/read-model.ts'
import type { Foundation } from './edition.ts'

export function metricsFoundation(
  { settings, fleet, engine, loopLag, clock, startedAtMs, lastReload, signalCounts }: Foundation,
  model: ReadModel,
  perMonitor: PerMonitorSeries | null,
): Omit<
  MetricsSource,
  'sharing' | 'slo' | 'store' | 'problems' | 'trials' | 'external' | 'remote' | 'isReady'
> {
  return {
    edition: settings.edition,
    overview: () => model.overview(),
    countSilent: () => engine.countSilent(),
    perMonitor,
    configured: () => driversOf(fleet),
    figures: engine.figures,
    checks: engine.checkCounts,
    actions: engine.actionCounts,
    signals: signalCounts,
    lagP99Ms: () => loopLag.observe(clock.monotonicMs())?.p99Ms ?? null,
    startedAtMs,
    lastReload,
  }
}

/** Null, at no cost, unless a setting selects monitors. */
export function perMonitorSeries({ settings, fleet, engine, log }: Foundation): PerMonitorSeries | null {
  const selector = settings['metrics.per_monitor']
  return selector === null ? null : new PerMonitorSeries({ selector, fleet, engine, log })
}

function driversOf(fleet: Fleet): ConfiguredDrivers {
  if (!fleet.loaded) return { checks: new Set(), notifications: new Set(), recoveries: new Set() }
  const { policies, endpoints, recoveries } = fleet.definition
  return {
    checks: new Set(policies.values.map(({ type }) => type)),
    notifications: new Set(endpoints.values().map(({ type }) => type)),
    recoveries: new Set(recoveries.values.flatMap((recovery) => recovery?.type ?? [])),
  }
}
