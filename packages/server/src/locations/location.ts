// locations/location.ts: the probes of one location. Each monitor has one of them, by rendezvous hashing: when a probe comes
// or goes, only the monitors move that it gets or had.
import { combineHashes } from '../platform/string-hash.ts'
import type { ProbeSession } from './probe-session.ts'

export class Location {
  readonly name: string
  readonly #sessions: ProbeSession[] = []
  /** Those that get checks. */
  #taking: readonly ProbeSession[] = []

  constructor(name: string) {
    this.name = name
  }

  get sessions(): readonly ProbeSession[] {
    return this.#sessions
  }

  get isEmpty(): boolean {
    return this.#sessions.length === 0
  }

  add(session: ProbeSession): void {
    this.#sessions.push(session)
    this.sortOut()
  }

  /** False if it was not one of them. */
  remove(session: ProbeSession): boolean {
    const index = this.#sessions.indexOf(session)
    if (index === -1) return false
    this.#sessions.splice(index, 1)
    this.sortOut()
    return true
  }

  /** To be called when a probe began to drain. */
  sortOut(): void {
    this.#taking = this.#sessions.filter(({ isDraining }) => !isDraining)
  }

  /** The probe of the monitor with this hash; null if there is none. */
  probeFor(hash: number): ProbeSession | null {
    let best: ProbeSession | null = null
    let most = -1
    for (const session of this.#taking) {
      const weight = combineHashes(hash, session.seed)
      if (weight > most) {
        most = weight
        best = session
      }
    }
    return best
  }
}
