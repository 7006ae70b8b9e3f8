// trends/trend-cells.ts: counts the result of every check, for its monitor and for the fleet. The recorder
// (persistence/trend-recorder.ts) decides which levels are counted, and takes the counts away.
import { CountedCell } from './cell.ts'
import { bucketOf } from './latency-buckets.ts'
import type { CountedLevel } from './levels.ts'
import { OpenCells } from './open-cells.ts'

export class LevelCells {
  readonly monitors = new OpenCells()
  readonly fleet = new CountedCell()

  count(row: number, bucket: number): void {
    this.monitors.count(row, bucket)
    if (bucket < 0) this.fleet.failures++
    else this.fleet.counts[bucket]!++
  }
}

export class TrendCells {
  /** Null while the level is not counted. */
  readonly levels: Record<CountedLevel, LevelCells | null> = {
    minute: null,
    fiveMinutes: null,
    hour: null,
  }

  /** Called for every check that said something about its target. */
  count(row: number, isHealthy: boolean, latencyMs: number): void {
    const { minute, fiveMinutes, hour } = this.levels
    if (hour === null) return
    const bucket = isHealthy ? bucketOf(latencyMs) : -1
    hour.count(row, bucket)
    fiveMinutes?.count(row, bucket)
    minute?.count(row, bucket)
  }

  /** The row no longer belongs to this monitor. */
  forget(row: number): void {
    this.levels.minute?.monitors.clear(row)
    this.levels.fiveMinutes?.monitors.clear(row)
    this.levels.hour?.monitors.clear(row)
  }
}
