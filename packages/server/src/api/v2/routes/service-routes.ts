// api/v2/routes/service-routes.ts: the service itself: its state, readiness and liveness, its settings, its
// version, and its capabilities, with the schemas of everything that can be written.
import type { v2 } from '@pulseward/contract'
import type { DriverShapes } from '../../../config/fleet-file/schema.ts'
import { timestamp } from '../../../platform/wire.ts'
import { Explanations } from '../../../projection/v2/explanations.ts'
import {
  capabilitiesView,
  configView,
  readyView,
  type ServiceSource,
  stateView,
  versionView,
} from '../../../projection/v2/service-views.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import { type V2Route, v2Read } from '../v2-route.ts'

export interface ServiceRoutesOptions extends ServiceSource {
  readonly drivers: DriverShapes
  /** The resource kinds of this service. */
  readonly kinds: readonly v2.ResourceKind[]
}

export function serviceRoutes(options: ServiceRoutesOptions): V2Route[] {
  const { clock, drivers, kinds, storageFormat, unreadyFor } = options
  const explanations = new Explanations(drivers, kinds)
  return [
    v2Read('GetState', async () => ({ body: await stateView(options) })),
    v2Read('GetConfig', () => ({ body: configView(options) })),
    // 200 even if not ready: the body is the answer, and it says why.
    v2Read('GetReady', () => ({ body: readyView(unreadyFor(), clock.wallMs()) })),
    v2Read('GetLive', () => ({ body: { available: true, generatedAt: timestamp(clock.wallMs()) } })),
    v2Read('GetCapabilities', () => ({ body: capabilitiesView(drivers, kinds) })),
    v2Read('GetVersion', () => ({ body: versionView(storageFormat) })),
    v2Read('ExplainResource', ({ path: { id } }) => {
      const explained = explanations.explain(id)
      if (typeof explained === 'string') throw new V2Problem('notFound', explained)
      return { body: explained }
    }),
  ]
}
