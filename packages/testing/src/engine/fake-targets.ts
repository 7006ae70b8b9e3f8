// engine/fake-targets.ts: the checks in flight of one process, in fake time and without a network. It
// replaces the probe threads. A behaviour decides how a check ends when it starts: the script of a test
// (scripted-targets.ts), or the moods of the simulation.
import type { CheckSource } from '@pulseward/server/internal/checking/check-source.ts'
import {
  localEvidence,
  outcomeStatuses,
  type ResultBatch,
  type ResultNote,
} from '@pulseward/server/internal/checking/probe/probe-protocol.ts'
import type { OutcomeStatus } from '@pulseward/server/internal/checks/driver.ts'
import { checks } from '@pulseward/server/internal/checks/registry.ts'
import type { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import type { FakeClock } from './fake-clock.ts'

/** How one check ends. */
export interface CheckEnd {
  readonly status: OutcomeStatus
  /** Only this machine's side saw the failure, so it may be our own fault. */
  readonly isLocal: boolean
  /** Infinity: it does not end by itself. */
  readonly lastsMs: number
  readonly reason: string | null
  readonly warning: string | null
}

export interface TargetBehaviour {
  /** How a check that starts now ends. */
  check(monitorId: string, timeoutMs: number): CheckEnd
}

export interface CheckInFlight {
  readonly monitorId: string
  readonly row: number
  readonly generation: number
  /** By the monotonic clock of the process, as is its end. */
  readonly startedMs: number
  readonly finishedMs: number
  readonly end: CheckEnd
}

export interface FakeTargetsOptions {
  readonly clock: FakeClock
  /** Of the same process. */
  readonly fleet: Fleet
  readonly behaviour: TargetBehaviour
  readonly started?: (check: CheckInFlight) => void
  /** False after the process was killed: nothing starts any more. */
  readonly isAlive?: () => boolean
}

export class FakeTargets implements CheckSource {
  readonly types = Object.keys(checks)
  readonly runsHere = true
  readonly startsAtOnce = true
  readonly #options: FakeTargetsOptions
  #inFlight: CheckInFlight[] = []
  #nextMs = Number.POSITIVE_INFINITY
  #isFlushed = true

  constructor(options: FakeTargetsOptions) {
    this.#options = options
  }

  /** When the next check ends, by the monotonic clock of the process. */
  get nextMs(): number {
    return this.#nextMs
  }

  setFleet(): void {}

  amendFleet(): void {}

  offer(row: number, generation: number): void {
    const { fleet, behaviour, clock, started, isAlive } = this.#options
    if (isAlive?.() === false) return
    const monitorId = fleet.idOf(row)
    const end = behaviour.check(monitorId, fleet.policyOf(row).timeoutMs)
    const startedMs = clock.monotonicMs()
    const finishedMs = startedMs + Math.ceil(end.lastsMs)
    const check = { monitorId, row, generation, startedMs, finishedMs, end }
    this.#inFlight.push(check)
    this.#nextMs = Math.min(this.#nextMs, finishedMs)
    this.#isFlushed = false
    started?.(check)
  }

  flush(): void {
    this.#isFlushed = true
  }

  cancel(): boolean {
    return false
  }

  /** The checks that have ended by now, in the order in which they ended. */
  takeEnded(): readonly CheckInFlight[] {
    if (!this.#isFlushed)
      throw new Error('a check was offered and not flushed: no probe thread would hear of it')
    const nowMs = this.#options.clock.monotonicMs()
    if (this.#nextMs > nowMs) return []
    const ended = this.#inFlight.filter(({ finishedMs }) => finishedMs <= nowMs)
    this.#inFlight = this.#inFlight.filter(({ finishedMs }) => finishedMs > nowMs)
    this.#findNext()
    return ended.sort((one, other) => one.finishedMs - other.finishedMs)
  }

  /** The probe thread that ran them has died, so they have no result. */
  loseAll(): readonly CheckInFlight[] {
    const lost = this.#inFlight
    this.#inFlight = []
    this.#findNext()
    return lost
  }

  /** The process was suspended for a while: it notices only now what ended meanwhile. */
  wake(): void {
    const nowMs = this.#options.clock.monotonicMs()
    this.#inFlight = this.#inFlight.map((check) =>
      check.finishedMs < nowMs ? { ...check, finishedMs: nowMs } : check,
    )
    this.#findNext()
  }

  #findNext(): void {
    this.#nextMs = this.#inFlight.reduce(
      (next, { finishedMs }) => Math.min(next, finishedMs),
      Number.POSITIVE_INFINITY,
    )
  }
}

/** Filled column by column: the simulation makes millions of them. */
export function batchOf(checks: readonly CheckInFlight[]): ResultBatch {
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
