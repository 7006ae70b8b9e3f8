// projection/snapshot.ts: the read model of the main edition: a copy of the fleet, taken every few seconds, and
// nothing in between. The copy is made in slices, so that a million monitors never hold up a check.
import type { Overview } from '@pulseward/contract'
import { statusNumber } from '../fleet/columns.ts'
import type { Fleet, FleetCounts } from '../fleet/fleet.ts'
import { type Available, available, unavailable } from '../platform/available.ts'
import type { Clock } from '../platform/clock.ts'
import { overview, percent } from './overview.ts'
import type { ReadModel } from './read-model.ts'

/** Monitors looked at before the loop gets its turn: well under a millisecond. */
const sliceMonitors = 65_536

export interface SnapshotOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly intervalMs: number
  readonly indexCap: number
  /** Gives other work its turn between two slices. */
  readonly pause?: () => Promise<void>
}

interface Snapshot {
  readonly atMs: number
  readonly monotonicMs: number
  readonly counts: FleetCounts
  readonly capped: boolean
}

export class SnapshotModel implements ReadModel {
  readonly #options: SnapshotOptions
  readonly #pause: () => Promise<void>
  #snapshot: Snapshot | null = null
  /** When each monitor was last checked, as of the last snapshot: a sample is a check that came since. */
  #seen = new Float64Array(0)
  #samples = 0
  #healthy = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: SnapshotOptions) {
    this.#options = options
    this.#pause = options.pause ?? (() => new Promise((resolve) => setImmediate(resolve)))
  }

  /** Takes the first snapshot now and further ones at the interval, until disposed. */
  start(): void {
    const next = () => {
      if (this.#stopped) return
      this.#timer = setTimeout(run, this.#options.intervalMs)
    }
    const run = () => void this.take().then(next)
    run()
  }

  [Symbol.dispose](): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  get takenAtMs(): number | null {
    return this.#snapshot?.atMs ?? null
  }

  /** Monotonic, so that a stepped wall clock neither ages nor refreshes it. */
  ageMs(clock: Clock): number | null {
    return this.#snapshot === null ? null : clock.monotonicMs() - this.#snapshot.monotonicMs
  }

  get monitors(): number {
    return this.#snapshot?.counts.total ?? 0
  }

  /** A fleet that is not loaded yet leaves no snapshot: nothing is known, which is not the same as nothing. */
  async take(): Promise<void> {
    const { fleet, clock, indexCap } = this.#options
    if (!fleet.loaded) return
    const atMs = clock.wallMs()
    const monotonicMs = clock.monotonicMs()
    const counts = copyCounts(fleet.counts)
    await this.#sample(fleet)
    this.#snapshot = { atMs, monotonicMs, counts, capped: counts.total > indexCap }
  }

  async #sample(fleet: Fleet): Promise<void> {
    const { columns, slots } = fleet
    if (this.#seen.length < columns.capacity) {
      const grown = new Float64Array(columns.capacity)
      grown.set(this.#seen)
      this.#seen = grown
    }
    for (let from = 0; from < slots; from += sliceMonitors) {
      const to = Math.min(from + sliceMonitors, slots)
      for (let slot = from; slot < to; slot++) {
        const checkedAt = columns.lastCheck[slot]!
        // Another time, not a later one: wall clocks are set back too.
        if (Number.isNaN(checkedAt) || checkedAt === this.#seen[slot]) continue
        this.#seen[slot] = checkedAt
        this.#samples++
        const status = columns.status[slot]
        if (status === statusNumber.up || status === statusNumber.degraded) this.#healthy++
      }
      await this.#pause()
    }
  }

  overview(): Available<Overview> {
    if (this.#snapshot === null) return unavailable('no snapshot of the fleet has been taken yet')
    const { atMs, counts, capped } = this.#snapshot
    const healthySamplePercent = percent(this.#healthy, this.#samples)
    const { types } = this.#options.fleet
    return available(
      overview({ generatedMs: atMs, counts, types, healthySamplePercent, indexCapped: capped }),
    )
  }
}

function copyCounts(counts: FleetCounts): FleetCounts {
  return {
    ...counts,
    byStatus: counts.byStatus.slice(),
    byType: counts.byType.slice(),
    byCode: counts.byCode.slice(),
  }
}
