// simulation/oracle/external-checks.ts: passes checks of external workers to the rules for checks as if they
// were the service's own: when they start, are resumed by the next process, and end.
import type { Job } from '@pulseward/server/internal/external-workers/job.ts'
import type { CheckInFlight } from '../../engine/fake-targets.ts'
import { recoveryConfigOf } from '../fleet-plan.ts'
import type { ActionRules } from './action-rules.ts'
import type { CheckRules } from './check-rules.ts'
import type { ModelRules } from './model-rules.ts'
import type { Scene } from './scene.ts'
import type { StartRules } from './start-rules.ts'
import type { StatusRules } from './status-rules.ts'
import type { Ended, WorkerRules } from './worker-rules.ts'

/** For a check that a worker still has. */
const notYet: CheckInFlight['end'] = {
  ...{ status: 'no_data', isLocal: false, lastsMs: 0 },
  ...{ reason: null, warning: null },
}

export interface ExternalChecksOptions {
  readonly scene: Scene
  readonly workers: WorkerRules
  readonly checks: CheckRules
  readonly statuses: StatusRules
  readonly starts: StartRules
  readonly actions: ActionRules
  readonly model: ModelRules
}

export class ExternalChecks {
  readonly #options: ExternalChecksOptions
  /** The worker's check in each row, and those of earlier processes that still count. */
  readonly #inRow = new Map<number, string>()
  readonly #resumed = new Map<string, { readonly row: number; readonly generation: number }>()
  /** Ends that are known before they are handed over. */
  readonly #endedBefore = new Set<string>()
  #taken: CheckInFlight[] = []

  constructor(options: ExternalChecksOptions) {
    this.#options = options
  }

  processStarted(): void {
    this.#inRow.clear()
    this.#resumed.clear()
    this.#endedBefore.clear()
    this.#taken = []
  }

  /** A check waits for a worker: for the service, it starts now. */
  came({ check, monitorId, executionId }: Job, started: (check: CheckInFlight) => void): void {
    if (check === null || monitorId === null) return
    const nowMs = this.#options.scene.clock.monotonicMs()
    started({ ...check, monitorId, startedMs: nowMs, finishedMs: nowMs, end: notYet })
    this.#inRow.set(check.row, executionId)
  }

  missed({ executionId, check }: Job): void {
    if (check !== null && this.#inRow.get(check.row) === executionId) this.#options.checks.ended(check.row)
  }

  /** What workers were granted before is in flight, as far as it still counts. */
  resume(): void {
    this.#resumeRecoveries()
    const { fleet, parts } = this.#options.scene.running
    for (const { id, kind, monitorId, revision } of this.#options.workers.running()) {
      const row = kind === 'check' && monitorId !== null ? this.#options.scene.rowOf(monitorId) : -1
      if (row < 0 || monitorId === null || parts.identities.revisionOf(row) !== revision) continue
      const isChecked =
        this.#options.scene.monitor(monitorId)?.enabled && !this.#options.scene.isSnoozed(monitorId)
      if (!isChecked || this.#inRow.has(row)) continue
      const generation = fleet.columns.generation[row] ?? 0
      this.#resumed.set(id, { row, generation })
      this.#inRow.set(row, id)
      this.#options.checks.leftWithWorker(row, monitorId)
      const nowMs = this.#options.scene.clock.monotonicMs()
      const check = { row, generation, monitorId, startedMs: nowMs, finishedMs: nowMs, end: notYet }
      this.#options.statuses.started(check)
      this.#options.model.checkStarted(check)
    }
  }

  /** If the recovery has changed meanwhile, it is not known what the previous one acts on. */
  #resumeRecoveries(): void {
    for (const { id, kind, monitorId, revision } of this.#options.workers.running()) {
      const row = kind === 'recovery' && monitorId !== null ? this.#options.scene.rowOf(monitorId) : -1
      if (row < 0 || this.#options.scene.running.parts.identities.revisionOf(row) !== revision) continue
      const recovery = this.#options.scene.monitor(monitorId ?? '')?.recovery
      if (recovery?.isExternal) this.#options.actions.recoveryCalled(id, targetOf(recoveryConfigOf(recovery)))
    }
  }

  /** A turn ends overdue jobs before it starts anything; the record comes with the end of the turn. */
  endOverdue(row: number): void {
    const executionId = this.#inRow.get(row)
    if (executionId === undefined) return
    this.#options.workers.giveUpUnwanted(executionId)
    const overdue = this.#options.workers.overdue(executionId)
    if (overdue === null) return
    this.ended(overdue)
    this.#endedBefore.add(overdue.execution.id)
  }

  /** Its worker has reported, or its deadline has passed. */
  ended({ execution, job, before }: Ended): void {
    const { id, monitorId, grantedAt, end } = execution
    const place = job?.check ?? this.#resumed.get(id)
    if (this.#endedBefore.delete(id)) return
    if (monitorId === null || place === undefined || end === null) return
    const { clock } = this.#options.scene
    const finishedMs = clock.monotonicMs()
    const startedMs = finishedMs - (end.at - grantedAt)
    const said = end.report?.status
    const status = said === 'success' || said === 'failure' ? said : 'no_data'
    const check = { ...place, monitorId, startedMs, finishedMs, end: { ...notYet, status } as const }
    this.#options.checks.ended(place.row)
    this.#options.model.externalEnding(check, before)
    if (status === 'failure') this.#options.starts.failed(monitorId, clock.trueMs)
    this.#taken.push(check)
  }

  /** The service has taken them. */
  take(): void {
    if (this.#taken.length === 0) return
    this.#options.statuses.taken(this.#taken)
    this.#taken = []
  }
}

export function targetOf(config: object): string {
  return `external ${JSON.stringify(config)}`
}
