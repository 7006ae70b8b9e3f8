// persistence/trend-recorder.ts: takes the counted trends to the store. Blocks that are being filled are saved with the
// counters of the same monitors, in the same batch. When a cell is over, its blocks are closed, a few per tick, so that a
// million monitors cause no pause. What is counted meanwhile belongs to the cell being closed: at most ten seconds of an
// hour. A monitor that leaves the fleet takes its counts in the current cell with it.
import type { Fleet } from '../fleet/fleet.ts'
import type { ServiceTime } from '../platform/service-time.ts'
import { fleetBlock, type OpenTrendBlock } from '../store/trend.ts'
import { CountedCell, emptyCell, type TrendCell } from '../trends/cell.ts'
import { encodeClosedBlock, TREND_BLOCK_MONITORS } from '../trends/closed-block.ts'
import {
  eachCountedCell,
  encodeCountedBlock,
  encodeFleetCell,
  fleetCellInRow,
} from '../trends/counted-block.ts'
import { type CountedLevel, cellAt, isSaved } from '../trends/levels.ts'
import { LevelCells, type TrendCells } from '../trends/trend-cells.ts'
import type { Identities } from './identities.ts'
import type { Journal } from './journal.ts'

/** Null: full for a fleet that is small enough, otherwise light. */
export type TrendsSetting = 'off' | 'light' | 'full' | null

/** Up to this many monitors, cells of five minutes and of a minute are counted too, unless the setting says otherwise. */
const fullUpTo = 10_000
/**
 * Hysteresis: a fleet that was larger must shrink to this size, so that one at the limit does not switch back and forth.
 */
const fullAgainAt = 9_000
/** Blocks closed per tick: takes less than half a millisecond. */
const closedAtOnce = 4
/** Fleets with more blocks save each one only every fourth round: at most half a minute of samples is lost. */
const savedEveryRoundUpTo = 8
const roundsBetweenSaves = 4

export interface TrendRecorderOptions {
  readonly fleet: Pick<Fleet, 'counts'>
  readonly identities: Pick<Identities, 'rowOf' | 'highestNumber'>
  readonly journal: Pick<Journal, 'keepTrend'>
  readonly time: Pick<ServiceTime, 'now'>
  readonly cells: TrendCells
  readonly setting: TrendsSetting
}

/** A level that is being counted. */
interface Recording {
  readonly level: CountedLevel
  readonly cells: LevelCells
  /** The cell that is being filled. */
  filling: number
  /** The previous cell, while blocks from `nextBlock` on are still to be closed. */
  closing: number | null
  nextBlock: number
  /** Blocks that are open in the store. */
  readonly saved: Set<number>
}

export class TrendRecorder {
  readonly #options: TrendRecorderOptions
  #recordings: Recording[] = []
  /** Blocks whose counters were written since their last save. */
  readonly #unsaved = new Set<number>()

  /** Nothing is counted before the first restore or tick, because the size of the fleet is not known yet. */
  constructor(options: TrendRecorderOptions) {
    this.#options = options
  }

  /** Continues with what the previous process was filling. Cells that are over by now are closed. */
  restore(open: readonly OpenTrendBlock[]): void {
    this.#chooseLevels()
    for (const block of open) {
      const recording = this.#recordings.find(({ level }) => level === block.level)
      if (recording?.filling === block.cell) this.#load(recording, block)
      else this.#options.journal.keepTrend({ ...block, is: 'closed', bytes: closedBytes(block) })
    }
  }

  /** Called on every tick. */
  advance(): void {
    this.#chooseLevels()
    for (const recording of this.#recordings) {
      const now = cellAt(recording.level, this.#options.time.now())
      if (recording.filling !== now) this.#beginCell(recording, now)
      for (let count = 0; count < closedAtOnce && recording.closing !== null; count++)
        this.#closeNext(recording)
    }
  }

  /** The checkpoint has reached this block, and has written its counters if they had changed. */
  visit(block: number, isWritten: boolean, round: number): void {
    if (isWritten) this.#unsaved.add(block)
    const isDue = this.#blocks <= savedEveryRoundUpTo || (round + block) % roundsBetweenSaves === 0
    if (isDue && this.#unsaved.delete(block)) this.#save(block)
  }

  /** Called at the end of every round of checkpoints. */
  saveFleet(): void {
    for (const { level, cells, filling } of this.#recordings) {
      if (!isSaved(level) || cells.fleet.isEmpty) continue
      const bytes = encodeFleetCell(cells.fleet)
      this.#options.journal.keepTrend({ is: 'open', level, block: fleetBlock, cell: filling, bytes })
    }
  }

  /**
   * Called when the service stops: saves blocks that were not saved with their counters. Cells that are not saved while
   * they are filled are closed: what the next process counts in them is added.
   */
  saveAll(): void {
    for (const block of this.#unsaved) this.#save(block)
    this.#unsaved.clear()
    for (const recording of this.#recordings) if (!isSaved(recording.level)) this.#closeAll(recording)
  }

  get #blocks(): number {
    return Math.floor(this.#options.identities.highestNumber / TREND_BLOCK_MONITORS) + 1
  }

  #chooseLevels(): void {
    const { setting, fleet, cells } = this.#options
    const before = cells.levels.fiveMinutes !== null
    const fits = fleet.counts.total <= (before || this.#recordings.length === 0 ? fullUpTo : fullAgainAt)
    this.#count('hour', setting !== 'off')
    const isFull = setting === 'full' || (setting === null && fits)
    this.#count('fiveMinutes', isFull)
    this.#count('minute', isFull)
  }

  #count(level: CountedLevel, isCounted: boolean): void {
    const { cells, time } = this.#options
    if (isCounted === (cells.levels[level] !== null)) return
    if (isCounted) {
      const counting = new LevelCells()
      cells.levels[level] = counting
      const filling = cellAt(level, time.now())
      this.#recordings.push({
        level,
        cells: counting,
        filling,
        closing: null,
        nextBlock: 0,
        saved: new Set(),
      })
      return
    }
    for (const recording of this.#recordings.filter((each) => each.level === level)) this.#closeAll(recording)
    this.#recordings = this.#recordings.filter((each) => each.level !== level)
    cells.levels[level] = null
  }

  #beginCell(recording: Recording, cell: number): void {
    // The clock was set, or the process stood still: counts of the earlier cell must not get into the next.
    while (recording.closing !== null) this.#closeNext(recording)
    recording.closing = recording.filling
    recording.filling = cell
    recording.nextBlock = 0
    this.#closeFleet(recording, recording.closing)
  }

  #closeAll(recording: Recording): void {
    this.#beginCell(recording, recording.filling)
    while (recording.closing !== null) this.#closeNext(recording)
  }

  #closeNext(recording: Recording): void {
    const { closing, level } = recording
    const block = recording.nextBlock++
    if (closing !== null) {
      const cells = this.#takeBlock(recording, block)
      // Also without cells: if all monitors of the block have left since it was saved, it must not stay open.
      if (recording.saved.delete(block) || cells.length > 0) {
        const bytes = encodeClosedBlock(cells)
        this.#options.journal.keepTrend({ is: 'closed', level, block, cell: closing, bytes })
      }
    }
    if (recording.nextBlock >= this.#blocks) recording.closing = null
  }

  #closeFleet({ level, cells: { fleet } }: Recording, cell: number): void {
    if (fleet.isEmpty) return
    const bytes = encodeFleetCell(fleet)
    fleet.clear()
    this.#options.journal.keepTrend({ is: 'closed', level, block: fleetBlock, cell, bytes })
  }

  /** Takes the counts of a block, leaving it empty. Returns no cells if there were none. */
  #takeBlock({ cells: { monitors } }: Recording, block: number): readonly TrendCell[] {
    const taken: TrendCell[] = []
    const cell = new CountedCell()
    for (let index = 0; index < TREND_BLOCK_MONITORS; index++) {
      const row = this.#rowAt(block, index)
      if (row < 0 || !monitors.addTo(row, cell)) continue
      while (taken.length < index) taken.push(emptyCell)
      taken.push(cell.summed())
      cell.clear()
      monitors.clear(row)
    }
    return taken
  }

  #save(block: number): void {
    for (const { level, cells, filling, closing, nextBlock, saved } of this.#recordings) {
      if (!isSaved(level)) continue
      const bytes = encodeCountedBlock(cells.monitors, (index) => this.#rowAt(block, index))
      if (bytes.length === 0) continue
      const cell = closing !== null && block >= nextBlock ? closing : filling
      this.#options.journal.keepTrend({ is: 'open', level, block, cell, bytes })
      saved.add(block)
    }
  }

  #load({ cells, saved }: Recording, { block, bytes }: OpenTrendBlock): void {
    if (block === fleetBlock) return cells.fleet.add(fleetCellInRow(bytes))
    saved.add(block)
    eachCountedCell(bytes, (index, cell) => {
      const row = this.#rowAt(block, index)
      if (row >= 0) cells.monitors.load(row, cell)
    })
  }

  /** Below 0 if there is no monitor. */
  #rowAt(block: number, index: number): number {
    return this.#options.identities.rowOf(block * TREND_BLOCK_MONITORS + index)
  }
}

function closedBytes({ block, bytes }: OpenTrendBlock): Uint8Array {
  if (block === fleetBlock) return bytes
  const cells = Array.from({ length: TREND_BLOCK_MONITORS }, () => emptyCell)
  eachCountedCell(bytes, (index, cell) => {
    cells[index] = cell.summed()
  })
  return encodeClosedBlock(cells)
}
