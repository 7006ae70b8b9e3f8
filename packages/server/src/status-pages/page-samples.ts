// status-pages/page-samples.ts: the samples of a page's components over the shown days, read from the trends while somebody
// looks at the page. Days that are over are read once per hour; yesterday and today are added up from hours, once per
// minute. What cannot be read stays as it was.
import type { EngineReading } from '../engine/engine-reading.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Store } from '../store/store.ts'
import type { NumberedCell } from '../store/trend.ts'
import type { Log } from '../telemetry/log.ts'
import { emptyCell, p50Ms, sumOf, type TrendCell } from '../trends/cell.ts'
import { cellAt, hoursOfDay, type TrendLevel } from '../trends/levels.ts'
import { DailySamples, daysOf, shareOf, shownDays, uptimeOf } from './daily-uptime.ts'
import type { PageRows } from './page-monitors.ts'

export interface SampleSource {
  readonly fleet: Pick<Fleet, 'columns'>
  readonly engine: Pick<EngineReading, 'now'>
  readonly store: Pick<Store, 'readTrends'>
  readonly log: Log
}

/** What is shown of the samples of a component. Null where nothing is known. */
export interface ShownSamples {
  /** The share of healthy samples of each day, the oldest first. */
  readonly days: readonly (number | null)[]
  readonly uptime: number | null
  /** Of fewer days, today among them; and of the last 24 hours. */
  readonly uptimeOf30Days: number | null
  readonly uptimeOf7Days: number | null
  readonly uptimeOf24Hours: number | null
  /** The median of the last 24 hours. */
  readonly latencyMs: number | null
}

/** Read at once: more would make commits wait for the answer. */
const monitorsAtOnce = 64

export class PageSamples {
  readonly #source: SampleSource
  /** The days that are over, without yesterday. */
  #past: { readonly key: string; readonly samples: ReadonlyMap<string, DailySamples> } | null = null
  #shown: ReadonlyMap<string, ShownSamples> = new Map()
  #written = ''
  #version = 0
  #today = 0

  constructor(source: SampleSource) {
    this.#source = source
  }

  /** Rises when anything is read that differs. */
  get version(): number {
    return this.#version
  }

  /** The last of the shown days. */
  get today(): number {
    return this.#today
  }

  of(componentId: string): ShownSamples {
    return this.#shown.get(componentId) ?? shownOf(new DailySamples(), [])
  }

  /** `generation`: of the rows. */
  async read(rows: PageRows, generation: number): Promise<void> {
    try {
      await this.#read(rows, generation)
    } catch (error) {
      this.#source.log.warn(
        { error },
        'the trends for a status page cannot be read; it shows those read before',
      )
    }
  }

  async #read(rows: PageRows, generation: number): Promise<void> {
    const now = this.#source.engine.now()
    const today = cellAt('day', now)
    const key = `${cellAt('hour', now)} ${generation}`
    if (this.#past?.key !== key) {
      const samples = await this.#sum(rows, 'day', today - shownDays + 1, today - 2, (day) => day - today)
      this.#past = { key, samples }
    }
    const { all, ofLastHours } = await this.#readHours(rows, now, today)
    for (const [id, samples] of all) samples.addAll(this.#past.samples.get(id)!)
    const shown = new Map([...all].map(([id, samples]) => [id, shownOf(samples, ofLastHours.get(id)!)]))
    const written = JSON.stringify([...shown])
    if (today === this.#today && written === this.#written) return
    this.#shown = shown
    this.#written = written
    this.#today = today
    this.#version++
  }

  /** Yesterday and today, and the cells of the last 24 hours. */
  async #readHours(rows: PageRows, now: number, today: number) {
    const [first, last] = [(today - 1) * hoursOfDay, (today + 1) * hoursOfDay - 1]
    const sinceHour = cellAt('hour', now) - hoursOfDay
    const ofLastHours = new Map([...rows.keys()].map((id) => [id, [] as TrendCell[]]))
    const daysAgo = (hour: number) => Math.floor(hour / hoursOfDay) - today
    const all = await this.#sum(rows, 'hour', first, last, daysAgo, (id, cell) => {
      if (cell.cell > sinceHour) ofLastHours.get(id)!.push(cell)
    })
    return { all, ofLastHours }
  }

  /** `daysAgo`: 0 is today, -1 is yesterday. */
  async #sum(
    rows: PageRows,
    level: TrendLevel,
    from: number,
    to: number,
    daysAgo: (cell: number) => number,
    each: (componentId: string, cell: NumberedCell) => void = () => {},
  ): Promise<Map<string, DailySamples>> {
    const sums = new Map([...rows.keys()].map((id) => [id, new DailySamples()]))
    const users = this.#usersOf(rows)
    const numbers = [...users.keys()].sort((one, other) => one - other)
    for (let next = 0; next < numbers.length; next += monitorsAtOnce) {
      const numericIds = numbers.slice(next, next + monitorsAtOnce)
      const found = await this.#source.store.readTrends({ level, numericIds, from, to })
      for (const [place, cells] of found.entries())
        for (const componentId of users.get(numericIds[place]!)!)
          for (const cell of cells) {
            sums.get(componentId)!.add(shownDays - 1 + daysAgo(cell.cell), cell.samples, cell.healthy)
            each(componentId, cell)
          }
    }
    return sums
  }

  /** Which components a monitor belongs to, by its number. */
  #usersOf(rows: PageRows): Map<number, string[]> {
    const { numericId } = this.#source.fleet.columns
    const users = new Map<number, string[]>()
    for (const [componentId, ofComponent] of rows) {
      for (const row of ofComponent) {
        const number = numericId[row]!
        if (number === 0) continue
        const known = users.get(number)
        if (known === undefined) users.set(number, [componentId])
        else known.push(componentId)
      }
    }
    return users
  }
}

function shownOf(samples: DailySamples, ofLastHours: readonly TrendCell[]): ShownSamples {
  const last = ofLastHours.length === 0 ? emptyCell : sumOf(ofLastHours)
  const latencyMs = p50Ms(last)
  return {
    days: daysOf(samples),
    uptime: uptimeOf(samples),
    uptimeOf30Days: uptimeOf(samples, 30),
    uptimeOf7Days: uptimeOf(samples, 7),
    uptimeOf24Hours: shareOf(last.healthy, last.samples),
    latencyMs: latencyMs === null ? null : Math.round(latencyMs),
  }
}
