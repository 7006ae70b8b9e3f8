// simulation/run-targets.ts: the checks of one process that are under way. Takes the place of the probe threads; tells
// the witness of every start and every end, because a check must never begin too early or twice.
import type { CheckRunner } from '@pulseward/server/internal/checking/check-flow.ts'
import {
  localEvidence,
  outcomeStatuses,
  type ResultBatch,
  type ResultNote,
} from '@pulseward/server/internal/checking/probe/probe-protocol.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { CheckEnd, Targets } from './targets.ts'

export interface CheckUnderWay {
  readonly monitorId: string
  readonly row: number
  readonly generation: number
  readonly startedMs: number
  readonly finishedMs: number
  readonly end: CheckEnd
}

export interface RunTargetsOptions {
  readonly targets: Targets
  readonly fleet: Fleet
  readonly clock: SimulatedClock
  readonly isAlive: () => boolean
  readonly started: (check: CheckUnderWay) => void
}

export class RunTargets implements CheckRunner {
  readonly #options: RunTargetsOptions
  #underWay: CheckUnderWay[] = []
  /** By the monotonic clock of the process. */
  #nextMs = Number.POSITIVE_INFINITY

  constructor(options: RunTargetsOptions) {
    this.#options = options
  }

  get nextMs(): number {
    return this.#nextMs
  }

  setFleet(): void {}

  add(row: number, generation: number): void {
    const { fleet, targets, clock, started, isAlive } = this.#options
    if (!isAlive()) return
    const monitorId = fleet.idOf(row)
    const end = targets.check(monitorId, fleet.policyOf(row).timeoutMs)
    const startedMs = clock.monotonicMs()
    const finishedMs = startedMs + Math.ceil(end.lastsMs)
    const check = { monitorId, row, generation, startedMs, finishedMs, end }
    this.#underWay.push(check)
    this.#nextMs = Math.min(this.#nextMs, finishedMs)
    started(check)
  }

  flush(): void {}

  /** The checks that have ended by now, in the order in which they did. */
  takeEnded(): readonly CheckUnderWay[] {
    const nowMs = this.#options.clock.monotonicMs()
    if (this.#nextMs > nowMs) return []
    const ended = this.#underWay.filter(({ finishedMs }) => finishedMs <= nowMs)
    this.#underWay = this.#underWay.filter(({ finishedMs }) => finishedMs > nowMs)
    this.#plan()
    return ended.sort((one, other) => one.finishedMs - other.finishedMs)
  }

  /** The thread that ran them has died: nobody will say how they ended. */
  takeAll(): readonly CheckUnderWay[] {
    const all = this.#underWay
    this.#underWay = []
    this.#plan()
    return all
  }

  /** The process slept: what ended meanwhile was noticed by nobody before now. */
  woke(): void {
    const nowMs = this.#options.clock.monotonicMs()
    this.#underWay = this.#underWay.map((check) =>
      check.finishedMs < nowMs ? { ...check, finishedMs: nowMs } : check,
    )
    this.#plan()
  }

  #plan(): void {
    this.#nextMs = this.#underWay.reduce(
      (next, { finishedMs }) => Math.min(next, finishedMs),
      Number.POSITIVE_INFINITY,
    )
  }
}

/** Filled by hand: millions of them are made. */
export function batchOf(checks: readonly CheckUnderWay[]): ResultBatch {
  const batch = {
    rows: new Uint32Array(checks.length),
    generations: new Uint32Array(checks.length),
    outcomes: new Uint8Array(checks.length),
    startedMs: new Float64Array(checks.length),
    finishedMs: new Float64Array(checks.length),
    latencyMs: new Float32Array(checks.length),
    notes: [] as ResultNote[],
  }
  for (const [position, { row, generation, startedMs, finishedMs, end }] of checks.entries()) {
    batch.rows[position] = row
    batch.generations[position] = generation
    batch.outcomes[position] = outcomeStatuses.indexOf(end.status) | (end.isLocal ? localEvidence : 0)
    batch.startedMs[position] = startedMs
    batch.finishedMs[position] = finishedMs
    batch.latencyMs[position] = finishedMs - startedMs
    const { reason, warning } = end
    if (reason !== null || warning !== null)
      batch.notes.push({ position, reason, warning, certificateExpiresAt: null })
  }
  return batch
}
