// projection/live-index.ts: the incremental read model of the candidate: reads the fleet's own columns and
// counts, which the controller keeps up to date with every result.
import type { Overview } from '@pulseward/contract'
import type { Fleet } from '../fleet/fleet.ts'
import { type Available, available, unavailable } from '../platform/available.ts'
import type { Clock } from '../platform/clock.ts'
import { overview, percent } from './overview.ts'
import type { ReadModel } from './read-model.ts'

interface LastOverview {
  readonly generatedMs: number
  readonly version: number
  readonly overview: Available<Overview>
}

export class LiveIndex implements ReadModel {
  readonly #fleet: Fleet
  readonly #clock: Clock
  readonly #isInForce: () => boolean
  /** Times are told in milliseconds: who asks within the same one, while nothing changes, gets the same answer. */
  #last: LastOverview | null = null

  /** While a run takes over what another left, the columns are not the truth yet. */
  constructor(fleet: Fleet, clock: Clock, isInForce: () => boolean = () => fleet.loaded) {
    this.#fleet = fleet
    this.#clock = clock
    this.#isInForce = isInForce
  }

  overview(): Available<Overview> {
    if (!this.#isInForce()) return unavailable('the fleet has not been loaded yet')
    const generatedMs = Math.floor(this.#clock.wallMs())
    const version = this.#fleet.countsVersion
    if (this.#last?.generatedMs !== generatedMs || this.#last.version !== version)
      this.#last = { generatedMs, version, overview: available(this.#overviewOf(generatedMs)) }
    return this.#last.overview
  }

  #overviewOf(generatedMs: number): Overview {
    const { counts, types } = this.#fleet
    return overview({
      generatedMs,
      counts,
      types,
      healthySamplePercent: percent(counts.healthySamples, counts.totalSamples),
      indexCapped: false,
    })
  }
}
