// trends/trend-cells.ts: where the result of every check is counted, for its monitor and for the fleet. Which levels are
// counted is up to the recorder (persistence/trend-recorder.ts), which also takes what was counted away.
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
  readonly levels: Record<CountedLevel, LevelCells | null> = { fiveMinutes: null, hour: null }

  /** Part of every check that said something about its target. */
  count(row: number, isHealthy: boolean, latencyMs: number): void {
    const { fiveMinutes, hour } = this.levels
    if (hour === null) return
    const bucket = isHealthy ? bucketOf(latencyMs) : -1
    hour.count(row, bucket)
    fiveMinutes?.count(row, bucket)
  }

  /** The monitor has left its row. */
  forget(row: number): void {
    this.levels.fiveMinutes?.monitors.clear(row)
    this.levels.hour?.monitors.clear(row)
  }
}
