// editions/candidate.ts: the release candidate: a durable store, an incremental index, ready when the controller
// admits work, makes progress and can store what it decides. Unhealthy targets and stale projections do not fail it.
import type { CandidateReadyz, ReadinessReason } from '@pulseward/contract'
import { engineRoutes } from '../api/routes/engine.ts'
import { healthz } from '../api/routes/healthz.ts'
import { overviewRoute } from '../api/routes/overview.ts'
import { type Readiness, readyz } from '../api/routes/readyz.ts'
import { sloRoute } from '../api/routes/slo.ts'
import { worstCondition } from '../projection/engine-view.ts'
import { LiveIndex } from '../projection/live-index.ts'
import { Retention } from '../store/retention.ts'
import { type Edition, type Foundation, freshForMs } from './edition.ts'
import { openDurable } from './open-durable.ts'

export const candidate: Edition = {
  openStore: openDurable,
  build(foundation) {
    const { clock, controller, fleet, loopLag, opened } = foundation
    const model = new LiveIndex(fleet, clock)
    const retention = new Retention(opened.store!, () => controller.time.now())
    return {
      routes: [
        healthz,
        readyz(() => readiness(foundation)),
        overviewRoute(model),
        ...engineRoutes({
          ...{ clock, loopLag, figures: controller.figures },
          conditions: () => ({ pulse: worstCondition(controller.sloReport()) }),
        }),
        sloRoute(clock, () => controller.sloReport()),
      ],
      start: () => retention.start(),
      [Symbol.dispose]: () => retention[Symbol.dispose](),
    }
  },
}

function readiness({ controller, progress, storage }: Foundation): Readiness {
  const reasons: ReadinessReason[] = []
  if (!controller.admitting) reasons.push('admission_not_initialized')
  if (progress.ageMs > freshForMs) reasons.push('controller_stalled')
  if (storage.error !== null) reasons.push('storage_unavailable')
  const details: Omit<CandidateReadyz, 'status' | 'reasons'> = {
    // The live index reads the controller's own columns: it cannot lag behind them.
    projection_fresh: true,
    admission_initialized: controller.admitting,
    controller_progress_at: new Date(progress.atMs).toISOString(),
    storage_available: storage.error === null,
  }
  return { reasons, details }
}
