// api/routes/engine.ts: the engine's own figures: queues, pools, stages and their histories.

import type { EngineFigures } from '../../engine/engine-figures.ts'
import type { RemoteProbes } from '../../locations/remote-probes.ts'
import type { Clock } from '../../platform/clock.ts'
import {
  historyView,
  poolsView,
  processesView,
  queuesView,
  systemsView,
} from '../../projection/engine-view.ts'
import { locationsView } from '../../projection/locations-view.ts'
import type { Sharing } from '../../store/standing.ts'
import type { LoopLagMeter } from '../../telemetry/loop-lag.ts'
import { json, type Route, route } from '../route.ts'

export interface EngineSource {
  readonly clock: Clock
  readonly figures: EngineFigures
  readonly loopLag: LoopLagMeter
  /** Null if no other process can stand by. */
  readonly sharing: Sharing | null
  /** Null in an edition that takes no probes. */
  readonly remote: RemoteProbes | null
  /** The SLO condition of each pipeline, if known. */
  readonly conditions: () => Readonly<Record<string, string | null>>
}

export function engineRoutes({
  clock,
  figures,
  loopLag,
  sharing,
  remote,
  conditions,
}: EngineSource): Route[] {
  const lagP99Ms = () => loopLag.observe(clock.monotonicMs())?.p99Ms ?? null
  return [
    route('GetQueues', () => json(queuesView(figures, clock.wallMs()))),
    route('GetQueueHistory', () => json(historyView(figures.queueHistory, clock.wallMs()))),
    route('GetPools', () => json(poolsView(figures, conditions(), clock.wallMs()))),
    route('GetPoolHistory', () => json(historyView(figures.poolHistory, clock.wallMs()))),
    route('GetSystems', () =>
      json({
        ...systemsView(figures.systems(), lagP99Ms(), clock.wallMs()),
        ...processesView(sharing),
        ...locationsView(remote),
      }),
    ),
  ]
}
