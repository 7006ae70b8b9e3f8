// external-workers/worker-actions.ts: workers outside the service as a source of actions. A started action
// becomes a job. It ends in a later turn, by the worker's report or by timeout.
import type { ActionSource, DestinationTraits, StartedAction } from '../acting/action-source.ts'
import { destinationTraits } from '../acting/destination-traits.ts'
import { type ExternalConfig, externalType } from '../config/external-driver.ts'
import type { EndpointDefinition, RecoveryDefinition } from '../config/fleet-file/definition.ts'
import { parametersOf } from './about-action.ts'
import type { JobBoard } from './job-board.ts'

/** If no worker takes an action for this long, it goes back to the ledger, which may try again. */
const waitsMs = 60_000

/** Workers limit themselves how much they take; this bounds how many actions may wait for them per destination. */
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

  /** Only the worker knows which part of the configuration names the target, so all of it counts. */
  targetOf({ type, config }: RecoveryDefinition): string {
    return `${type} ${JSON.stringify(config)}`
  }

  describe(endpoint: EndpointDefinition): DestinationTraits {
    return destinationTraits(endpoint, { rate })
  }
}
