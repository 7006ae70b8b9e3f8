// projection/live-events.ts: what has changed since the last call, for the event stream. Events only make clients refresh
// earlier, so changes are collected once per second, and are not listed one by one if there are too many.
import type {
  MonitorRow,
  NextMonitorRow,
  Overview,
  StreamEventData,
  StreamEventName,
} from '@pulseward/contract'
import type { EngineReading } from '../engine/engine-reading.ts'
import { searchForm } from '../fleet/arrangement.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { timestamp } from '../platform/wire.ts'
import type { MonitorViews } from './monitor-views.ts'
import type { FilterWords } from './query/fleet-queries.ts'
import { hasTag } from './query/listed-values.ts'
import type { ReadModel } from './read-model.ts'
import type { SnapshotModel } from './snapshot.ts'
import { type StalenessSource, staleView } from './staleness.ts'

export type StreamEvent = {
  [Name in StreamEventName]: { readonly name: Name; readonly data: StreamEventData<Name> }
}[StreamEventName]

/** The source of the stream's events. */
export interface EventSource {
  /** Called when the first listener connects and when the last one has left. */
  watch(isWatched: boolean): void
  /** Returns the events since the last call. */
  collect(): StreamEvent[]
}

/** Beyond this number, only the count of changed monitors is reported. */
const amendedAtMost = 500

export class LiveEvents implements EventSource {
  readonly #engine: EngineReading
  readonly #fleet: Fleet
  readonly #model: ReadModel
  readonly #views: MonitorViews
  readonly #staleness: StalenessSource
  #position = -1
  #overview = ''
  #isWatched = false
  #amended = noAmendment()

  constructor(
    engine: EngineReading,
    fleet: Fleet,
    model: ReadModel,
    views: MonitorViews,
    staleness: StalenessSource,
  ) {
    this.#engine = engine
    this.#fleet = fleet
    this.#model = model
    this.#views = views
    this.#staleness = staleness
  }

  watch(isWatched: boolean): void {
    this.#engine.watchChanges(isWatched)
    this.#isWatched = isWatched
    this.#amended = noAmendment()
  }

  /** These rows were added, removed or changed; null: all were. */
  fleetChanged(amended: Uint32Array | null): void {
    if (!this.#isWatched) return
    const noted = this.#amended
    if (amended === null) noted.changed += this.#fleet.counts.total
    for (const row of amended ?? []) {
      if (this.#fleet.has(row)) noted.changed++
      else noted.deleted++
      if (noted.rows.size < amendedAtMost) noted.rows.add(row)
    }
  }

  collect(): StreamEvent[] {
    const { rows, incidents, overflowed } = this.#engine.takeChanges()
    const amended = this.#amended
    this.#amended = noAmendment()
    const events: StreamEvent[] = [...this.#overviewIfNew(), ...this.#positionIfNew()]
    if (amended.changed + amended.deleted > 0)
      events.push({ name: 'fleet', data: { changed: amended.changed, deleted: amended.deleted } })
    if (overflowed) return events
    for (const { row, event } of incidents) {
      if (this.#fleet.has(row)) events.push({ name: 'incident', data: this.#noticeOf(row, event) })
    }
    const { definition, columns } = this.#fleet
    const source = { definition, columns, staleness: this.#staleness() }
    for (const row of new Set([...rows, ...amended.rows])) {
      if (this.#fleet.has(row)) events.push({ name: 'monitor', data: this.#views.monitor(row, source) })
    }
    return events
  }

  #noticeOf(
    row: number,
    event: { readonly type: string; readonly incidentId: string; readonly at: number },
  ): StreamEventData<'incident'> {
    return {
      id: this.#fleet.columns.numericId[row]!,
      monitor_id: this.#fleet.idOf(row),
      incident_id: event.incidentId,
      state: event.type === 'incident_opened' ? 'open' : 'closed',
      at: timestamp(event.at),
    }
  }

  #positionIfNew(): StreamEvent[] {
    const { position } = this.#engine.commits
    if (position === this.#position) return []
    this.#position = position
    return [{ name: 'position', data: { committed_position: position } }]
  }

  #overviewIfNew(): StreamEvent[] {
    const overview = this.#model.overview()
    if (!overview.available) return []
    const seen = withoutTime(overview.value)
    if (seen === this.#overview) return []
    this.#overview = seen
    return [{ name: 'overview', data: overview.value }]
  }
}

function noAmendment(): { changed: number; deleted: number; readonly rows: Set<number> } {
  return { changed: 0, deleted: 0, rows: new Set() }
}

/** The main edition only reports that there is a new snapshot, or that there has been none for too long. */
export class SnapshotEvents implements EventSource {
  readonly #model: SnapshotModel
  readonly #staleness: StalenessSource
  #notice = ''

  constructor(model: SnapshotModel, staleness: StalenessSource) {
    this.#model = model
    this.#staleness = staleness
  }

  watch(): void {}

  collect(): StreamEvent[] {
    const { takenAtMs } = this.#model
    if (takenAtMs === null) return []
    const data = { generated: timestamp(takenAtMs), stale: staleView(this.#staleness()) }
    const notice = JSON.stringify(data)
    if (notice === this.#notice) return []
    this.#notice = notice
    return [{ name: 'snapshot', data }]
  }
}

/**
 * Whether to send the event: a monitor's row goes only to listeners whose filter it passes. Rows do not say who is told and
 * have no labels, so those filters let all of them pass.
 */
export function concerns(event: StreamEvent, { status, type, code, snoozed, q, tag }: FilterWords): boolean {
  if (event.name !== 'monitor') return true
  const { data } = event
  return (
    sameWord(status, data.status) &&
    sameWord(type, data.pulse_type) &&
    sameWord(code, data.pending_code) &&
    (snoozed === undefined || (snoozed === 'true') === isSnoozed(data)) &&
    (tag === undefined || hasTag(data.tags, tag)) &&
    (q === undefined || searchForm(data.name).includes(searchForm(q)))
  )
}

/** Only next has snoozes. */
function isSnoozed(row: MonitorRow | NextMonitorRow): boolean {
  return 'snoozed_until' in row && row.snoozed_until !== null
}

function sameWord(wanted: string | undefined, actual: MonitorRow['status' | 'pulse_type' | 'pending_code']) {
  return wanted === undefined || wanted.toLowerCase() === actual
}

function withoutTime({ generated: _, ...rest }: Overview): string {
  return JSON.stringify(rest)
}
