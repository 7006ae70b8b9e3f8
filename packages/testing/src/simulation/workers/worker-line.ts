// simulation/workers/worker-line.ts: the network between workers and the service. Calls arrive late, even in
// the next process, twice, or not at all; answers get lost, and when a process dies all that it owed. In the
// calm phase nothing is lost.
import type { FakeClock } from '../../engine/fake-clock.ts'
import type { Random } from '../../random.ts'
import type { Agenda } from '../agenda.ts'
import type { Findings } from '../oracle/findings.ts'
import { count, type Tally } from '../tally.ts'
import { Revoked, type WorkerDoor } from './worker-door.ts'

/** Why a worker has no answer. */
export type Unanswered = 'unreachable' | 'no answer' | 'revoked'

/** The process that gets the calls. */
export interface CalledProcess {
  readonly workers: WorkerDoor | null
  readonly isAlive: boolean
}

export interface Call<Answer> {
  /** For the tally. */
  readonly name: string
  readonly isCutOff: () => boolean
  readonly ask: (door: WorkerDoor) => Promise<Answer>
  readonly answered: (answer: Answer) => void
  readonly unanswered: (why: Unanswered) => void
}

export interface WorkerLineOptions {
  readonly random: Random
  readonly agenda: Agenda
  readonly clock: FakeClock
  readonly tally: Tally
  readonly findings: Findings
  readonly process: () => CalledProcess | null
  readonly isStormy: () => boolean
}

const patienceMs = 5_000

export class WorkerLine {
  readonly #options: WorkerLineOptions
  /** Called when the process ends, for each pending answer. */
  readonly #owed = new Set<() => void>()
  #hasNews = false

  constructor(options: WorkerLineOptions) {
    this.#options = options
  }

  /** Whether the service was called, and continues in the next turn of the event loop. */
  takeNews(): boolean {
    const hasNews = this.#hasNews
    this.#hasNews = false
    return hasNews
  }

  processEnded(): void {
    const owed = [...this.#owed]
    this.#owed.clear()
    for (const tell of owed) tell()
  }

  later(ms: number, happen: () => void): void {
    const { agenda, clock } = this.#options
    agenda.at(clock.trueMs + Math.max(1, ms), happen)
  }

  send<Answer>(call: Call<Answer>): void {
    const { random, isStormy } = this.#options
    const isLost = isStormy() && random.chance(0.01)
    if (isLost) this.#lost(call, 'request lost')
    else this.later(this.#delayMs(), () => this.#arrive(call))
    if (!isStormy() || !random.chance(0.02)) return
    count(this.#options.tally.workers, 'duplicate')
    this.later(this.#delayMs(), () => this.#arrive({ ...call, answered: () => {}, unanswered: () => {} }))
  }

  #delayMs(): number {
    const { random, isStormy } = this.#options
    if (!isStormy() || random.chance(0.97)) return random.whole(1, 20)
    return random.chance(0.8) ? random.spread(500, 20_000) : random.spread(20_000, 900_000)
  }

  #arrive<Answer>(call: Call<Answer>): void {
    const { process, tally, random, isStormy, findings } = this.#options
    if (call.isCutOff()) return this.#lost(call, 'cut off')
    const called = process()
    const door = called?.workers ?? null
    if (called === null || door === null) return call.unanswered('unreachable')
    this.#hasNews = true
    count(tally.workers, call.name)
    const gone = () => this.#lost(call, 'process ended')
    this.#owed.add(gone)
    call.ask(door).then(
      (answer) => {
        if (!this.#owed.delete(gone)) return
        if (isStormy() && random.chance(0.02)) this.#lost(call, 'answer lost')
        else call.answered(answer)
      },
      (error: unknown) => {
        if (!this.#owed.delete(gone)) return
        if (error instanceof Revoked) call.unanswered('revoked')
        else findings.note('the service goes on', `${call.name}: ${(error as Error).stack}`)
      },
    )
  }

  #lost(call: Pick<Call<never>, 'unanswered'>, why: string): void {
    count(this.#options.tally.workers, why)
    this.later(patienceMs, () => call.unanswered('no answer'))
  }
}
