// simulation/target-moods.ts: how the targets of the fleet and the network to them behave. Moods survive
// every process; checks in flight belong to the process that started them.
import type { CheckEnd, TargetBehaviour } from '../engine/fake-targets.ts'
import type { Random } from '../random.ts'

export type TargetMood = 'well' | 'down' | 'flapping' | 'hanging' | 'slow' | 'warning'

export class TargetMoods implements TargetBehaviour {
  /** No packet leaves this machine. */
  isNetworkGone = false
  readonly #random: Random
  readonly #moods = new Map<string, TargetMood>()

  constructor(random: Random) {
    this.#random = random
  }

  moodOf(id: string): TargetMood {
    return this.#moods.get(id) ?? 'well'
  }

  setMood(id: string, mood: TargetMood): void {
    this.#moods.set(id, mood)
  }

  allWell(): void {
    this.#moods.clear()
    this.isNetworkGone = false
  }

  check(id: string, timeoutMs: number): CheckEnd {
    const random = this.#random
    const lastsMs = Math.min(timeoutMs - 1, random.between(2, 60))
    if (this.isNetworkGone)
      return random.chance(0.5)
        ? timedOut(timeoutMs)
        : { ...refused(lastsMs, 'no route to host'), isLocal: true }
    if (random.chance(0.0005))
      return { ...answered(lastsMs), status: 'no_data', reason: 'the driver could not say' }
    switch (this.moodOf(id)) {
      case 'well':
        return answered(lastsMs)
      case 'down':
        return refused(lastsMs, 'HTTP 503')
      case 'flapping':
        return random.chance(0.5) ? answered(lastsMs) : refused(lastsMs, 'HTTP 500')
      case 'hanging':
        return timedOut(timeoutMs)
      case 'slow':
        return answered(Math.min(timeoutMs - 1, random.between(500, timeoutMs)))
      case 'warning':
        return { ...answered(lastsMs), warning: 'the certificate ends soon' }
    }
  }
}

function answered(lastsMs: number): CheckEnd {
  return { status: 'success', isLocal: false, lastsMs, reason: null, warning: null }
}

function refused(lastsMs: number, reason: string): CheckEnd {
  return { status: 'failure', isLocal: false, lastsMs, reason, warning: null }
}

function timedOut(timeoutMs: number): CheckEnd {
  return { status: 'timeout', isLocal: true, lastsMs: timeoutMs, reason: 'no answer in time', warning: null }
}
