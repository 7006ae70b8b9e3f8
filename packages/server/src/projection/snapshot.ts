// projection/snapshot.ts: the read model of the main edition: a copy of the fleet, taken every few seconds,
// and nothing in between. It is copied in slices, so that a million monitors never delay a check.
import type { Overview } from '@pulseward/contract'
import type { Fleet, FleetCounts } from '../fleet/fleet.ts'
import { type Available, available, unavailable } from '../platform/available.ts'
import type { Clock } from '../platform/clock.ts'
import { addTo } from '../platform/column.ts'
import type { SystemMeter } from '../telemetry/system-meter.ts'
import { copyColumns, type FrozenColumns, type FrozenFleet, FrozenPair } from './frozen-fleet.ts'
import { ObservedSamples } from './observed-samples.ts'
import { overview, percent } from './overview.ts'
import type { ReadModel } from './read-model.ts'
import type { StalenessSource } from './staleness.ts'

/** Monitors copied before yielding to the event loop: well under a millisecond. */
const sliceMonitors = 8_192

export interface SnapshotOptions {
  readonly fleet: Fleet
  readonly clock: Clock
  readonly intervalMs: number
  readonly indexCap: number
  readonly staleness?: StalenessSource
  readonly meter?: SystemMeter
  /** Brings columns up to date that are not kept so with every change. */
  readonly prepare?: () => void
  /** Called with every snapshot whose monitors can be listed. */
  readonly onFrozen?: (frozen: FrozenFleet) => void
  /** Yields to other work between two slices. */
  readonly pause?: () => Promise<void>
}

interface Snapshot {
  readonly atMs: number
  readonly monotonicMs: number
  readonly counts: FleetCounts
  readonly healthySamplePercent: number | null
  /** Null above the cap: then there are counts but no list. */
  readonly frozen: FrozenFleet | null
}

export class SnapshotModel implements ReadModel {
  readonly #options: SnapshotOptions
  readonly #pause: () => Promise<void>
  #snapshot: Snapshot | null = null
  readonly #samples = new ObservedSamples()
  readonly #pair = new FrozenPair()
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

  /** Monotonic, so that a wall clock step neither ages nor refreshes it. */
  ageMs(clock: Clock): number | null {
    return this.#snapshot === null ? null : clock.monotonicMs() - this.#snapshot.monotonicMs
  }

  get monitors(): number {
    return this.#snapshot?.counts.total ?? 0
  }

  /** The monitors of the last snapshot; null if there is none, or above the cap. */
  get frozen(): FrozenFleet | null {
    return this.#snapshot?.frozen ?? null
  }

  /** Takes no snapshot until the fleet is loaded: an unknown fleet is not an empty one. */
  async take(): Promise<void> {
    const { fleet, clock, meter, onFrozen } = this.#options
    if (!fleet.loaded) return
    const beganMs = clock.monotonicMs()
    // A reload takes longer than a snapshot, so it cannot disturb the second attempt too.
    let taken = await this.#copy()
    while (taken === null) taken = await this.#copy()
    if (this.#stopped) return
    this.#snapshot = taken
    meter?.begin(beganMs)
    meter?.end(clock.monotonicMs(), taken.counts.total)
    if (taken.frozen !== null) onFrozen?.(taken.frozen)
  }

  /** Null if the fleet was replaced meanwhile: the copy would mix two fleets. */
  async #copy(): Promise<Snapshot | null> {
    const { fleet, clock, indexCap, prepare } = this.#options
    prepare?.()
    const { definition, present, columns, rows } = fleet
    const atMs = clock.wallMs()
    const monotonicMs = clock.monotonicMs()
    const next = fleet.counts.total > indexCap ? null : this.#pair.begin(columns.capacity)
    const counts = next === null ? copyCounts(fleet.counts) : noCounts(fleet.counts)
    this.#samples.makeRoom(columns.capacity)
    for (let from = 0; from < rows; from += sliceMonitors) {
      const to = Math.min(from + sliceMonitors, rows)
      this.#samples.look(columns, from, to)
      if (next !== null) {
        copyColumns(columns, next, from, to)
        this.#samples.copyTo(next, from, to)
        // Counted from the copy, so that the counts of a snapshot match its list.
        addCounts(counts, next, present, from, to)
      }
      await this.#pause()
      if (fleet.definition !== definition) return null
    }
    const healthySamplePercent = percent(this.#samples.healthy, this.#samples.total)
    const frozen = next === null ? null : this.#pair.show(fleet)
    return { atMs, monotonicMs, counts, healthySamplePercent, frozen }
  }

  overview(): Available<Overview> {
    if (this.#snapshot === null) return unavailable('no snapshot of the fleet has been taken yet')
    const { atMs, counts, healthySamplePercent, frozen } = this.#snapshot
    const { fleet, staleness: source } = this.#options
    const staleness = source?.() ?? null
    return available(
      overview({
        counts,
        types: fleet.types,
        healthySamplePercent,
        indexCapped: frozen === null,
        generatedMs: Math.min(atMs, staleness?.sinceMs ?? atMs),
        staleness,
      }),
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

function noCounts({ byStatus, byType, byCode }: FleetCounts): FleetCounts {
  return {
    total: 0,
    byStatus: new Uint32Array(byStatus.length),
    byType: new Uint32Array(byType.length),
    byCode: new Uint32Array(byCode.length),
    incidents: 0,
    tellsNobody: 0,
    // This edition has no snoozes.
    snoozed: 0,
    healthySamples: 0,
    totalSamples: 0,
  }
}

function addCounts(
  counts: FleetCounts,
  { status, type, code, openedAt, tellsNobody }: FrozenColumns,
  present: Uint8Array,
  from: number,
  to: number,
): void {
  const { byStatus, byType, byCode } = counts
  for (let row = from; row < to; row++) {
    if (present[row] === 0) continue
    counts.total++
    if (openedAt[row]! > 0) counts.incidents++
    counts.tellsNobody += tellsNobody[row]!
    addTo(byStatus, status[row]!, 1)
    addTo(byType, type[row]!, 1)
    addTo(byCode, code[row]!, 1)
  }
}
