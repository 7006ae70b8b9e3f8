// pushing/pending-results.ts: the results of a turn that were not passed on to health yet. Health takes the results
// of a monitor one by one, so a batch has at most one for each.
import type { CheckSource } from '../checking/check-source.ts'
import { outcomeStatuses, type ResultBatch } from '../checking/probe/probe-protocol.ts'
import type { PushResult } from '../deciding/push/push-transition.ts'
import type { SourceTurn } from '../engine/source.ts'
import type { Clock } from '../platform/clock.ts'

interface PendingResult extends PushResult {
  readonly row: number
}

export class PendingResults {
  readonly #source: CheckSource
  readonly #clock: Clock
  #results: PendingResult[] = []
  readonly #rows = new Set<number>()

  constructor(source: CheckSource, clock: Clock) {
    this.#source = source
    this.#clock = clock
  }

  add(turn: SourceTurn, row: number, result: PushResult): void {
    if (this.#rows.has(row)) this.report(turn)
    this.#results.push({ ...result, row })
    this.#rows.add(row)
  }

  /** Passes them on, in the order in which they were added. */
  report(turn: SourceTurn): void {
    if (this.#results.length === 0) return
    const pending = this.#results
    this.#results = []
    this.#rows.clear()
    const counting = pending.flatMap((result) => {
      const generation = turn.checkReported(result.row)
      return generation === null ? [] : [{ ...result, generation }]
    })
    if (counting.length > 0) turn.takeResults(this.#source, batchOf(counting, this.#clock.monotonicMs()))
  }
}

function batchOf(
  results: readonly (PendingResult & { readonly generation: number })[],
  nowMs: number,
): ResultBatch {
  return {
    rows: Uint32Array.from(results, ({ row }) => row),
    generations: Uint32Array.from(results, ({ generation }) => generation),
    outcomes: Uint8Array.from(results, ({ status }) => outcomeStatuses.indexOf(status)),
    startedMs: new Float64Array(results.length).fill(nowMs),
    finishedMs: new Float64Array(results.length).fill(nowMs),
    latencyMs: Float32Array.from(results, ({ latencyMs }) => latencyMs ?? Number.NaN),
    notes: results.flatMap(({ reason }, position) =>
      reason === null ? [] : [{ position, reason, warning: null, certificateExpiresAt: null }],
    ),
  }
}
