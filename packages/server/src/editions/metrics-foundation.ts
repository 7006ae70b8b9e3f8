// editions/metrics-foundation.ts: the metrics that every edition has.
import type { MetricsSource } from '../projection/metrics.ts'
import type { ReadModel } from '../projection/read-model.ts'
import type { Foundation } from './edition.ts'

export function metricsFoundation(
  { settings, controller, loopLag, clock, startedAtMs }: Foundation,
  model: ReadModel,
): Omit<MetricsSource, 'slo' | 'store'> {
  return {
    edition: settings.edition,
    overview: () => model.overview(),
    figures: controller.figures,
    checks: controller.checkCounts,
    actions: controller.actions.counts,
    lagP99Ms: () => loopLag.observe(clock.monotonicMs())?.p99Ms ?? null,
    startedAtMs,
  }
}
