// api/v2/routes/telemetry-routes.ts: the controller's own figures: queues, pools, stages, and how punctual
// checks were. The lists are short and fit into one page unless the caller asks for fewer rows.
import type { EngineReading } from '../../../engine/engine-reading.ts'
import type { Clock } from '../../../platform/clock.ts'
import { timestamp } from '../../../platform/wire.ts'
import { sloView } from '../../../projection/v2/slo-view.ts'
import { poolViews, queueViews, systemViews } from '../../../projection/v2/telemetry-views.ts'
import type { ListPages } from '../list-pages.ts'
import { type V2Route, v2Read } from '../v2-route.ts'

export interface TelemetryRoutesOptions {
  readonly engine: EngineReading
  readonly clock: Clock
  readonly pages: ListPages
}

const nameOf = ({ name }: { readonly name: string }) => name

export function telemetryRoutes({ engine, clock, pages }: TelemetryRoutesOptions): V2Route[] {
  const { figures } = engine
  const position = () => engine.commits.position
  const slo = () => sloView(engine.sloReport(), clock.wallMs())
  return [
    v2Read('GetQueues', (asked) => ({
      body: pages.open('GetQueues', asked, position()).bodyOf(queueViews(figures), nameOf),
    })),
    v2Read('GetPools', (asked) => ({
      body: pages.open('GetPools', asked, position()).bodyOf(poolViews(figures), nameOf),
    })),
    v2Read('GetSystems', (asked) => ({
      body: pages.open('GetSystems', asked, position()).bodyOf(systemViews(figures), nameOf),
    })),
    v2Read('GetSLO', () => ({ body: slo() })),
    v2Read('GetMetrics', () => ({
      body: {
        generatedAt: timestamp(clock.wallMs()),
        queues: queueViews(figures),
        pools: poolViews(figures),
        systems: systemViews(figures),
        slo: slo(),
      },
    })),
  ]
}
