// projection/per-monitor-series.ts: metrics of single monitors, for those that the setting metrics.per_monitor selects.
// At most 10,000 of them, since a metrics server keeps every series. If more are selected, those with the lowest numeric
// ids have series: they are the oldest, so a new monitor displaces none. A fleet is never refused because of its metrics.
// A change costs in proportion to its size; the rows to show are computed by the next scrape.
import type { Selector } from '../config/settings/per-monitor-selector.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { ArrangedBefore } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { matchesSelector } from '../store/selector.ts'
import type { Family } from '../telemetry/exposition.ts'
import type { Log } from '../telemetry/log.ts'
import { family, single } from './metric-families.ts'

/** Each has two series. */
const mostMonitors = 10_000

export interface PerMonitorSeriesOptions {
  readonly selector: Selector
  readonly fleet: Fleet
  readonly engine: Pick<EngineReading, 'healthOf'>
  readonly log: Pick<Log, 'warn'>
  readonly most?: number
}

export class PerMonitorSeries {
  readonly #options: Required<PerMonitorSeriesOptions>
  /** 1 for each row whose monitor is selected. */
  #isSelected = new Uint8Array(0)
  #selected = 0
  /** The rows that have series; null until computed. */
  #shown: readonly number[] | null = null
  #hasFleet = false

  constructor(options: PerMonitorSeriesOptions) {
    this.#options = { most: mostMonitors, ...options }
  }

  /** These rows were added, removed or changed; null: another fleet is in force. */
  fleetChanged(amended: Uint32Array | null): void {
    const { fleet, selector } = this.#options
    const before = this.#leftOut
    this.#hasFleet = true
    this.#shown = null
    if (amended === null) {
      const { isSelected, count } = select(fleet, selector)
      this.#isSelected = isSelected
      this.#selected = count
    } else this.#amend(amended)
    if (before === 0 && this.#leftOut > 0) this.#warn()
  }

  families(): Family[] {
    if (!this.#hasFleet) return []
    const { fleet } = this.#options
    this.#shown ??= this.#rowsToShow()
    const successes = []
    const durations = []
    for (const row of this.#shown) {
      const success = this.#lastSuccess(row)
      if (success === null) continue
      const labels = { monitor_id: fleet.idOf(row), name: fleet.nameOf(row) }
      successes.push({ labels, value: success })
      durations.push({ labels, value: inSeconds(fleet.columns.latencyMs[row]!) })
    }
    return [
      family('pulseward_probe_success', successes),
      family('pulseward_probe_duration_seconds', durations),
      single('pulseward_per_monitor_left_out', this.#leftOut),
    ]
  }

  /** Null if the last check said nothing about the target, or if there is none; disabling and snoozing clear it. */
  #lastSuccess(row: number): 0 | 1 | null {
    const { engine, fleet } = this.#options
    // Nearly every monitor is quiet; the health of only the others has to be looked up.
    if (fleet.columns.quiet[row] === 1) return 1
    switch (engine.healthOf(row).lastOutcome) {
      case 'success':
        return 1
      case 'failure':
      case 'timeout':
        return 0
      default:
        return null
    }
  }

  get #leftOut(): number {
    return Math.max(0, this.#selected - this.#options.most)
  }

  #amend(rows: Uint32Array): void {
    const { fleet, selector } = this.#options
    if (fleet.rows > this.#isSelected.length) {
      const longer = new Uint8Array(fleet.rows + (fleet.rows >>> 3))
      longer.set(this.#isSelected)
      this.#isSelected = longer
    }
    const { values, of } = fleet.definition.labels
    for (const row of rows) {
      const isSelected = Number(fleet.has(row) && matchesSelector(values[of[row]!]!, selector))
      this.#selected += isSelected - this.#isSelected[row]!
      this.#isSelected[row] = isSelected
    }
  }

  #rowsToShow(): number[] {
    const { fleet, most } = this.#options
    const { numericId } = fleet.columns
    const rows = rowsOf(this.#isSelected)
    if (this.#leftOut === 0) return [...rows]
    const last = highestOfLowest(
      rows.map((row) => numericId[row]!),
      most,
    )
    return [...rowsOf(this.#isSelected).filter((row) => numericId[row]! <= last)]
  }

  #warn(): void {
    const { log, most } = this.#options
    log.warn(
      { selected: this.#selected, withSeries: most },
      `metrics.per_monitor selects more monitors than may have series of their own; those with the lowest ids have them. Write a selector that selects at most ${most}`,
    )
  }
}

interface Selection {
  readonly isSelected: Uint8Array<ArrayBuffer>
  readonly count: number
}

/** Evaluates the selector once per distinct set of labels. */
function select({ definition, present }: ArrangedBefore, selector: Selector): Selection {
  const { values, of } = definition.labels
  const matches = Uint8Array.from(values, (labels) => Number(matchesSelector(labels, selector)))
  const isSelected = new Uint8Array(present.length)
  let count = 0
  for (let row = 0; row < present.length; row++) {
    if (present[row] === 0 || matches[of[row]!] === 0) continue
    isSelected[row] = 1
    count++
  }
  return { isSelected, count }
}

/**
 * Rounded to the microsecond: the column is no more precise, and more digits would be written. Null if
 * unknown: after a kill the store may have a failure without its latency.
 */
function inSeconds(latencyMs: number): number | null {
  return Number.isNaN(latencyMs) ? null : Math.round(latencyMs * 1_000) / 1_000_000
}

function* rowsOf(isSelected: Uint8Array): Generator<number> {
  for (let row = isSelected.indexOf(1); row !== -1; row = isSelected.indexOf(1, row + 1)) yield row
}

/** The highest of the `howMany` lowest numbers. Keeps at most twice that many in memory. */
function highestOfLowest(numbers: Iterable<number>, howMany: number): number {
  const kept = new Uint32Array(howMany * 2)
  let count = 0
  let highest = Number.POSITIVE_INFINITY
  const drop = () => {
    kept.subarray(0, count).sort()
    count = howMany
    highest = kept[howMany - 1]!
  }
  for (const number of numbers) {
    if (number > highest) continue
    kept[count++] = number
    if (count === kept.length) drop()
  }
  drop()
  return highest
}
