// status-pages/live-page.ts: a page as it is now. Nothing here is called by a check: whoever asks for the page makes it look
// at the columns of its monitors, at most once per second, and it is made anew only if what it shows has changed.
import { statuses } from '@pulseward/contract'
import type { MaintenanceDefinition } from '../config/fleet-file/definition.ts'
import type { StatusPageDefinition } from '../config/fleet-file/status-page.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Clock } from '../platform/clock.ts'
import { type ComponentState, count, noTally, stateOf, worstOf } from './component-state.ts'
import { PageContent, type RenderFile } from './page-content.ts'
import { type PageRows, rowsOf } from './page-monitors.ts'
import { PageSamples, type SampleSource } from './page-samples.ts'
import type { ComponentView, PageView } from './page-view.ts'
import {
  announcedMs,
  inAll,
  type Maintenance,
  maintenanceOf,
  rememberedMs,
  type Span,
} from './planned-maintenance.ts'
import { renderFile } from './render-file.ts'
import { type WrittenNow, type WrittenSource, writtenNow, writtenStates } from './written-incident.ts'

export interface PageSource extends SampleSource {
  readonly fleet: Pick<Fleet, 'rowOf' | 'has' | 'rowsInUse' | 'definition' | 'columns'>
  readonly engine: Pick<EngineReading, 'now' | 'windowOf' | 'windowsBetween'>
  readonly clock: Clock
  readonly written: WrittenSource
  /** Since when nothing is up to date; null if all is. */
  readonly staleSinceMs: () => number | null
}

const looksAgainMs = 1_000
const readsAgainMs = 60_000

interface Shown {
  readonly state: ComponentState
  readonly changedAtMs: number
}

export class LivePage {
  readonly #id: string
  readonly #url: string
  readonly #definition: StatusPageDefinition
  readonly #source: PageSource
  readonly #samples: PageSamples
  readonly #sinceMs: number
  readonly #render: RenderFile
  #rows: PageRows = new Map()
  #generation = 0
  #rowsAreOld = true
  #lookedAtMs = Number.NEGATIVE_INFINITY
  #readAtMs = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null
  #maintenance: readonly Maintenance[] = []
  #maintenanceUntilMs = Number.NEGATIVE_INFINITY
  #written: WrittenNow = { incidents: [], maintenance: [], untilMs: Number.NEGATIVE_INFINITY }
  #writtenVersion = -1
  /** Counts what was written, and what time made of it. */
  #writings = 0
  readonly #shown = new Map<string, Shown>()
  #signature = ''
  #content: PageContent | null = null

  /** `render`: which files it has; those of a page unless given. */
  constructor(
    id: string,
    url: string,
    definition: StatusPageDefinition,
    source: PageSource,
    render: RenderFile = renderFile,
  ) {
    this.#render = render
    this.#id = id
    this.#url = url
    this.#definition = definition
    this.#source = source
    this.#samples = new PageSamples(source)
    this.#sinceMs = source.engine.now()
  }

  /** The SHA-256 of each token that opens it; empty if everybody may read it. */
  get tokenDigests(): readonly string[] {
    return this.#definition.tokenDigests
  }

  /** Other monitors may belong to it from now on. */
  fleetChanged(): void {
    this.#rowsAreOld = true
  }

  /** Only the first reader waits for the trends. */
  content(): PageContent | Promise<PageContent> {
    const nowMs = this.#source.clock.monotonicMs()
    if (this.#content !== null && nowMs - this.#lookedAtMs < looksAgainMs) return this.#content
    this.#selectRows()
    const reading = this.#readWhenDue(nowMs)
    if (this.#content === null && reading !== null) return reading.then(() => this.#look())
    return this.#look()
  }

  #selectRows(): void {
    if (!this.#rowsAreOld) return
    this.#rowsAreOld = false
    this.#rows = rowsOf(this.#definition, this.#source.fleet)
    this.#generation++
    this.#readAtMs = Number.NEGATIVE_INFINITY
    this.#maintenanceUntilMs = Number.NEGATIVE_INFINITY
  }

  #readWhenDue(nowMs: number): Promise<void> | null {
    if (this.#reading !== null || nowMs - this.#readAtMs < readsAgainMs) return this.#reading
    this.#readAtMs = nowMs
    this.#reading = this.#samples.read(this.#rows, this.#generation).finally(() => {
      this.#reading = null
      // What was read is shown by the next reader.
      this.#lookedAtMs = Number.NEGATIVE_INFINITY
    })
    return this.#reading
  }

  #look(): PageContent {
    this.#lookedAtMs = this.#source.clock.monotonicMs()
    const atMs = this.#source.engine.now()
    this.#readWritten(atMs)
    const states = this.#statesNow(atMs)
    this.#planMaintenance(atMs)
    const staleSinceMs = this.#source.staleSinceMs()
    const signature = [
      ...states.values(),
      staleSinceMs,
      this.#samples.version,
      this.#writings,
      ...this.#maintenance.map(({ id, fromMs, untilMs }) => `${id} ${fromMs > atMs} ${untilMs > atMs}`),
    ].join()
    if (this.#content !== null && signature === this.#signature) return this.#content
    this.#signature = signature
    for (const [id, state] of states)
      if (this.#shown.get(id)?.state !== state) this.#shown.set(id, { state, changedAtMs: atMs })
    this.#content = new PageContent(this.#view(atMs, staleSinceMs), this.#render)
    return this.#content
  }

  #readWritten(atMs: number): void {
    const { written } = this.#source
    const version = written.version()
    if (version === this.#writtenVersion && atMs < this.#written.untilMs) return
    const componentIds = new Set(
      this.#definition.groups.flatMap(({ components }) => components.map(({ id }) => id)),
    )
    this.#writtenVersion = version
    this.#written = writtenNow(written.of(this.#id), componentIds, atMs)
    this.#writings++
  }

  #statesNow(atMs: number): Map<string, ComponentState> {
    const { fleet, engine } = this.#source
    const { status } = fleet.columns
    const { of: windowsOf, values: windows } = fleet.definition.maintenance
    const said = writtenStates(this.#written, atMs)
    const states = new Map<string, ComponentState>()
    for (const { components } of this.#definition.groups) {
      for (const { id, downShare } of components) {
        const tally = noTally()
        for (const row of this.#rows.get(id)!) {
          const hasWindows = windows[windowsOf[row]!]!.length > 0
          count(tally, statuses[status[row]!]!, hasWindows && engine.windowOf(row).active)
        }
        states.set(id, said.get(id) ?? stateOf(tally, downShare))
      }
    }
    return states
  }

  /** Windows are looked up again when one begins or ends, and once per minute for those that come into sight. */
  #planMaintenance(atMs: number): void {
    if (atMs < this.#maintenanceUntilMs && this.#maintenanceUntilMs - atMs <= readsAgainMs) return
    const spans = new Map([...this.#rows].map(([id, rows]) => [id, this.#spansOf(rows, atMs)]))
    this.#maintenance = maintenanceOf(this.#id, spans, atMs)
    const changes = this.#maintenance.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])
    this.#maintenanceUntilMs = Math.min(atMs + readsAgainMs, ...changes.filter((ms) => ms > atMs))
  }

  #spansOf(rows: Uint32Array, atMs: number): readonly Span[] {
    const { engine, fleet } = this.#source
    const { of } = fleet.definition.maintenance
    // Most monitors of a component have the same windows.
    const distinct = new Map(Array.from(rows, (row) => [of[row]!, row]))
    // Before the page was there, other windows may have been in force.
    const fromMs = Math.max(atMs - rememberedMs, this.#sinceMs)
    const lists = [...distinct].map(([number, row]) => {
      const leadMs = longestSoFar(fleet.definition.maintenance.values[number]!, fromMs)
      const spans =
        engine.windowsBetween(row, fromMs - leadMs, atMs + announcedMs) ??
        engine.windowsBetween(row, fromMs, atMs + announcedMs)
      return spans?.filter(({ untilMs }) => untilMs > fromMs) ?? []
    })
    return inAll(lists)
  }

  #view(atMs: number, staleSinceMs: number | null): PageView {
    const { title, timezone, language, words, logo, links, groups } = this.#definition
    const views = groups.map(({ name, components }) => ({
      name,
      components: components.map(({ id, name, description }): ComponentView => {
        return { id, name, description, ...this.#shown.get(id)!, ...this.#samples.of(id) }
      }),
    }))
    return {
      id: this.#id,
      url: this.#url,
      title,
      timezone,
      language,
      words,
      logo,
      links,
      state: worstOf([...this.#shown.values()].map(({ state }) => state)),
      groups: views,
      incidents: this.#written.incidents,
      maintenance: [...this.#maintenance, ...this.#written.maintenance].sort(byTime),
      atMs,
      sinceMs: this.#sinceMs,
      changedAtMs: atMs,
      today: this.#samples.today,
      staleSinceMs,
    }
  }
}

function byTime(one: Span, other: Span): number {
  return one.fromMs - other.fromMs || one.untilMs - other.untilMs
}

/** How long before a moment a window that is open then may have begun. */
function longestSoFar(windows: readonly MaintenanceDefinition[], atMs: number): number {
  const spans = windows.map((window) => {
    if (window.kind === 'cron') return window.durationMs
    return window.startMs <= atMs && atMs < window.endMs ? atMs - window.startMs : 0
  })
  return Math.max(0, ...spans)
}
