// projection/fleet-lists.ts: pages of monitors and incidents, one monitor, and the map, from the source of the edition:
// the live fleet or its last snapshot. A page that is unavailable says why; it never looks like an empty fleet.
import type { Incident, MainIncident, MainMonitorDetail, MainMonitorRow } from '@pulseward/contract'
import type { EngineReading } from '../engine/engine-reading.ts'
import { type Available, available } from '../platform/available.ts'
import type { MonitorViews, RowSource } from './monitor-views.ts'
import type { FilterWords, FleetQueries } from './query/fleet-queries.ts'
import { byName, type PackedMap, type RowPage, type Sort } from './query/query.ts'
import type { QueryAnswer } from './query/query-runner.ts'
import type { Staleness } from './staleness.ts'

/** The source of the views, and the time that it shows. */
export interface ListSource extends RowSource {
  readonly generatedMs: number
}

export interface PageOf<Row> {
  readonly generatedMs: number
  readonly staleness: Staleness | null
  readonly total: number
  readonly views: readonly Row[]
}

export interface FleetListsOptions {
  readonly queries: FleetQueries
  readonly views: MonitorViews
  readonly engine: EngineReading
  /** Whether to show the stable identity, as editions that keep state do. */
  readonly showsIdentity: boolean
  readonly source: () => Available<ListSource>
}

export class FleetLists {
  readonly #options: FleetListsOptions

  constructor(options: FleetListsOptions) {
    this.#options = options
  }

  async monitors(
    words: FilterWords,
    page: number,
    size: number,
    sort: Sort = byName,
  ): Promise<QueryAnswer<PageOf<MainMonitorRow>>> {
    const { views, showsIdentity, queries } = this.#options
    this.#prepare(words)
    const answer = await queries.find(words, page, size, sort)
    return this.#pageOf(answer, (row, source) =>
      showsIdentity ? views.monitor(row, source) : views.mainMonitor(row, source),
    )
  }

  async incidents(page: number, size: number): Promise<QueryAnswer<PageOf<Incident | MainIncident>>> {
    const { views, showsIdentity, queries, engine } = this.#options
    const answer = await queries.incidents(page, size)
    const suppressed = engine.suppressedBy()
    return this.#pageOf(answer, (row, source) =>
      showsIdentity ? views.incident(row, source, suppressed) : views.mainIncident(row, source, suppressed),
    )
  }

  /** Null if there is no such monitor. */
  monitor(numericId: number): Available<MainMonitorDetail | null> {
    const { views, showsIdentity, engine, source } = this.#options
    const read = source()
    if (!read.available) return read
    const row = engine.rowOf(numericId)
    if (row < 0 || read.value.columns.numericId[row] !== numericId) return available(null)
    return available(showsIdentity ? views.detail(row, read.value) : views.mainDetail(row, read.value))
  }

  async map(words: FilterWords): Promise<QueryAnswer<PackedMap & { readonly staleness: Staleness | null }>> {
    const { source, queries } = this.#options
    const read = source()
    if (!read.available) return { kind: 'unavailable', reason: read.reason }
    const { staleness } = read.value
    this.#prepare(words)
    const answer = await queries.map(words)
    return answer.kind === 'answered' ? { ...answer, value: { ...answer.value, staleness } } : answer
  }

  /** The column of this filter is brought up to date only when it is needed. */
  #prepare({ tells_nobody }: FilterWords): void {
    const { engine, source } = this.#options
    if (tells_nobody !== undefined && source().available) engine.countSilent()
  }

  /** Builds the views at once: row numbers are valid only until the next change of the fleet. */
  #pageOf<Row>(
    answer: QueryAnswer<RowPage>,
    viewOf: (row: number, source: RowSource) => Row,
  ): QueryAnswer<PageOf<Row>> {
    const read = this.#options.source()
    if (!read.available) return { kind: 'unavailable', reason: read.reason }
    if (answer.kind !== 'answered') return answer
    const { total, rows } = answer.value
    const { generatedMs, staleness } = read.value
    const views = Array.from(rows, (row) => viewOf(row, read.value))
    return { kind: 'answered', value: { generatedMs, staleness, total, views } }
  }
}
