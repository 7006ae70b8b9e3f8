// simulation/targets.ts: the things that are watched, and the network between us and them. Their moods outlive every
// process; checks under way belong to the process that started them (run-targets.ts).
import type { OutcomeStatus } from '@pulseward/server/internal/checks/driver.ts'
import type { Random } from '../random.ts'

export type Mood = 'well' | 'down' | 'flapping' | 'hanging' | 'slow' | 'warning'

/** How one check ends. */
export interface CheckEnd {
  readonly status: OutcomeStatus
  /** Our evidence alone: it may be our own fault. */
  readonly isLocal: boolean
  readonly lastsMs: number
  readonly reason: string | null
  readonly warning: string | null
}

export class Targets {
  /** No packet leaves this machine. */
  isNetworkGone = false
  readonly #random: Random
  readonly #moods = new Map<string, Mood>()

  constructor(random: Random) {
    this.#random = random
  }

  moodOf(id: string): Mood {
    return this.#moods.get(id) ?? 'well'
  }

  setMood(id: string, mood: Mood): void {
    this.#moods.set(id, mood)
  }

  allWell(): void {
    this.#moods.clear()
    this.isNetworkGone = false
  }

  /** What a check that begins now will say. */
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
