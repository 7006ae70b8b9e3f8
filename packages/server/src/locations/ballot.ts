// locations/ballot.ts: one time slot of a monitor that is checked at other places. Each place votes once, and the last vote
// closes the ballot. A vote of an earlier slot, of an earlier definition or of a place that has voted already does not count.
import type { Places } from '../config/places.ts'
import type { Vote } from './vote.ts'

export interface BallotOf {
  readonly row: number
  readonly generation: number
  readonly places: Places
  readonly offeredMs: number
}

export class Ballot {
  readonly row: number
  readonly generation: number
  readonly places: Places
  readonly offeredMs: number
  readonly #votes: (Vote | null)[]
  #open: number
  #startedMs = Number.POSITIVE_INFINITY

  constructor({ row, generation, places, offeredMs }: BallotOf) {
    this.row = row
    this.generation = generation
    this.places = places
    this.offeredMs = offeredMs
    this.#open = places.locations.length
    this.#votes = new Array<Vote | null>(this.#open).fill(null)
  }

  /** False if this vote does not count. startedMs: when its check began. */
  cast(vote: Vote, startedMs: number): boolean {
    const index = this.places.locations.indexOf(vote.location)
    if (index === -1 || this.#votes[index] !== null) return false
    this.#votes[index] = vote
    this.#open--
    this.#startedMs = Math.min(this.#startedMs, startedMs)
    return true
  }

  awaits(location: string): boolean {
    return this.#votes[this.places.locations.indexOf(location)] === null
  }

  get isClosed(): boolean {
    return this.#open === 0
  }

  /** Of a closed ballot: in the order of the places. */
  get votes(): readonly Vote[] {
    return this.#votes.flatMap((vote) => vote ?? [])
  }

  /** When the first check of a closed ballot began. */
  get startedMs(): number {
    return this.#startedMs
  }
}
