// store/trend.ts: trends as a store keeps them: blocks of cells of 256 monitors, by level and cell, as bytes
// (trends/closed-block.ts, trends/counted-block.ts). A block that is being filled is kept once and replaced.
// When its cell is over, the block is closed: one commit adds its final form to what the cell already has and
// removes the open block. So nothing is counted twice, wherever a process ends, and nothing is lost if a
// clock that was set back passes the same cell again.
import type { TrendCell } from '../trends/cell.ts'
import type { CountedLevel, TrendLevel } from '../trends/levels.ts'

/** The block number of the whole fleet's cells. */
export const fleetBlock = -1

/** The numbers of the levels in stored keys: must never change. */
export const storedLevels = ['fiveMinutes', 'hour', 'day', 'minute'] as const satisfies readonly TrendLevel[]

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
  /** The numbers of the first and the last cell. */
  readonly from: number
  readonly to: number
}

/** The same of several monitors. */
export interface TrendsQuery extends Omit<TrendQuery, 'numericId'> {
  readonly numericIds: readonly number[]
}

/** A cell in which something was counted. */
export interface NumberedCell extends TrendCell {
  readonly cell: number
}
