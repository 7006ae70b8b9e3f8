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

export interface LiveIndexOptions {
  /** Until the engine has restored the state of the previous process, the columns are not valid. */
  readonly isInForce?: () => boolean
  readonly staleness?: StalenessSource
  /** How many monitors tell nobody; null if the overview does not say so. */
  readonly countSilent?: (() => number) | null
  /** Whether the overview says how many are snoozed. */
  readonly countsSnoozed?: boolean
}

export class LiveIndex implements ReadModel {
  readonly #fleet: Fleet
  readonly #clock: Clock
  readonly #isInForce: () => boolean
  readonly #staleness: StalenessSource
  readonly #countSilent: (() => number) | null
  readonly #countsSnoozed: boolean
  /** Times have a resolution of one millisecond: callers within the same one share an answer while nothing changes. */
  #last: LastOverview | null = null

  constructor(fleet: Fleet, clock: Clock, options: LiveIndexOptions = {}) {
    const { isInForce, staleness, countSilent, countsSnoozed } = options
    this.#fleet = fleet
    this.#clock = clock
    this.#isInForce = isInForce ?? (() => fleet.loaded)
    this.#staleness = staleness ?? (() => null)
    this.#countSilent = countSilent ?? null
    this.#countsSnoozed = countsSnoozed ?? false
  }

  overview(): Available<Overview> {
    if (!this.#isInForce()) return unavailable('the fleet has not been loaded yet')
    const staleness = this.#staleness()
    // First, since it may change the counts.
    const tellsNobody = this.#countSilent?.() ?? null
    const reason = staleness?.reason
    const generatedMs = Math.floor(staleness?.sinceMs ?? this.#clock.wallMs())
    const version = this.#fleet.countsVersion
    const last = this.#last
    if (last?.generatedMs === generatedMs && last.version === version && last.reason === reason)
      return last.overview
    const overview = available(this.#overviewOf(generatedMs, staleness, tellsNobody))
    this.#last = { generatedMs, version, reason, overview }
    return overview
  }

  #overviewOf(generatedMs: number, staleness: Staleness | null, tellsNobody: number | null): Overview {
    const { counts, types } = this.#fleet
    return overview({
      generatedMs,
      staleness,
      counts,
      types,
      healthySamplePercent: percent(counts.healthySamples, counts.totalSamples),
      indexCapped: false,
      tellsNobody,
      countsSnoozed: this.#countsSnoozed,
    })
  }
}
