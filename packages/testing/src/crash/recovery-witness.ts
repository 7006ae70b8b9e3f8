// crash/recovery-witness.ts: checks from the side of the target that a monitor was recovered at most once per
// episode. An episode ends only after as many successful checks as the healthy threshold, and the target
// counts its successes. Answers that the service never received make this check lenient, never wrong.
import type { CrashMonitor } from './crash-fleet.ts'

export class RecoveryWitness {
  readonly violations: string[] = []
  readonly #monitors: ReadonlyMap<string, CrashMonitor>
  readonly #successesOf: (monitorId: string) => number
  readonly #successesAtLastCall = new Map<string, number>()

  constructor(monitors: ReadonlyMap<string, CrashMonitor>, successesOf: (monitorId: string) => number) {
    this.#monitors = monitors
    this.#successesOf = successesOf
  }

  called(monitorId: string): void {
    const successes = this.#successesOf(monitorId)
    const atLastCall = this.#successesAtLastCall.get(monitorId)
    this.#successesAtLastCall.set(monitorId, successes)
    if (atLastCall === undefined) return
    const needed = this.#monitors.get(monitorId)!.healthyThreshold
    if (successes - atLastCall < needed)
      this.violations.push(`${monitorId} was recovered again after ${successes - atLastCall} good answers`)
  }
}
