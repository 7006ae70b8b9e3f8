// editions/candidate.ts: the release candidate: an incremental index, ready when the controller admits work,
// makes progress and can store what it decides. Unhealthy targets and stale projections do not fail it.
import type { CandidateReadyz, ReadinessReason } from '@pulseward/contract'
import { healthz } from '../api/routes/healthz.ts'
import { overviewRoute } from '../api/routes/overview.ts'
import { type Readiness, readyz } from '../api/routes/readyz.ts'
import { LiveIndex } from '../projection/live-index.ts'
import { type BuildEdition, type Foundation, freshForMs } from './edition.ts'

export const candidate: BuildEdition = (foundation) => {
  const model = new LiveIndex(foundation.fleet, foundation.clock)
  return {
    routes: [healthz, readyz(() => readiness(foundation)), overviewRoute(model)],
    dataPlace: 'in memory; a restart forgets',
    start() {},
    [Symbol.dispose]() {},
  }
}

function readiness({ admitted, progress }: Foundation): Readiness {
  const reasons: ReadinessReason[] = []
  if (!admitted()) reasons.push('admission_not_initialized')
  if (progress.ageMs > freshForMs) reasons.push('controller_stalled')
  const details: Omit<CandidateReadyz, 'status' | 'reasons'> = {
    // The live index reads the controller's own columns: it cannot lag behind them.
    projection_fresh: true,
    admission_initialized: admitted(),
    controller_progress_at: new Date(progress.atMs).toISOString(),
    // Memory is always there; a store on disk brings its own answer.
    storage_available: true,
  }
  return { reasons, details }
}
