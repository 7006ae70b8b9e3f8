// editions/candidate.ts: the release candidate: an incremental index, ready when the controller admits work,
// makes progress and can store what it decides. Unhealthy targets and stale projections do not fail it.
import type { CandidateReadyz, ReadinessReason } from '@pulseward/contract'
import { engineRoutes } from '../api/routes/engine.ts'
import { healthz } from '../api/routes/healthz.ts'
import { overviewRoute } from '../api/routes/overview.ts'
import { type Readiness, readyz } from '../api/routes/readyz.ts'
import { sloRoute } from '../api/routes/slo.ts'
import { UsageError } from '../platform/usage-error.ts'
import { worstCondition } from '../projection/engine-view.ts'
import { LiveIndex } from '../projection/live-index.ts'
import { type BuildEdition, type Foundation, freshForMs } from './edition.ts'

export const candidate: BuildEdition = (foundation) => {
  if (foundation.settings.store === 'sqlite') {
    // Never a silent fall-back: whoever asks for a durable store must not be given memory.
    throw new UsageError('The embedded store is not wired into the service yet; use --store memory.')
  }
  const { clock, controller, loopLag } = foundation
  const model = new LiveIndex(foundation.fleet, foundation.clock)
  return {
    routes: [
      healthz,
      readyz(() => readiness(foundation)),
      overviewRoute(model),
      ...engineRoutes({
        clock,
        figures: () => controller.figures(loopLag),
        conditions: () => ({ pulse: worstCondition(controller.sloReport()) }),
      }),
      sloRoute(clock, () => controller.sloReport()),
    ],
    dataPlace: 'in memory; a restart forgets',
    start() {},
    [Symbol.dispose]() {},
  }
}

function readiness({ controller, progress }: Foundation): Readiness {
  const reasons: ReadinessReason[] = []
  if (!controller.admitting) reasons.push('admission_not_initialized')
  if (progress.ageMs > freshForMs) reasons.push('controller_stalled')
  const details: Omit<CandidateReadyz, 'status' | 'reasons'> = {
    // The live index reads the controller's own columns: it cannot lag behind them.
    projection_fresh: true,
    admission_initialized: controller.admitting,
    controller_progress_at: new Date(progress.atMs).toISOString(),
    // Memory is always there; a store on disk brings its own answer.
    storage_available: true,
  }
  return { reasons, details }
}
