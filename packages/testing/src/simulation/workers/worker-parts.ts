// workers/worker-parts.ts: the parts of one simulated process that answer workers; planted defects may change them.
import type { Engine } from '@pulseward/server/internal/engine/engine.ts'
import type { ExternalJobs } from '@pulseward/server/internal/external-workers/external-jobs.ts'
import type { LateReports } from '@pulseward/server/internal/external-workers/late-reports.ts'
import type { WorkerDesk } from '@pulseward/server/internal/external-workers/worker-desk.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { Store } from '@pulseward/server/internal/store/store.ts'

type WorkingEngine = Pick<Engine, 'request'>

export interface WorkerParts {
  readonly engine: { -readonly [Name in keyof WorkingEngine]: WorkingEngine[Name] }
  readonly jobs: ExternalJobs
  readonly desk: WorkerDesk
  readonly late: LateReports
  readonly store: Store
  readonly fleet: Fleet
  /** The number of the process. */
  readonly number: number
}
