// projection/v2/telemetry-views.ts: the queues, the pools and the stages of the controller as v2 shows them. Reads
// observations; measures nothing itself.
import { pipelines, type v2 } from '@pulseward/contract'
import type { EngineFigures } from '../../engine/engine-figures.ts'
import { timestamp } from '../../platform/wire.ts'
import { knownFields } from './known-fields.ts'
import { measurement } from './measurement.ts'

export function queueViews(figures: EngineFigures): v2.Queue[] {
  const queues = figures.queues()
  return pipelines.map((name) => {
    const { depth, capacity, oldestMs, enqueueRate, dequeueRate, dropped } = queues[name]
    const saturated = depth >= capacity
    return {
      name,
      depth,
      capacity,
      oldestPendingMs: measurement(oldestMs, 'nothing is waiting'),
      drops: dropped,
      saturated,
      ...knownFields({
        enqueuedPerSecond: enqueueRate,
        completedPerSecond: dequeueRate,
        limitReason: saturated ? 'as many are waiting as may wait' : null,
      }),
    }
  })
}

export function poolViews(figures: EngineFigures): v2.Pool[] {
  const pools = figures.pools()
  return pipelines.map((name) => {
    const { capacity, min, max, busy, recommended, reason } = pools[name]
    return {
      name,
      workers: capacity,
      minimum: min,
      maximum: max,
      busy,
      modelRecommendation: recommended,
      adjustmentReason: reason,
    }
  })
}

export function systemViews(figures: EngineFigures): v2.System[] {
  return figures.systems().systems.map(({ name, updates, entities, lastMs, lastProgress }) => ({
    name,
    updates,
    entitiesProcessed: entities,
    lastUpdateDurationMs: measurement(lastMs, 'it has not run yet'),
    ...knownFields({ progressAt: timestamp(lastProgress) }),
  }))
}
