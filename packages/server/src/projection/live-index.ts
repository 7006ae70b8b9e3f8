// projection/live-index.ts: the incremental read model of the candidate: reads the fleet's own columns and
// counts, which the engine updates with every result.
import type { Overview } from '@pulseward/contract'
import type { Fleet } from '../fleet/fleet.ts'
import { type Available, available, unavailable } from '../platform/available.ts'
import type { Clock } from '../platform/clock.ts'
import { overview, percent } from './overview.ts'
import type { ReadModel } from './read-model.ts'
import type { Staleness, StalenessSource } from './staleness.ts'

interface LastOverview {
  readonly generatedMs: number
  readonly version: number
  readonly reason: Staleness['reason'] | undefined
  readonly overview: Available<Overview>
}

export class LiveIndex implements ReadModel {
  readonly #fleet: Fleet
  readonly #clock: Clock
  readonly #isInForce: () => boolean
  readonly #staleness: StalenessSource
  readonly #countsSnoozed: boolean
  /** Times have a resolution of one millisecond: callers within the same one share an answer while nothing changes. */
  #last: LastOverview | null = null

  /** Until the engine has restored the state of the previous process, the columns are not valid. */
  constructor(
    fleet: Fleet,
    clock: Clock,
    isInForce: () => boolean = () => fleet.loaded,
    staleness: StalenessSource = () => null,
    countsSnoozed = false,
  ) {
    this.#fleet = fleet
    this.#clock = clock
    this.#isInForce = isInForce
    this.#staleness = staleness
    this.#countsSnoozed = countsSnoozed
  }

  overview(): Available<Overview> {
    if (!this.#isInForce()) return unavailable('the fleet has not been loaded yet')
    const staleness = this.#staleness()
    const reason = staleness?.reason
    const generatedMs = Math.floor(staleness?.sinceMs ?? this.#clock.wallMs())
    const version = this.#fleet.countsVersion
    const last = this.#last
    if (last?.generatedMs === generatedMs && last.version === version && last.reason === reason)
      return last.overview
    const overview = available(this.#overviewOf(generatedMs, staleness))
    this.#last = { generatedMs, version, reason, overview }
    return overview
  }

  #overviewOf(generatedMs: number, staleness: Staleness | null): Overview {
    const { counts, types } = this.#fleet
    return overview({
      generatedMs,
      staleness,
      counts,
      types,
      healthySamplePercent: percent(counts.healthySamples, counts.totalSamples),
      indexCapped: false,
      countsSnoozed: this.#countsSnoozed,
    })
  }
}
