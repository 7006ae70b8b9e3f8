// editions/main.ts: the current main: everything in memory, read from snapshots of the fleet, ready when a
// nonempty snapshot is at most 30 seconds old.
import type { MainReadyz, ReadinessReason } from '@pulseward/contract'
import { engineRoutes } from '../api/routes/engine.ts'
import { healthz } from '../api/routes/healthz.ts'
import { overviewRoute } from '../api/routes/overview.ts'
import { type Readiness, readyz } from '../api/routes/readyz.ts'
import type { Clock } from '../platform/clock.ts'
import { parseDuration } from '../platform/duration.ts'
import { SnapshotModel } from '../projection/snapshot.ts'
import { ForgetfulStore } from '../store/forgetful-store.ts'
import { type Edition, freshForMs } from './edition.ts'

export const main: Edition = {
  async openStore() {
    const committing = new ForgetfulStore()
    return {
      ...{ committing, store: null, recovered: null, place: 'in memory; a restart forgets' },
      async [Symbol.asyncDispose]() {},
    }
  },
  build({ settings, fleet, clock, controller, loopLag }) {
    const model = new SnapshotModel({
      fleet,
      clock,
      intervalMs: parseDuration(settings.snapshot_interval)!,
      indexCap: settings.index_cap,
    })
    return {
      routes: [
        healthz,
        readyz(() => readiness(model, clock)),
        overviewRoute(model),
        ...engineRoutes({ clock, loopLag, figures: controller.figures, conditions: () => ({}) }),
      ],
      start: () => model.start(),
      [Symbol.dispose]: () => model[Symbol.dispose](),
    }
  },
}

function readiness(model: SnapshotModel, clock: Clock): Readiness {
  const reasons: ReadinessReason[] = []
  const ageMs = model.ageMs(clock)
  if (ageMs === null) reasons.push('no_snapshot')
  else if (model.monitors === 0) reasons.push('empty_snapshot')
  if (ageMs !== null && ageMs > freshForMs) reasons.push('stale_snapshot')
  const details: Omit<MainReadyz, 'status' | 'reasons'> = {
    snapshot_at: model.takenAtMs === null ? null : new Date(model.takenAtMs).toISOString(),
    snapshot_age_seconds: ageMs === null ? null : ageMs / 1000,
  }
  return { reasons, details }
}
