// external-workers/worker-actions.ts: workers outside the service as a source of actions. A started action becomes a job, and
// how it ends is told in a turn: by the report of its worker, or by time.
import type { ActionSource, DestinationTraits, StartedAction } from '../acting/action-source.ts'
import { destinationTraits } from '../acting/destination-traits.ts'
import { type ExternalConfig, externalType } from '../config/external-driver.ts'
import type { EndpointDefinition, RecoveryDefinition } from '../config/fleet-file/definition.ts'
import { parametersOf } from './about-action.ts'
import type { JobBoard } from './job-board.ts'

/** An action that no worker takes for so long is given back to the ledger, which may try again. */
const waitsMs = 60_000

/** Workers say themselves how much they take; so many may wait for them at one destination. */
const rate = { maxInFlight: 64, perSecond: null }

export class WorkerActions implements ActionSource {
  readonly types = [externalType]
  readonly runsHere = false
  readonly #board: JobBoard

  constructor(board: JobBoard) {
    this.#board = board
  }

  setFleet(): void {}

  carryOut(started: StartedAction): null {
    const { action, kind, row, driver, timeoutMs } = started
    const { id, monitorId } = action
    this.#board.put({
      ...this.#board.termsOf(driver.config as ExternalConfig, timeoutMs),
      executionId: id,
      kind,
      monitorId,
      revision: monitorId === null ? null : this.#board.revisionOf(monitorId, row),
      parameters: parametersOf(started),
      startByMs: this.#board.nowMs + waitsMs,
      check: null,
    })
    this.#board.serve()
    return null
  }

  /** Which part of it names the target, only its worker knows. */
  targetOf({ type, config }: RecoveryDefinition): string {
    return `${type} ${JSON.stringify(config)}`
  }

  describe(endpoint: EndpointDefinition): DestinationTraits {
    return destinationTraits(endpoint, { rate })
  }
}
