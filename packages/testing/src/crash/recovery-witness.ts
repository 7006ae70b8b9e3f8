// crash/recovery-witness.ts: checks from the side of the target that a monitor was recovered at most once per
// episode. An episode ends only after as many successful checks as the healthy threshold, and the target
// counts its successes. Answers that the service never received make this check lenient, never wrong.
import type { CrashMonitor } from './crash-fleet.ts'

/** How often the target has answered well since a time. */
export type SuccessesSince = (monitorId: string, sinceMs: number) => number

export class RecoveryWitness {
  readonly violations: string[] = []
  readonly #monitors: ReadonlyMap<string, CrashMonitor>
  readonly #successesSince: SuccessesSince
  readonly #decidedMs = new Map<string, number>()

  constructor(monitors: ReadonlyMap<string, CrashMonitor>, successesSince: SuccessesSince) {
    this.#monitors = monitors
    this.#successesSince = successesSince
  }

  /** `decidedMs`: as the call says. On a busy machine calls arrive long after answers of targets that were later. */
  called(monitorId: string, decidedMs: number): void {
    const lastMs = this.#decidedMs.get(monitorId)
    this.#decidedMs.set(monitorId, Math.max(decidedMs, lastMs ?? decidedMs))
    if (lastMs === undefined) return
    const successes = this.#successesSince(monitorId, Math.min(decidedMs, lastMs))
    const needed = this.#monitors.get(monitorId)!.healthyThreshold
    if (successes < needed)
      this.violations.push(`${monitorId} was recovered again after ${successes} good answers`)
  }
}
