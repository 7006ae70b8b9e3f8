// status-pages/auto-incidents.ts: what pages say by themselves of components with `auto`: that one is down, once that has
// lasted five minutes, and that it works again. Since when it is down comes from the incidents of its monitors, so a
// restart neither forgets nor repeats it: an incident is named after its component and its beginning. Nothing of a monitor
// but these times gets out, and no check pays for it: components are looked at every ten seconds, if any has `auto`.
import type { StatusComponent, StatusPageDefinition } from '../config/fleet-file/status-page.ts'
import type { AutoIncident, AutoRecords } from './auto-records.ts'
import type { OutageSource } from './outage.ts'
import { type Outage, outageOf } from './outage.ts'
import { wordsOf } from './page/page-words.ts'
import { rowsOf, type SelectableFleet } from './page-monitors.ts'
import type { Written, WrittenSource } from './written-incident.ts'

export interface AutoIncidentsOptions {
  readonly fleet: SelectableFleet & OutageSource['fleet']
  readonly engine: OutageSource['engine']
  /** What people wrote: where they have the word, the page says nothing by itself. */
  readonly people: WrittenSource
  readonly records: AutoRecords
  /** Whether what the columns say is so. */
  readonly isUpToDate: () => boolean
}

export const lastsMs = 300_000
const looksAgainMs = 10_000

interface Watched {
  readonly page: string
  readonly component: StatusComponent
  readonly rows: Uint32Array
}

export class AutoIncidents implements WrittenSource {
  readonly #options: AutoIncidentsOptions
  #pages: ReadonlyMap<string, StatusPageDefinition> = new Map()
  /** Null: the fleet has changed since. */
  #watched: readonly Watched[] | null = null
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: AutoIncidentsOptions) {
    this.#options = options
  }

  fleetChanged(pages: ReadonlyMap<string, StatusPageDefinition>): void {
    this.#pages = pages
    this.#watched = null
  }

  version(): number {
    return this.#options.people.version() + this.#options.records.version
  }

  of(page: string): readonly Written[] {
    const { people, records } = this.#options
    const definition = this.#pages.get(page)
    const own = definition === undefined ? [] : records.of(page).flatMap((one) => writtenOf(one, definition))
    return [...people.of(page), ...own]
  }

  /** Called every second. */
  look(): void {
    const { engine, isUpToDate, records } = this.#options
    const nowMs = engine.now()
    // A clock that was set back must not silence the pages until it has caught up.
    if (Math.abs(nowMs - this.#lookedAtMs) < looksAgainMs || !isUpToDate()) return
    this.#lookedAtMs = nowMs
    this.#watched ??= this.#select()
    for (const one of this.#watched) this.#judge(one, nowMs)
    for (const open of records.open())
      if (!this.#watched.some(({ page, component }) => page === open.page && component.id === open.component))
        records.remove(open)
    records.save(nowMs)
  }

  #select(): Watched[] {
    return [...this.#pages].flatMap(([page, definition]) => {
      const components = definition.groups.flatMap((group) => group.components.filter(({ auto }) => auto))
      if (components.length === 0) return []
      const rows = rowsOf({ ...definition, groups: [{ name: '', components }] }, this.#options.fleet)
      return components.map((component) => ({ page, component, rows: rows.get(component.id)! }))
    })
  }

  #judge({ page, component, rows }: Watched, nowMs: number): void {
    const { records } = this.#options
    const open = records.openOf(page, component.id)
    const outage = outageOf(rows, component.downShare, this.#options)
    if (open !== null) {
      if (outage.is === 'over') records.put({ ...open, resolvedAtMs: nowMs })
    } else if (
      outage.is === 'down' &&
      nowMs - outage.sinceMs >= lastsMs &&
      !this.#isWrittenAbout(page, component.id)
    )
      records.put(this.#published(page, component.id, outage))
  }

  /** Dated by the outage and not by the look, so that it is the same whichever process publishes it. */
  #published(
    page: string,
    component: string,
    { sinceMs, state }: Extract<Outage, { is: 'down' }>,
  ): AutoIncident {
    return {
      page,
      component,
      state,
      startedAtMs: sinceMs,
      publishedAtMs: sinceMs + lastsMs,
      resolvedAtMs: null,
    }
  }

  #isWrittenAbout(page: string, component: string): boolean {
    return this.#options.people
      .of(page)
      .some(
        ({ spec }) =>
          spec.maintenance === undefined &&
          spec.updates.at(-1)?.phase !== 'resolved' &&
          spec.components?.some(({ id }) => id === component),
      )
  }
}

/** In the words of the page, as if a person had written it. Nothing if the page no longer has the component. */
function writtenOf(one: AutoIncident, definition: StatusPageDefinition): Written[] {
  const { page, component: id, state, startedAtMs, publishedAtMs, resolvedAtMs } = one
  const component = definition.groups.flatMap((group) => group.components).find((other) => other.id === id)
  if (component === undefined) return []
  const words = wordsOf(definition).auto
  const time = (ms: number) => new Date(ms).toISOString()
  const down = { at: time(publishedAtMs), phase: 'investigating' as const, text: words.down(component.name) }
  const up =
    resolvedAtMs === null
      ? []
      : [{ at: time(resolvedAtMs), phase: 'resolved' as const, text: words.up(component.name) }]
  return [
    {
      id: `auto-${id}-${Math.floor(startedAtMs).toString(36)}`,
      spec: {
        pageRef: page,
        title: words.title(component.name),
        components: [{ id, state }],
        updates: [down, ...up],
      },
      createdAt: publishedAtMs,
      updatedAt: resolvedAtMs ?? publishedAtMs,
      isAuto: true,
    },
  ]
}
