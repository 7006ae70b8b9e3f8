// fenced-simulation/simulated-network.ts: the way of one process to the database. What is sent takes time; a direction that is
// silent keeps what arrives in it, as TCP does, and gives it on when it is heard again, or never.
import type { Random } from '../random.ts'
import type { Agenda } from '../simulation/agenda.ts'

export type Way = 'requests' | 'answers'

export interface NetworkOptions {
  readonly agenda: Agenda
  readonly random: Random
  readonly nowMs: () => number
}

const delayMs = [0.2, 3] as const
/** Now and then, while answers are held up. */
const heldUpMs = [500, 3_900] as const
const heldUpShare = 0.4
const arrivesLateShare = 0.6

export class SimulatedNetwork {
  /** Some answers take seconds. */
  holdsUpAnswers = false
  readonly #options: NetworkOptions
  readonly #silent: Record<Way, boolean> = { requests: false, answers: false }
  readonly #kept: Record<Way, (() => void)[]> = { requests: [], answers: [] }
  #losesAnswers = 0

  constructor(options: NetworkOptions) {
    this.#options = options
  }

  send(way: Way, arrive: () => void): void {
    const { agenda, random, nowMs } = this.#options
    const isHeldUp = way === 'answers' && this.holdsUpAnswers && random.chance(heldUpShare)
    const [least, most] = isHeldUp ? heldUpMs : delayMs
    agenda.at(nowMs() + random.between(least, most), () => {
      if (way === 'answers' && this.#losesAnswers > 0) this.#losesAnswers--
      else if (this.#silent[way]) this.#kept[way].push(arrive)
      else arrive()
    })
  }

  silence(ways: readonly Way[]): void {
    for (const way of ways) this.#silent[way] = true
  }

  hear(ways: readonly Way[]): void {
    for (const way of ways) {
      this.#silent[way] = false
      for (const arrive of this.#kept[way].splice(0))
        if (this.#options.random.chance(arrivesLateShare)) arrive()
    }
  }

  loseNextAnswer(): void {
    this.#losesAnswers++
  }
}
