// projection/trend-views.ts: trends as readers see them: the cells of a window, their totals, and the
// incidents that were open in it. Shows only what is on disk, so that a crash never makes a cell smaller.
import {
  type RecentTrend,
  type RecentTrends,
  type Trend,
  type TrendWindow,
  v1Limits,
} from '@pulseward/contract'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { timestamp } from '../platform/wire.ts'
import type { StoredIncident } from '../store/incident.ts'
import type { Store } from '../store/store.ts'
import type { NumberedCell } from '../store/trend.ts'
import { p50Ms, p95Ms, sumOf } from '../trends/cell.ts'
import { beginOf, cellAt, hoursOfDay, type TrendLevel, trendLevels } from '../trends/levels.ts'

export interface TrendSource {
  readonly store: Pick<Store, 'readTrend' | 'readTrends' | 'listIncidents'>
  readonly engine: Pick<
    EngineReading,
    'now' | 'rowOf' | 'commits' | 'checksPerSecond' | 'countsFiveMinutes' | 'windowsBetween'
  >
  readonly fleet: Pick<Fleet, 'has' | 'idOf' | 'policyOf'>
}

/** The subject of a trend, and the interval of its samples. */
interface Subject {
  /** Null for the fleet, as are its number and its identity. */
  readonly row: number | null
  readonly numericId: number | null
  readonly monitorId: string | null
  readonly intervalMs: number
}

const incidentsAtOnce = 250

export class TrendViews {
  readonly #source: TrendSource

  constructor(source: TrendSource) {
    this.#source = source
  }

  /** Null if no monitor has the number. */
  async monitor(numericId: number, window: TrendWindow): Promise<Trend | null> {
    const { engine, fleet } = this.#source
    const row = engine.rowOf(numericId)
    if (row < 0 || !fleet.has(row)) return null
    const { intervalMs } = fleet.policyOf(row)
    return this.#view({ row, numericId, monitorId: fleet.idOf(row), intervalMs }, window)
  }

  fleet(window: TrendWindow): Promise<Trend> {
    const { checksPerSecond } = this.#source.engine
    const intervalMs = checksPerSecond > 0 ? 1000 / checksPerSecond : 0
    return this.#view({ row: null, numericId: null, monitorId: null, intervalMs }, window)
  }

  /** The last cells of several monitors, without numbers that no monitor has. */
  async recent(numericIds: readonly number[]): Promise<RecentTrends> {
    const { engine, fleet, store } = this.#source
    const now = engine.now()
    const level = engine.countsFiveMinutes ? 'fiveMinutes' : 'hour'
    const to = cellAt(level, now)
    const from = to + 1 - v1Limits.recentCells
    const known = numericIds.filter((id) => engine.rowOf(id) >= 0 && fleet.has(engine.rowOf(id)))
    const found = await store.readTrends({ level, numericIds: known, from, to })
    return {
      generated: timestamp(now),
      begins_at: timestamp(beginOf(level, from)),
      cell_seconds: trendLevels[level].cellMs / 1000,
      monitors: known.map((id, place) => recentTrend(id, found[place]!, from)),
    }
  }

  async #view(subject: Subject, window: TrendWindow): Promise<Trend> {
    const now = this.#source.engine.now()
    const level = levelOf(window, this.#source.engine.countsFiveMinutes, subject.intervalMs)
    const to = cellAt(level, now)
    const from = to + 1 - windowMs[window] / trendLevels[level].cellMs
    const [cells, incidents] = await Promise.all([
      this.#cells(subject, level, from, to),
      this.#incidents(subject, beginOf(level, from)),
    ])
    const { samples, healthy } = sumOf(cells)
    return {
      generated: timestamp(now),
      window,
      cell_seconds: trendLevels[level].cellMs / 1000,
      cells: cells.map((cell) => ({
        at: timestamp(beginOf(level, cell.cell)),
        samples: cell.samples,
        healthy: cell.healthy,
        p50_ms: p50Ms(cell),
        p95_ms: p95Ms(cell),
      })),
      availability: samples === 0 ? null : healthy / samples,
      incidents,
      maintenance: this.#maintenance(subject, beginOf(level, from), now),
      complete: hasNoGap(cells, from, to, emptyCellsExpected(subject, level)),
    }
  }

  /** Each monitor has its own maintenance; the fleet has none. */
  #maintenance({ row }: Subject, since: number, now: number): Trend['maintenance'] {
    const windows = row === null ? null : this.#source.engine.windowsBetween(row, since, now)
    if (windows === null) return null
    return windows.map(({ fromMs, untilMs }) => ({
      begins_at: timestamp(fromMs),
      ends_at: timestamp(untilMs),
    }))
  }

  async #cells({ numericId }: Subject, level: TrendLevel, from: number, to: number) {
    const { store } = this.#source
    const cells = await store.readTrend({ level, numericId, from, to })
    return level === 'day' ? this.#withLastDays(numericId, cells, to) : cells
  }

  /** Today is computed from its hours, and so is yesterday until its day cell is written. */
  async #withLastDays(numericId: number | null, days: readonly NumberedCell[], today: number) {
    const [from, to] = [(today - 1) * hoursOfDay, (today + 1) * hoursOfDay - 1]
    const hours = await this.#source.store.readTrend({ level: 'hour', numericId, from, to })
    const all = [...days]
    for (const day of [today - 1, today]) {
      if (days.some(({ cell }) => cell === day)) continue
      const sum = sumOf(hours.filter(({ cell }) => Math.floor(cell / hoursOfDay) === day))
      if (sum.samples > 0) all.push({ cell: day, ...sum })
    }
    return all.sort((one, other) => one.cell - other.cell)
  }

  /** Incidents that were open at any time since then, among the newest. */
  async #incidents({ monitorId }: Subject, since: number): Promise<Trend['incidents']> {
    const { store, engine } = this.#source
    const upTo = engine.commits.position
    const found: Trend['incidents'] = []
    let after: number | null = null
    for (let read = 0; read < v1Limits.trendIncidents; read += incidentsAtOnce) {
      const page = await store.listIncidents({ monitorId, upTo, after, limit: incidentsAtOnce })
      for (const incident of page.incidents) {
        const { openedAt, closed } = incident
        // Old stores do not know when some incidents were opened.
        if (openedAt === null || (closed !== null && closed.at < since)) continue
        found.push({ opened_at: timestamp(openedAt), closed_at: timestamp(closed?.at ?? null) })
      }
      const last = page.incidents.at(-1)
      if (last === undefined || !page.more || isLastOf(monitorId, last, since)) break
      after = last.opened
    }
    return found
  }
}

function recentTrend(id: number, cells: readonly NumberedCell[], from: number): RecentTrend {
  const samples = Array<number>(v1Limits.recentCells).fill(0)
  const healthy = samples.slice()
  const p50_ms = Array<number | null>(v1Limits.recentCells).fill(null)
  for (const cell of cells) {
    samples[cell.cell - from] = cell.samples
    healthy[cell.cell - from] = cell.healthy
    p50_ms[cell.cell - from] = p50Ms(cell)
  }
  return { id, samples, healthy, p50_ms }
}

const dayMs = 86_400_000
const hourMs = 3_600_000
const windowMs: Readonly<Record<TrendWindow, number>> = {
  '1h': hourMs,
  '6h': 6 * hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
}

/** The finest that is counted and whose cells are no shorter than the time between two checks. */
function levelOf(window: TrendWindow, countsFiveMinutes: boolean, intervalMs: number): TrendLevel {
  if (window === '90d') return 'day'
  if (!countsFiveMinutes || window === '7d' || window === '30d') return 'hour'
  const isOfHours = window === '1h' || window === '6h'
  return isOfHours && intervalMs <= trendLevels.minute.cellMs ? 'minute' : 'fiveMinutes'
}

/** Incidents of one monitor do not overlap, so earlier ones were closed before this one. */
function isLastOf(monitorId: string | null, { openedAt }: StoredIncident, since: number): boolean {
  return monitorId !== null && (openedAt ?? 0) < since
}

/** How many consecutive cells may be empty because checks are further apart than cells. */
function emptyCellsExpected({ intervalMs }: Subject, level: TrendLevel): number {
  const { cellMs } = trendLevels[level]
  return intervalMs <= cellMs ? 0 : Math.ceil(intervalMs / cellMs)
}

/** The current cell may be empty: it may have just begun. */
function hasNoGap(cells: readonly NumberedCell[], from: number, to: number, expected: number): boolean {
  if (cells.length === 0) return false
  let next = from
  for (const { cell } of cells) {
    if (cell - next > expected) return false
    next = cell + 1
  }
  return to - next <= expected
}
