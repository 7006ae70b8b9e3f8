// external-workers/worker-checks.ts: workers outside the service as a source of checks. A due check becomes a job. The
// check starts when a worker is granted the job, and counts as not taken if that does not happen by its next time slot.
import type { CheckSource } from '../checking/check-source.ts'
import { type ExternalConfig, externalType } from '../config/external-driver.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { JobBoard } from './job-board.ts'

export class WorkerChecks implements CheckSource {
  readonly types = [externalType]
  readonly runsHere = false
  readonly startsAtOnce = false
  readonly #board: JobBoard
  readonly #fleet: Fleet
  readonly #newId: () => string

  constructor(board: JobBoard, fleet: Fleet, newId: () => string) {
    this.#board = board
    this.#fleet = fleet
    this.#newId = newId
  }

  setFleet(): void {}

  amendFleet(): void {}

  offer(row: number, generation: number, nextDueMs: number): void {
    const config: ExternalConfig = JSON.parse(this.#fleet.configOf(row))
    const monitorId = this.#fleet.idOf(row)
    this.#board.put({
      ...this.#board.termsOf(config, this.#fleet.policyOf(row).timeoutMs),
      executionId: this.#newId(),
      kind: 'check',
      monitorId,
      revision: this.#board.revisionOf(monitorId, row),
      parameters: config.parameters,
      startByMs: nextDueMs,
      check: { row, generation },
    })
  }

  flush(): void {
    this.#board.serve()
  }

  cancel(row: number): boolean {
    return this.#board.cancel(row)
  }
}
