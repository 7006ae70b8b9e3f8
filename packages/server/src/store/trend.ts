// store/trend.ts: trends as a store keeps them: blocks of cells of 256 monitors, by level and cell, as bytes
// (trends/closed-block.ts, trends/counted-block.ts). A block that is being filled is kept once and replaced; when its cell is over,
// it is closed: what is kept of it then is added to what the cell has already, and the open one goes, in the same commit. So
// nothing is counted twice, wherever a process ends, and nothing is lost when a clock that is set back comes by again.
import type { TrendCell } from '../trends/cell.ts'
import type { CountedLevel, TrendLevel } from '../trends/levels.ts'

/** The cell of the whole fleet, in place of a block of monitors. */
export const fleetBlock = -1

export interface OpenTrendBlock {
  readonly level: CountedLevel
  readonly block: number
  /** The number of the cell that it is being filled for. */
  readonly cell: number
  readonly bytes: Uint8Array
}

export interface TrendWrite extends OpenTrendBlock {
  readonly is: 'open' | 'closed'
}

export interface TrendQuery {
  readonly level: TrendLevel
  /** Null for the fleet. */
  readonly numericId: number | null
  /** Numbers of the first and the last cell. */
  readonly from: number
  readonly to: number
}

/** A cell in which something was counted. */
export interface NumberedCell extends TrendCell {
  readonly cell: number
}
