// editions/metrics-foundation.ts: the metrics that every edition has.
import type { Fleet } from '../fleet/fleet.ts'
import type { ConfiguredDrivers, MetricsSource } from '../projection/metrics.ts'
import type { ReadModel } from '../projection/read-model.ts'
import type { Foundation } from './edition.ts'

export function metricsFoundation(
  { settings, fleet, engine, loopLag, clock, startedAtMs, lastReload }: Foundation,
  model: ReadModel,
): Omit<MetricsSource, 'slo' | 'store' | 'problems' | 'external' | 'isReady'> {
  return {
    edition: settings.edition,
    overview: () => model.overview(),
    configured: () => driversOf(fleet),
    figures: engine.figures,
    checks: engine.checkCounts,
    actions: engine.actionCounts,
    lagP99Ms: () => loopLag.observe(clock.monotonicMs())?.p99Ms ?? null,
    startedAtMs,
    lastReload,
  }
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
