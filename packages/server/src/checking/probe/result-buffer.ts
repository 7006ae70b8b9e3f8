// checking/probe/result-buffer.ts: collects results in a probe thread until they are sent together.
import type { Outcome } from '../../checks/driver.ts'
import {
  localEvidence,
  loopbackTarget,
  outcomeStatuses,
  type ResultBatch,
  type ResultNote,
} from './probe-protocol.ts'

const capacity = 512

export class ResultBuffer {
  #rows = new Uint32Array(capacity)
  #generations = new Uint32Array(capacity)
  #outcomes = new Uint8Array(capacity)
  #startedMs = new Float64Array(capacity)
  #finishedMs = new Float64Array(capacity)
  #latencyMs = new Float32Array(capacity)
  #notes: ResultNote[] = []
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  get isFull(): boolean {
    return this.#count === capacity
  }

  add(
    row: number,
    generation: number,
    outcome: Outcome,
    startedMs: number,
    finishedMs: number,
    loopback: boolean,
  ): void {
    const position = this.#count++
    this.#rows[position] = row
    this.#generations[position] = generation
    this.#startedMs[position] = startedMs
    this.#finishedMs[position] = finishedMs
    this.#latencyMs[position] = outcome.latencyMs
    const local = outcome.status !== 'success' && outcome.evidence === 'local' ? localEvidence : 0
    this.#outcomes[position] =
      outcomeStatuses.indexOf(outcome.status) | local | (loopback ? loopbackTarget : 0)
    const { reason, warning, certificateExpiresAt } = outcome
    if (reason !== null || warning !== null || certificateExpiresAt !== null) {
      this.#notes.push({ position, reason, warning, certificateExpiresAt })
    }
  }

  /** Everything collected, as copies of the exact size. The buffer is empty afterwards. */
  take(): ResultBatch {
    const count = this.#count
    const batch = {
      rows: this.#rows.slice(0, count),
      generations: this.#generations.slice(0, count),
      outcomes: this.#outcomes.slice(0, count),
      startedMs: this.#startedMs.slice(0, count),
      finishedMs: this.#finishedMs.slice(0, count),
      latencyMs: this.#latencyMs.slice(0, count),
      notes: this.#notes,
    }
    this.#count = 0
    this.#notes = []
    return batch
  }
}
