// crash/recovery-witness.ts: whether a monitor was recovered at most once an episode, from the side of the target: an
// episode ends only after so many successful checks as the healthy threshold asks for, and only the target knows how
// often it was well. Answers that the service never heard make this lenient, never wrong.
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
